import type { Client } from '../postgres/session.js';
import { quoteTable } from '../postgres/quote.js';
import type { TableDescription } from '../postgres/describe-table.js';

const COUNTED = 10_000;

/** Rows to expect: counted when they are few, else the planner's estimate. */
export async function expectedRows(client: Client, table: TableDescription): Promise<number> {
  const from = `${table.isPartitioned ? '' : 'ONLY '}${quoteTable(table.name)}`;
  const { rows } = await client.query<{ rows: number }>(
    `SELECT count(*)::int4 AS rows FROM (SELECT FROM ${from} LIMIT ${COUNTED + 1}) AS first`,
  );
  const counted = rows[0]?.rows ?? 0;
  return counted <= COUNTED ? counted : Math.max(counted, table.estimatedRows);
}
