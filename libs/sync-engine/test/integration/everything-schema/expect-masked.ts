import type { TestDatabase } from '@understudy/testing';
import type { Rules } from '../sync-harness.js';
import { MASKED } from './masks.js';

/**
 * Expects that columns with rules contain masked values, or NULL if the source contains NULL. Expects that all other
 * columns are unchanged.
 */
export async function expectMasked(
  source: TestDatabase,
  target: TestDatabase,
  tables: readonly string[],
  masks: Readonly<Record<string, Rules>>,
): Promise<void> {
  for (const table of tables) {
    const rules = masks[table] ?? {};
    const columns = await columnsOf(source, table);
    const kept = columns.filter((name) => rules[name] === undefined);
    const seen = await Promise.all([source, target].map((database) => rowsOf(database, table, kept)));
    expect([table, seen[1]]).toEqual([table, seen[0]]);
    for (const name of Object.keys(rules)) {
      const nulls = await Promise.all([source, target].map((database) => nullsOf(database, table, name)));
      expect([table, name, nulls[1]]).toEqual([table, name, nulls[0]]);
      if (!('json' in (rules[name] as object))) {
        expect([table, name, await unmaskedIn(target, table, name)]).toEqual([table, name, 0]);
      }
    }
  }
}

/** Lists the columns of a table. Omits generated columns, because their values may depend on masked columns. */
async function columnsOf(database: TestDatabase, table: string): Promise<readonly string[]> {
  const { rows } = await database.query(
    "SELECT attname AS name FROM pg_attribute WHERE attrelid = $1::regclass AND attnum > 0 AND NOT attisdropped AND attgenerated = ''",
    [table],
  );
  return rows.map(({ name }) => String(name));
}

async function rowsOf(database: TestDatabase, table: string, columns: readonly string[]): Promise<unknown> {
  const list = columns.map(quote).join(', ');
  const { rows } = await database.query(
    `SELECT ROW(${list})::text AS row FROM ${await ownRows(database, table)} ORDER BY 1`,
  );
  return rows.map(({ row }) => row);
}

async function nullsOf(database: TestDatabase, table: string, column: string): Promise<unknown> {
  const { rows } = await database.query(`SELECT count(*) FROM ${table} WHERE ${quote(column)} IS NULL`);
  return rows;
}

async function unmaskedIn(database: TestDatabase, table: string, column: string): Promise<unknown> {
  const { rows } = await database.query(
    `SELECT count(*)::int AS rows FROM ${await ownRows(database, table)} WHERE ${quote(column)}::text NOT LIKE '%${MASKED}%'`,
  );
  return rows[0]?.['rows'];
}

/** Returns the FROM item of a table. It includes rows of partitions, but not of child tables by inheritance. */
async function ownRows(database: TestDatabase, table: string): Promise<string> {
  const { rows } = await database.query('SELECT relkind FROM pg_class WHERE oid = $1::regclass', [table]);
  return rows[0]?.['relkind'] === 'p' ? table : `ONLY ${table}`;
}

function quote(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}
