import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);
const MAX_DUMP_BYTES = 256 * 1024 * 1024;

/**
 * Computes a hash of everything in a database: definitions, rows and sequences, in any order. Excludes the
 * objects that jobs keep for themselves; `leftovers` checks their removal.
 * @param url URL of the database
 */
export async function targetFingerprint(url: string, binFolder: string): Promise<string> {
  const { stdout } = await run(
    join(binFolder, 'pg_dump'),
    ['--exclude-schema=understudy_*', `--dbname=${url}`],
    { maxBuffer: MAX_DUMP_BYTES },
  );
  // \restrict has a random word for psql, so it differs in each dump.
  const lines = stdout.split('\n').filter((line) => !/^\\(un)?restrict /.test(line));
  return createHash('sha256').update(lines.sort().join('\n')).digest('hex');
}
