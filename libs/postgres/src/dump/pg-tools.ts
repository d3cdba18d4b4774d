import { execFile } from 'node:child_process';
import { accessSync, constants, readdirSync, realpathSync } from 'node:fs';
import { basename, delimiter, join } from 'node:path';
import { promisify } from 'node:util';
import { DatabaseError } from '../errors/database-error.js';

const run = promisify(execFile);
const DEBIAN_VERSIONS = '/usr/lib/postgresql';

/** Where pg_dump and pg_restore are. */
export interface PgTools {
  readonly dump: string;
  readonly restore: string;
}

/** @param searchPath PATH of the agent's environment */
export interface PgToolPlaces {
  readonly pgBinDir?: string | undefined;
  readonly searchPath?: string | undefined;
}

/**
 * Finds a pg_dump that can read a server of this major version: one of an older version refuses a newer server.
 * @throws DatabaseError pg_dump_missing or pg_dump_too_old
 */
export async function findPgTools(places: PgToolPlaces, serverMajor: number): Promise<PgTools> {
  let found = false;
  for (const folder of candidates(places)) {
    const tools = { dump: join(folder, 'pg_dump'), restore: join(folder, 'pg_restore') };
    if (!isExecutable(tools.dump) || !isExecutable(tools.restore)) continue;
    const major = await majorVersionOf(tools.dump);
    if (major === undefined) continue;
    found = true;
    if (major >= serverMajor) return tools;
  }
  throw new DatabaseError(found ? 'pg_dump_too_old' : 'pg_dump_missing', 'source');
}

/** What the customer names goes alone; otherwise PATH, then Debian's folders, newest first. */
function candidates({ pgBinDir, searchPath }: PgToolPlaces): readonly string[] {
  if (pgBinDir !== undefined) return [pgBinDir];
  const onPath = (searchPath ?? '/usr/local/bin:/usr/bin').split(delimiter).filter(Boolean);
  return [...onPath.filter((folder) => !isWrapped(folder)), ...debianFolders()];
}

/** Debian's wrapper finds the newest of its folders too, but takes longer for it than a small dump does. */
function isWrapped(folder: string): boolean {
  try {
    return basename(realpathSync(join(folder, 'pg_dump'))) === 'pg_wrapper';
  } catch {
    return false; // there is none
  }
}

function debianFolders(): string[] {
  try {
    return readdirSync(DEBIAN_VERSIONS)
      .sort((a, b) => Number(b) - Number(a))
      .map((version) => join(DEBIAN_VERSIONS, version, 'bin'));
  } catch {
    return []; // not Debian
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

async function majorVersionOf(pgDump: string): Promise<number | undefined> {
  try {
    const { stdout } = await run(pgDump, ['--version']);
    const major = /\(PostgreSQL\) (\d+)/.exec(stdout)?.[1];
    return major === undefined ? undefined : Number(major);
  } catch {
    return undefined; // does not run here: as good as missing
  }
}
