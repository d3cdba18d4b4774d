import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { connect, parseConnectionUrl } from '@understudy/postgres';

const run = promisify(execFile);

/**
 * Dumps a database with plain pg_dump, including rows, owners, privileges and the database's own properties.
 * If the dumps of two databases are equal, the databases are equal. Removes the record of restores before.
 */
export async function plainDump(binFolder: string, url: string): Promise<string> {
  const client = await connect(parseConnectionUrl(url), 'target');
  await client.query(`
    BEGIN READ WRITE;
    DO $$ BEGIN EXECUTE format('ALTER ROLE CURRENT_USER IN DATABASE %I RESET application_name', current_database()); END $$;
    COMMIT`);
  await client.end();
  const { stdout } = await run(join(binFolder, 'pg_dump'), ['--create', `--dbname=${url}`], {
    maxBuffer: 1 << 28,
  });
  const name = new URL(url).pathname.slice(1);
  return sortRows(stdout.replaceAll(name, 'DATABASE').replace(/^\\(un)?restrict .*$/gm, ''));
}

/** Sorts the rows of each table, because tables have no order. */
function sortRows(dump: string): string {
  return dump.replace(/(FROM stdin;\n)([\s\S]*?)(\n\\\.\n)/g, (_, head: string, rows: string, tail: string) =>
    [head, rows.split('\n').sort().join('\n'), tail].join(''),
  );
}

/** Returns the sorted rows of each table in a dump of {@link plainDump}, by its COPY statement. */
export function dumpedRows(dump: string): Readonly<Record<string, string>> {
  return Object.fromEntries(
    [...dump.matchAll(/^(COPY .*) FROM stdin;\n([\s\S]*?)^\\\.\n/gm)].map(([, copy = '', rows = '']) => [
      copy,
      rows,
    ]),
  );
}
