import { createHash, randomUUID } from 'node:crypto';
import { existsSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { isReachable, makeDataFolder, postgresUser, type PostgresBinaries } from '@understudy/local-system';

/** A data folder to copy, and the password of its superuser. */
export interface PostgresTemplate {
  readonly template: string;
  readonly password: string;
}

/**
 * Returns the template of a test run. The first suite that calls it creates the template; later suites reuse
 * it.
 * @returns undefined if the run has no folder that all suites share (tools/repository/jest/shared-folder.mjs
 * creates it), or if PostgreSQL's user cannot access that folder
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

/**
 * Creates the folder under a temporary name and then renames it, so other suites never see an incomplete
 * folder. Several calls can create the same folder concurrently; only the first rename succeeds.
 */
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
