import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

/**
 * A database as plain pg_dump writes it, rows, owners, privileges and what belongs to the database itself included: two that give the same text are the
 * same.
 */
export async function plainDump(binFolder: string, url: string): Promise<string> {
  const { stdout } = await run(join(binFolder, 'pg_dump'), ['--create', `--dbname=${url}`], {
    maxBuffer: 1 << 28,
  });
  const name = new URL(url).pathname.slice(1);
  return sortRows(stdout.replaceAll(name, 'DATABASE').replace(/^\\(un)?restrict .*$/gm, ''));
}

/** A table has no order of rows. */
function sortRows(dump: string): string {
  return dump.replace(/(FROM stdin;\n)([\s\S]*?)(\n\\\.\n)/g, (_, head: string, rows: string, tail: string) =>
    [head, rows.split('\n').sort().join('\n'), tail].join(''),
  );
}
