import { createHash, randomUUID } from 'node:crypto';
import { existsSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { isReachable, makeDataFolder, postgresUser, type PostgresBinaries } from '@understudy/stack';

/** A data folder to copy, and the password of its superuser. */
export interface PostgresTemplate {
  readonly template: string;
  readonly password: string;
}

/**
 * Made by the suite of a run that asks first; those after it find it there.
 * @returns undefined where there is no folder for all suites (tools/repository/jest/shared-folder.mjs makes it), or none that PostgreSQL's
 *   user gets to
 */
export async function postgresTemplate(binaries: PostgresBinaries): Promise<PostgresTemplate | undefined> {
  const shared = process.env['UNDERSTUDY_TEST_SHARED'];
  if (shared === undefined) return undefined;
  const user = postgresUser();
  if (user !== undefined && !isReachable(join(shared, 'any'), user)) return undefined;
  const password = readFileSync(join(shared, 'password'), 'utf8');
  const made = join(shared, createHash('sha256').update(binaries.binFolder).digest('hex').slice(0, 16));
  if (!existsSync(made)) await makeAt(made, binaries, password);
  return { template: join(made, 'data'), password };
}

/** There at once and whole, or not at all: suites run side by side, and some start two servers at once. */
async function makeAt(made: string, binaries: PostgresBinaries, password: string): Promise<void> {
  const making = `${made}.${randomUUID()}`;
  const dataFolder = join(making, 'data');
  await makeDataFolder({ dataFolder, binaries, password, durable: false }, postgresUser());
  try {
    renameSync(making, made);
  } catch (error) {
    if (!existsSync(made)) throw error;
    rmSync(making, { recursive: true, force: true }); // another suite was faster
  }
}
