import { execFileSync } from 'node:child_process';
import { accessSync, constants, readdirSync } from 'node:fs';
import { delimiter, join, resolve } from 'node:path';
import { StackError } from '../stack-error.js';
import {
  binaryEnvironment,
  type PostgresBinaries,
  type ServerBinary,
  type ServiceBinaries,
} from './service-binaries.js';
import { unpackedPackages } from './unpacked-packages.js';

interface Place {
  readonly folder: string;
  readonly libraryPath?: string;
}

const POSTGRES_PROGRAMS = ['postgres', 'initdb', 'psql', 'pg_dump', 'pg_restore'];
const OLDEST_POSTGRES = 14;
/** A folder whose PostgreSQL is used instead of what would be found: how a version is chosen. */
const NAMED_POSTGRES = 'UNDERSTUDY_STACK_PG_BIN_DIR';
const OLDEST_REDIS = 6;
/** An ordinary user's PATH on Debian leaves the sbin folders out, and nats-server lives there. */
const SYSTEM_FOLDERS = [
  ...['/usr/local/sbin', '/usr/sbin', '/sbin'],
  ...['/usr/local/bin', '/usr/bin', '/opt/homebrew/bin'],
];

/** @returns what is here and new enough: PATH first, then the usual folders, then packages we unpacked earlier */
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
  const places: Place[] = [
    ...systemFolders(),
    ...(ignoresSystem() ? [] : [...postgresFolders('/'), ...brewFolders()]),
    ...postgresFolders(unpacked.folder).map(({ folder }) => ({ folder, libraryPath: unpacked.libraryPath })),
  ];
  for (const place of places) {
    const found = postgresIn(place);
    if (found !== undefined) return found;
  }
  return undefined;
}

function postgresIn({ folder, libraryPath }: Place): PostgresBinaries | undefined {
  if (!POSTGRES_PROGRAMS.every((program) => isExecutable(join(folder, program)))) return undefined;
  const version = versionOf(join(folder, 'postgres'), /\(PostgreSQL\) (\d+)/, libraryPath);
  if (version === undefined || Number(version) < OLDEST_POSTGRES) return undefined;
  return { binFolder: folder, majorVersion: Number(version), ...(libraryPath && { libraryPath }) };
}

/**
 * @param variable of the environment: names a folder, of which nothing but its own programs is taken
 * @returns undefined where it is not set
 * @throws StackError when not all of them are there: whoever names a version must not be given another one
 */
export function postgresNamedBy(variable: string): PostgresBinaries | undefined {
  const folder = process.env[variable] ?? '';
  if (folder === '') return undefined;
  const found = postgresIn({ folder: resolve(folder) });
  if (found !== undefined) return found;
  throw new StackError(
    'configuration.invalid',
    `${variable} names no folder with ${POSTGRES_PROGRAMS.join(', ')} of PostgreSQL ${OLDEST_POSTGRES} or newer that run here`,
    'all of them have to be in that one folder; links to them will do, and the clients may be newer than the server',
  );
}

/** @returns pgcopydb, the peer of a benchmark, of whatever version */
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
  for (const { folder, libraryPath } of [...systemFolders(), ...unpacked] as Place[]) {
    const path = join(folder, program);
    if (!isExecutable(path)) continue;
    const version = versionOf(path, pattern, libraryPath);
    const [major = 0, minor = 0] = (version ?? '').split('.').map(Number);
    if (version !== undefined && isNewEnough(major, minor))
      return { path, version, ...(libraryPath && { libraryPath }) };
  }
  return undefined;
}

function systemFolders(): Place[] {
  if (ignoresSystem()) return [];
  const path = (process.env['PATH'] ?? '').split(delimiter).filter((folder) => folder !== '');
  return [...new Set([...path, ...SYSTEM_FOLDERS])].map((folder) => ({ folder }));
}

/** Debian keeps each major version in a folder of its own; the newest comes first. */
function postgresFolders(root: string): Place[] {
  const parent = join(root, 'usr/lib/postgresql');
  return names(parent)
    .filter((name) => /^\d+$/.test(name))
    .sort((a, b) => Number(b) - Number(a))
    .map((version) => ({ folder: join(parent, version, 'bin') }));
}

function brewFolders(): Place[] {
  return ['/opt/homebrew/opt', '/usr/local/opt'].flatMap((parent) =>
    names(parent)
      .filter((name) => /^postgresql(@\d+)?$/.test(name))
      .map((name) => ({ folder: join(parent, name, 'bin') })),
  );
}

/** For a machine whose installed services must not be used, and for trying the download where they exist. */
function ignoresSystem(): boolean {
  return process.env['UNDERSTUDY_STACK_IGNORE_SYSTEM'] === '1';
}

function names(folder: string): string[] {
  try {
    return readdirSync(folder).sort();
  } catch {
    return []; // the folder is not there
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
    return undefined; // a program that cannot run (a library is missing) is as good as none
  }
}
