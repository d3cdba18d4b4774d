import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import type { SystemUser } from '../processes/system-user.js';
import { binaryEnvironment, type PostgresBinaries } from '../binaries/service-binaries.js';
import { LocalSystemError } from '../local-system-error.js';
import { quickPassword } from './quick-password.js';

const run = promisify(execFile);

export interface DataFolderOptions {
  /** Absolute path. */
  readonly dataFolder: string;
  readonly binaries: PostgresBinaries;
  /**
   * Password of the superuser `postgres`. It is set when the data folder is created and must stay the same.
   */
  readonly password: string;
  /** False is only for tests. It disables all syncs to the disk, and makes it cheap to check the password. */
  readonly durable: boolean;
  /**
   * A data folder with the same password and without a running server. Copying it takes a tenth of the time
   * of initdb.
   */
  readonly template?: string;
}

const DRAFT = 'draft-';

/**
 * Creates the data folder with initdb or from `template` if it does not exist. It is complete as soon as it exists: an
 * interrupted call leaves only a draft, which the next call removes. The initdb of a killed process may still write there.
 * @param user owns the folder and runs PostgreSQL; undefined for the current user
 * @throws LocalSystemError if the existing folder belongs to another major version
 */
export async function makeDataFolder(
  options: DataFolderOptions,
  user: SystemUser | undefined,
): Promise<void> {
  const { dataFolder, template } = options;
  if (existsSync(join(dataFolder, 'PG_VERSION'))) return refuseOtherMajor(options);
  const parent = dirname(dataFolder);
  mkdirSync(parent, { recursive: true });
  for (const name of readdirSync(parent).filter((entry) => entry.startsWith(DRAFT)))
    rmSync(join(parent, name), { recursive: true, force: true, maxRetries: 10 });
  if (user) chmodSync(parent, 0o711); // PostgreSQL must be able to enter the folder, even with a strict umask
  // `cp -p` keeps the owner only for root, and only root runs PostgreSQL as another user.
  const draft = join(parent, DRAFT + randomUUID());
  if (template === undefined) await initialise({ ...options, dataFolder: draft }, user);
  else await run('cp', ['-Rp', template, draft]);
  renameSync(draft, dataFolder);
}

async function initialise(
  { dataFolder, binaries, password, durable }: DataFolderOptions,
  user: SystemUser | undefined,
): Promise<void> {
  mkdirSync(dataFolder, { mode: 0o700 });
  const passwordFile = join(dirname(dataFolder), '.postgres-password');
  writeFileSync(passwordFile, durable ? password : quickPassword(password), { mode: 0o600 });
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
    const output = (cause as { stderr?: string }).stderr?.trim() || String(cause);
    throw new LocalSystemError('service.not_ready', `initdb failed in ${dataFolder}:\n${output}`, undefined, {
      cause,
    });
  } finally {
    rmSync(passwordFile, { force: true });
  }
}

function refuseOtherMajor({ dataFolder, binaries }: DataFolderOptions): void {
  const made = Number(readFileSync(join(dataFolder, 'PG_VERSION'), 'utf8'));
  if (made === binaries.majorVersion) return;
  throw new LocalSystemError(
    'configuration.invalid',
    `${dataFolder} was created by PostgreSQL ${made}, but this machine has ${binaries.majorVersion} (${binaries.binFolder})`,
    `install PostgreSQL ${made}, or use another folder`,
  );
}
