import { execFileSync } from 'node:child_process';
import { accessSync, constants, readdirSync } from 'node:fs';
import { delimiter, join, resolve } from 'node:path';
import { LocalSystemError } from '../local-system-error.js';
import {
  binaryEnvironment,
  type PostgresBinaries,
  type ServerBinary,
  type ServiceBinaries,
} from './service-binaries.js';
import { unpackedPackages } from './unpacked-packages.js';

interface ProgramFolder {
  readonly folder: string;
  readonly libraryPath?: string;
}

const POSTGRES_PROGRAMS = ['postgres', 'initdb', 'psql', 'pg_dump', 'pg_restore'];
const OLDEST_POSTGRES = 14;
/**
 * Environment variable that selects a version of PostgreSQL. It names a folder, and only the programs in this
 * folder are used.
 */
const NAMED_POSTGRES = 'UNDERSTUDY_STACK_PG_BIN_DIR';
const OLDEST_REDIS = 6;
/** On Debian, the PATH of an ordinary user lacks the sbin folders, and nats-server is in one of them. */
const SYSTEM_FOLDERS = [
  ...['/usr/local/sbin', '/usr/sbin', '/sbin'],
  ...['/usr/local/bin', '/usr/bin', '/opt/homebrew/bin'],
];

/**
 * @returns the programs on this machine that are new enough. The search begins in PATH, and continues in the
 *   usual folders and in packages that were unpacked before
 */
export function findBinaries(): Partial<ServiceBinaries> {
  const postgres = findPostgres();
  const redis = findServer('redis', 'redis-server', /v=(\d+\.\d+\.\d+)/, (major) => major >= OLDEST_REDIS);
  const nats = findServer(
    'nats',
    'nats-server',
    /v(\d+\.\d+\.\d+)/,
    (major, minor) => major > 2 || minor >= 9,
  );
  return { ...(postgres && { postgres }), ...(redis && { redis }), ...(nats && { nats }) };
}

function findPostgres(): PostgresBinaries | undefined {
  const named = postgresNamedBy(NAMED_POSTGRES);
  if (named !== undefined) return named;
  const unpacked = unpackedPackages('postgres');
  const folders: ProgramFolder[] = [
    ...systemFolders(),
    ...(ignoresSystem() ? [] : [...postgresFolders('/'), ...brewFolders()]),
    ...postgresFolders(unpacked.folder).map(({ folder }) => ({ folder, libraryPath: unpacked.libraryPath })),
  ];
  for (const candidate of folders) {
    const found = postgresIn(candidate);
    if (found !== undefined) return found;
  }
  return undefined;
}

function postgresIn({ folder, libraryPath }: ProgramFolder): PostgresBinaries | undefined {
  if (!POSTGRES_PROGRAMS.every((program) => isExecutable(join(folder, program)))) return undefined;
  const version = versionOf(join(folder, 'postgres'), /\(PostgreSQL\) (\d+)/, libraryPath);
  if (version === undefined || Number(version) < OLDEST_POSTGRES) return undefined;
  return { binFolder: folder, majorVersion: Number(version), ...(libraryPath && { libraryPath }) };
}

/**
 * Finds PostgreSQL in the folder that an environment variable names. Only programs of this folder are used.
 * @returns undefined if the variable is not set
 * @throws LocalSystemError if a program is missing: a caller that selects a version must not get another one
 */
export function postgresNamedBy(variable: string): PostgresBinaries | undefined {
  const folder = process.env[variable] ?? '';
  if (folder === '') return undefined;
  const found = postgresIn({ folder: resolve(folder) });
  if (found !== undefined) return found;
  throw new LocalSystemError(
    'configuration.invalid',
    `${variable} must name a folder with the programs ${POSTGRES_PROGRAMS.join(', ')} of PostgreSQL ${OLDEST_POSTGRES} or newer for this machine`,
    'put all of these programs, or links to them, into one folder; the clients may be newer than the server',
  );
}

/** @returns the path of an executable file with this name in `folder` or in PATH */
export function findProgram(name: string, folder: string): string | undefined {
  return [folder, ...pathFolders()].map((place) => join(place, name)).find(isExecutable);
}

/** @returns pgcopydb of any version, for a benchmark that compares it with sync jobs */
export function findPgcopydb(): ServerBinary | undefined {
  return findServer('pgcopydb', 'pgcopydb', /version (\d+\.\d+)/, () => true);
}

function findServer(
  service: 'redis' | 'nats' | 'pgcopydb',
  program: string,
  pattern: RegExp,
  isNewEnough: (major: number, minor: number) => boolean,
): ServerBinary | undefined {
  const { folder: root, libraryPath: libraries } = unpackedPackages(service);
  const unpacked = ['usr/sbin', 'usr/bin'].map((bin) => ({
    folder: join(root, bin),
    libraryPath: libraries,
  }));
  for (const { folder, libraryPath } of [...systemFolders(), ...unpacked] as ProgramFolder[]) {
    const path = join(folder, program);
    if (!isExecutable(path)) continue;
    const version = versionOf(path, pattern, libraryPath);
    const [major = 0, minor = 0] = (version ?? '').split('.').map(Number);
    if (version !== undefined && isNewEnough(major, minor))
      return { path, version, ...(libraryPath && { libraryPath }) };
  }
  return undefined;
}

function systemFolders(): ProgramFolder[] {
  if (ignoresSystem()) return [];
  return [...new Set([...pathFolders(), ...SYSTEM_FOLDERS])].map((folder) => ({ folder }));
}

function pathFolders(): string[] {
  return (process.env['PATH'] ?? '').split(delimiter).filter((folder) => folder !== '');
}

/** Lists the folders of PostgreSQL's major versions on Debian, newest first. */
function postgresFolders(root: string): ProgramFolder[] {
  const parent = join(root, 'usr/lib/postgresql');
  return names(parent)
    .filter((name) => /^\d+$/.test(name))
    .sort((a, b) => Number(b) - Number(a))
    .map((version) => ({ folder: join(parent, version, 'bin') }));
}

function brewFolders(): ProgramFolder[] {
  return ['/opt/homebrew/opt', '/usr/local/opt'].flatMap((parent) =>
    names(parent)
      .filter((name) => /^postgresql(@\d+)?$/.test(name))
      .map((name) => ({ folder: join(parent, name, 'bin') })),
  );
}

/**
 * Checks whether an environment variable requests that installed services are ignored. The variable allows
 * tests of the download on a machine that has the services.
 */
function ignoresSystem(): boolean {
  return process.env['UNDERSTUDY_STACK_IGNORE_SYSTEM'] === '1';
}

function names(folder: string): string[] {
  try {
    return readdirSync(folder).sort();
  } catch {
    return []; // the folder does not exist
  }
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

function versionOf(path: string, pattern: RegExp, libraryPath: string | undefined): string | undefined {
  try {
    const env = binaryEnvironment({ ...(libraryPath && { libraryPath }) });
    const options = { encoding: 'utf8', env, stdio: 'pipe', timeout: 10_000 } as const;
    return pattern.exec(execFileSync(path, ['--version'], options))?.[1];
  } catch {
    return undefined; // a program that cannot run, for example because a library is missing, counts as absent
  }
}
