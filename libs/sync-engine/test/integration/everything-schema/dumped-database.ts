import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { TestDatabase } from '@understudy/testing';

const run = promisify(execFile);

/** An entry of a dump: the definition of one object, or the rows of one table. */
export interface DumpEntry {
  /** The name as pg_dump writes it, without newlines. */
  readonly name: string;
  /** The type as pg_dump writes it: `TABLE`, `INDEX`, `TABLE DATA`, … */
  readonly type: string;
  readonly schema: string;
  readonly sql: string;
}

/** Dumps a whole database with pg_dump, without owners and privileges, and splits the dump into entries. */
export async function dumpDatabase(
  binFolder: string,
  database: TestDatabase,
  part: 'schema-only' | 'data-only',
): Promise<readonly DumpEntry[]> {
  const { stdout } = await run(
    join(binFolder, 'pg_dump'),
    [`--${part}`, '--no-owner', '--no-privileges', `--dbname=${database.url}`],
    { maxBuffer: 1 << 28 },
  );
  return stdout.split(HEADING).slice(1).map(toEntry);
}

/**
 * Returns the rows of a `TABLE DATA` entry in COPY's text format. Sorts them, because the rows of a table have no
 * order.
 */
export function sortedRows({ sql }: DumpEntry): readonly string[] {
  const begin = sql.indexOf('FROM stdin;\n');
  return sql
    .slice(begin + 'FROM stdin;\n'.length, sql.lastIndexOf('\\.\n'))
    .split('\n')
    .sort();
}

const HEADING = /^--\n-- (?:Data for )?(?=Name: .*; Type: .*; Schema: .*; Owner: )/m;

function toEntry(text: string): DumpEntry {
  const [, name = '', type = '', schema = ''] =
    /^Name: (.*); Type: (.*); Schema: (.*); Owner: .*\n--\n/.exec(text) ?? [];
  const sql = text.slice(text.indexOf('\n--\n') + 4);
  // Removes comments and the settings between two entries, which belong to no entry.
  return { name, type, schema, sql: sql.replace(/^(SET default_\w+ = .*;|--.*|\\unrestrict .*|)$\n?/gm, '') };
}
