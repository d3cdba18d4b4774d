import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { TestDatabase } from '@understudy/testing';

const run = promisify(execFile);

/** What pg_dump says of one object: its definition, or a table's rows. */
export interface DumpEntry {
  /** As pg_dump writes it: names without newlines. */
  readonly name: string;
  /** `TABLE`, `INDEX`, `TABLE DATA`, … */
  readonly type: string;
  readonly schema: string;
  readonly sql: string;
}

/** `pg_dump` of a whole database, without owners and privileges, entry by entry. */
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

/** The rows of a `TABLE DATA` entry, in COPY's text form, sorted: a table has no order. */
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
  // Other schemas' settings and the end of the dump stand between entries and belong to none.
  return { name, type, schema, sql: sql.replace(/^(SET default_\w+ = .*;|--.*|\\unrestrict .*|)$\n?/gm, '') };
}
