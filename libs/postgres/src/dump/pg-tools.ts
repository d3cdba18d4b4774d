import { execFile } from 'node:child_process';
import { accessSync, constants, readdirSync, realpathSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, delimiter, join } from 'node:path';
import { promisify } from 'node:util';
import { DatabaseError } from '../errors/database-error.js';

const run = promisify(execFile);
const DEBIAN_VERSIONS = '/usr/lib/postgresql';

/** The paths of pg_dump and pg_restore, and of an existing folder for their files. */
export interface PgTools {
  readonly dump: string;
  readonly restore: string;
  readonly temporaryFolder: string;
}

/** The folders to search for pg_dump and pg_restore, and the folder for the files that they write. */
export interface PgToolLocations {
  /** The folder that the user configured. If present, no other folder is searched. */
  readonly pgBinDir?: string | undefined;
  /** The PATH of the process. */
  readonly searchPath?: string | undefined;
  /** An existing folder for definitions of tables. If undefined, the system's temporary folder is used. */
  readonly temporaryFolder?: string | undefined;
}

/**
 * Finds a pg_dump for a server of this major version. pg_dump must not be older than the server.
 * @throws DatabaseError with the code `pg_dump_missing` or `pg_dump_too_old`
 */
export async function findPgTools(locations: PgToolLocations, serverMajor: number): Promise<PgTools> {
  const { temporaryFolder = tmpdir() } = locations;
  let newest: { readonly program: string; readonly major: number } | undefined;
  for (const folder of candidates(locations)) {
    const tools = { dump: join(folder, 'pg_dump'), restore: join(folder, 'pg_restore') };
    if (!isExecutable(tools.dump) || !isExecutable(tools.restore)) continue;
    const major = await majorVersionOf(tools.dump, serverMajor);
    if (major === undefined) continue;
    if (major >= serverMajor) return { ...tools, temporaryFolder };
    if (newest === undefined || major > newest.major) newest = { program: tools.dump, major };
  }
  if (newest === undefined) throw new DatabaseError('pg_dump_missing', 'source');
  const found = `found ${newest.program} of version ${newest.major}`;
  const cause = new Error(`expected pg_dump ${serverMajor} or newer, ${found}`);
  throw new DatabaseError('pg_dump_too_old', 'source', { cause });
}

/**
 * Returns the configured folder. Without one, returns the folders of PATH and then the folders of Debian's
 * packages, newest version of PostgreSQL first.
 */
function candidates({ pgBinDir, searchPath }: PgToolLocations): readonly string[] {
  if (pgBinDir !== undefined) return [pgBinDir];
  const onPath = (searchPath ?? '/usr/local/bin:/usr/bin').split(delimiter).filter(Boolean);
  return [...onPath.filter((folder) => !isWrapped(folder)), ...debianFolders()];
}

/**
 * Tests whether the folder's pg_dump is Debian's wrapper script. The wrapper is not used, because starting it takes
 * longer than a small dump.
 */
function isWrapped(folder: string): boolean {
  try {
    return basename(realpathSync(join(folder, 'pg_dump'))) === 'pg_wrapper';
  } catch {
    return false; // The folder has no pg_dump.
  }
}

function debianFolders(): string[] {
  try {
    return readdirSync(DEBIAN_VERSIONS)
      .sort((a, b) => Number(b) - Number(a))
      .map((version) => join(DEBIAN_VERSIONS, version, 'bin'));
  } catch {
    return []; // The system is not Debian.
  }
}

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/**
 * The versions of the programs that this process has asked, by file. A package upgrade replaces the file, which
 * changes its inode and its time of change.
 */
const knownVersions = new Map<string, number>();

/**
 * Returns the major version of pg_dump, or undefined if the program does not run. A known version older than
 * `wanted` is asked for again, because the file can be a script that starts another program.
 */
async function majorVersionOf(pgDump: string, wanted: number): Promise<number | undefined> {
  try {
    const { dev, ino, ctimeNs } = statSync(pgDump, { bigint: true });
    const file = `${dev} ${ino} ${ctimeNs}`;
    const known = knownVersions.get(file);
    if (known !== undefined && known >= wanted) return known;
    const { stdout } = await run(pgDump, ['--version']);
    const major = /\(PostgreSQL\) (\d+)/.exec(stdout)?.[1];
    if (major === undefined) return undefined;
    knownVersions.set(file, Number(major));
    return Number(major);
  } catch {
    return undefined; // A program that does not run counts as missing.
  }
}
