import type { Client, QueryResultRow } from 'pg';

/**
 * Reads rows whose columns have the names of the fields of `Row`. A column that is NULL is left out, so declare its field
 * as optional or as possibly undefined.
 */
export async function readRows<Row extends QueryResultRow>(
  client: Client,
  sql: string,
  parameters: readonly unknown[] = [],
): Promise<readonly Row[]> {
  const { rows } = await client.query<Row>(sql, [...parameters]);
  return rows.map(withoutNulls);
}

/** Returns a row, or an object of JSON in a row, without the fields that are null. */
export function withoutNulls<Row extends object>(row: Row): Row {
  return Object.fromEntries(Object.entries(row).filter(([, value]) => value !== null)) as Row;
}

/** Reads rows like {@link readRows}, and groups them by the column `table`, which is left out. */
export async function readRowsByTable<Row extends object>(
  client: Client,
  sql: string,
  parameters: readonly unknown[],
): Promise<ReadonlyMap<string, readonly Row[]>> {
  const tables = new Map<string, Row[]>();
  for (const { table, ...row } of await readRows<{ table: string }>(client, sql, parameters)) {
    const known = tables.get(table);
    if (known === undefined) tables.set(table, [row as Row]);
    else known.push(row as Row);
  }
  return tables;
}
