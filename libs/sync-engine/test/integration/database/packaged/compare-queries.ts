import type { TestDatabase } from '@understudy/testing';
import { CANARY } from './fill-tables.js';

/**
 * Runs each view, materialized view and function on both databases, and compares the results.
 * @returns the number of them, and those whose results differ in more than masked values
 */
export async function compareQueries(
  source: TestDatabase,
  target: TestDatabase,
): Promise<{ readonly compared: number; readonly unequal: readonly string[] }> {
  const { rows } = await source.query(QUERIES);
  const unequal: string[] = [];
  for (const { query } of rows) {
    const [before, after] = [await resultOf(source, String(query)), await resultOf(target, String(query))];
    const isEqual =
      before.length === after.length &&
      before.every((column, i) => column === after[i] || column.includes(CANARY));
    if (!isEqual) unequal.push(String(query));
  }
  return { compared: rows.length, unequal };
}

/** Returns the sorted values of each column, after the number of rows. Returns the error if the query fails. */
async function resultOf(database: TestDatabase, query: string): Promise<readonly string[]> {
  try {
    // Functions are VOLATILE by default. One that writes fails on both databases.
    const results = await database.query(`SET TRANSACTION READ ONLY; ${query}`);
    const { rows } = (results as unknown as (typeof results)[]).at(-1) ?? { rows: [] };
    const names = Object.keys(rows[0] ?? {});
    const valuesOf = (name: string) => rows.map((row) => JSON.stringify(row[name])).sort();
    return [String(rows.length), ...names.map((name) => valuesOf(name).join())];
  } catch (error) {
    return [String(error)];
  }
}

/** Functions get the argument 1, or a text or NULL where this is impossible. */
const QUERIES = `
  SELECT format('SELECT * FROM %s', c.oid::regclass) AS query FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
   WHERE c.relkind IN ('v', 'm') AND n.nspname <> 'information_schema' AND n.nspname !~ '^pg_' AND c.oid >= 16384
  UNION ALL
  SELECT format('SELECT %s(%s) AS result', p.oid::regproc,
           (SELECT string_agg(CASE WHEN t.typcategory = 'N' THEN '1' WHEN t.typcategory = 'S' THEN '''1''' ELSE 'NULL' END || '::' || format_type(t.oid, NULL), ', ' ORDER BY a.i)
              FROM unnest(p.proargtypes) WITH ORDINALITY AS a (type, i) JOIN pg_type t ON t.oid = a.type))
    FROM pg_proc p JOIN pg_namespace n ON n.oid = p.pronamespace
   WHERE p.prokind = 'f' AND p.prorettype NOT IN ('trigger'::regtype, 'event_trigger'::regtype) AND p.oid >= 16384 AND n.nspname !~ '^pg_'
     AND NOT EXISTS (SELECT FROM pg_depend d WHERE d.classid = 'pg_proc'::regclass AND d.objid = p.oid AND d.deptype = 'e')
`;
