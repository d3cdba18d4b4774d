import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);
const MAX_DUMP_BYTES = 256 * 1024 * 1024;

/**
 * Hash of everything that stands in a database: definitions, rows, sequences, in no order. What a job keeps there for itself
 * is left out; another check covers that it is removed.
 * @param url of the database
 */
export async function targetFingerprint(url: string, binFolder: string): Promise<string> {
  const { stdout } = await run(
    join(binFolder, 'pg_dump'),
    ['--exclude-schema=understudy_*', `--dbname=${url}`],
    { maxBuffer: MAX_DUMP_BYTES },
  );
  // \restrict comes with a random word, for psql.
  const lines = stdout.split('\n').filter((line) => !/^\\(un)?restrict /.test(line));
  return createHash('sha256').update(lines.sort().join('\n')).digest('hex');
}
