import { quoteIdentifier, quoteTable, type Client } from '@understudy/postgres';
import type { TableName } from '@understudy/sync-job';

/** One side of a table, and what is to be known of its rows. */
export interface DigestTask {
  readonly tableIndex: number;
  /** A table, or a query in brackets, as it stands after FROM. */
  readonly from: string;
  /** Undefined: rows are counted alone. */
  readonly digest: string | undefined;
  /** Columns that should be NULL in every row. */
  readonly nulled: readonly string[];
}

export interface RowDigest {
  readonly rows: number;
  /** The sum of all rows' digests: the same in any order. */
  readonly digest: string;
  readonly isNulled: boolean;
}

/** As it stands after FROM: rows of inheriting tables are not the table's own, those of partitions are. */
export function rowsOf(name: TableName, isPartitioned: boolean): string {
  return `${isPartitioned ? '' : 'ONLY '}${quoteTable(name)}`;
}

/** Reads the table once; the server may put more of its processes to it. */
export async function digestRows(client: Client, { from, digest, nulled }: DigestTask): Promise<RowDigest> {
  const sum = digest === undefined ? `''` : `coalesce(pg_catalog.sum(${digest}), 0)::pg_catalog.text`;
  const filled = nulled.map((column) => `pg_catalog.count(${quoteIdentifier(column)})`).join(' + ');
  const { rows } = await client.query<{ rows: number; digest: string; filled: number }>(
    `SELECT pg_catalog.count(*)::float8 AS rows, ${sum} AS digest, (${filled || '0'})::float8 AS filled FROM ${from}`,
  );
  const [row] = rows;
  return { rows: row?.rows ?? 0, digest: row?.digest ?? '', isNulled: row?.filled === 0 };
}
