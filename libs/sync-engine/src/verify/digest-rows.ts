import { quoteIdentifier, quoteTable, type Client } from '@understudy/postgres';
import type { TableName } from '@understudy/sync-job';

/** A table or a query on one side, and the values to compute from its rows. */
export interface DigestTask {
  readonly tableIndex: number;
  /** The FROM item: a table, or a query in parentheses. */
  readonly from: string;
  /** The SQL expression of a row's digest; undefined if no digest is needed. */
  readonly digest: string | undefined;
  /** The columns that must be NULL in every row. */
  readonly nulled: readonly string[];
}

export interface RowDigest {
  readonly rows: number;
  /** The sum of the digests of all rows, which does not depend on their order; empty if no digest was computed. */
  readonly digest: string;
  readonly isNulled: boolean;
}

/** Returns the FROM item of a table. It includes rows of partitions, but not of child tables by inheritance. */
export function rowsOf(name: TableName, isPartitioned: boolean): string {
  return `${isPartitioned ? '' : 'ONLY '}${quoteTable(name)}`;
}

/** Computes all values of a task in one query, for which the server may use parallel workers. */
export async function digestRows(client: Client, { from, digest, nulled }: DigestTask): Promise<RowDigest> {
  const sum = digest === undefined ? `''` : `coalesce(pg_catalog.sum(${digest}), 0)::pg_catalog.text`;
  const filled = nulled.map((column) => `pg_catalog.count(${quoteIdentifier(column)})`).join(' + ');
  const { rows } = await client.query<{ rows: number; digest: string; filled: number }>(
    `SELECT pg_catalog.count(*)::float8 AS rows, ${sum} AS digest, (${filled || '0'})::float8 AS filled FROM ${from}`,
  );
  const [row] = rows;
  return { rows: row?.rows ?? 0, digest: row?.digest ?? '', isNulled: row?.filled === 0 };
}
