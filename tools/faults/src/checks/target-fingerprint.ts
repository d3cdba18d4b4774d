import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { promisify } from 'node:util';

import { MARKS } from '../history/writer.js';

const run = promisify(execFile);
const MAX_DUMP_BYTES = 256 * 1024 * 1024;

/**
 * Computes a hash of the definitions, rows and sequences of a database. Their order has no effect on the
 * hash. The function ignores the table of the writer, and the schemas of jobs (`understudy_*`), whose removal `leftovers`
 * checks.
 * @param url URL of the database
 */
export async function targetFingerprint(url: string, binFolder: string): Promise<string> {
  const { stdout } = await run(
    join(binFolder, 'pg_dump'),
    ['--exclude-schema=understudy_*', `--exclude-table=${MARKS}`, `--dbname=${url}`],
    { maxBuffer: MAX_DUMP_BYTES },
  );
  // \restrict has a random word for psql, so it differs in each dump.
  const lines = stdout.split('\n').filter((line) => !/^\\(un)?restrict /.test(line));
  return createHash('sha256').update(lines.sort().join('\n')).digest('hex');
}
