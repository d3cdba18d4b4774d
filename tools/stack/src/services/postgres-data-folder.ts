import { execFile } from 'node:child_process';
import { chmodSync, chownSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import type { SystemUser } from '../processes/system-user.js';
import { binaryEnvironment, type PostgresBinaries } from '../provision/service-binaries.js';
import { StackError } from '../stack-error.js';

const run = promisify(execFile);

export interface DataFolderOptions {
  /** Absolute. */
  readonly dataFolder: string;
  readonly binaries: PostgresBinaries;
  /** Of the superuser `postgres`; set when the data folder is made, and must stay the same. */
  readonly password: string;
  /** false: nothing is synced to disk. For tests only. */
  readonly durable: boolean;
  /** A data folder made with this password that no server runs on: copied, which takes a tenth of what initdb does. */
  readonly template?: string;
}

/**
 * Makes a data folder where there is none, with initdb or from `template`.
 * @param user who owns it, and runs PostgreSQL; undefined: this one
 * @throws StackError when it was made by another major version
 */
export async function makeDataFolder(
  options: DataFolderOptions,
  user: SystemUser | undefined,
): Promise<void> {
  const { dataFolder, template } = options;
  if (existsSync(join(dataFolder, 'PG_VERSION')) && existsSync(finishedMark(dataFolder)))
    return refuseOtherMajor(options);
  rmSync(dataFolder, { recursive: true, force: true }); // the remains of an initdb that was interrupted
  const parent = dirname(dataFolder);
  mkdirSync(parent, { recursive: true });
  if (user) chmodSync(parent, 0o711); // a strict umask must not shut PostgreSQL out
  // An owner is kept by root alone, who alone runs PostgreSQL as another.
  if (template === undefined) await initialise(options, user);
  else await run('cp', ['-Rp', template, dataFolder]);
  writeFileSync(finishedMark(dataFolder), '');
}

async function initialise(
  { dataFolder, binaries, password, durable }: DataFolderOptions,
  user: SystemUser | undefined,
): Promise<void> {
  mkdirSync(dataFolder, { mode: 0o700 });
  const passwordFile = join(dirname(dataFolder), '.postgres-password');
  writeFileSync(passwordFile, password, { mode: 0o600 });
  if (user) for (const path of [dataFolder, passwordFile]) chownSync(path, user.uid, user.gid);
  try {
    await run(
      join(binaries.binFolder, 'initdb'),
      [
        ...['--pgdata', dataFolder, '--username', 'postgres', '--auth', 'scram-sha-256'],
        ...['--pwfile', passwordFile, '--encoding', 'UTF8', '--no-instructions'],
        ...['--locale', process.platform === 'linux' ? 'C.UTF-8' : 'C'],
        ...(durable ? [] : ['--no-sync']),
      ],
      {
        env: { ...binaryEnvironment(binaries), TZ: 'UTC' },
        cwd: dataFolder,
        ...(user && { uid: user.uid, gid: user.gid }),
      },
    );
  } catch (cause) {
    const said = (cause as { stderr?: string }).stderr?.trim() || String(cause);
    throw new StackError('service.not_ready', `initdb failed in ${dataFolder}:\n${said}`, undefined, {
      cause,
    });
  } finally {
    rmSync(passwordFile, { force: true });
  }
}

/** initdb is not atomic: a folder without this file was not finished. */
function finishedMark(dataFolder: string): string {
  return join(dirname(dataFolder), '.postgres-initialised');
}

function refuseOtherMajor({ dataFolder, binaries }: DataFolderOptions): void {
  const made = Number(readFileSync(join(dataFolder, 'PG_VERSION'), 'utf8'));
  if (made === binaries.majorVersion) return;
  throw new StackError(
    'configuration.invalid',
    `${dataFolder} was made by PostgreSQL ${made}, but the one found is ${binaries.majorVersion} (${binaries.binFolder})`,
    `install PostgreSQL ${made}, or use another --data-dir`,
  );
}
