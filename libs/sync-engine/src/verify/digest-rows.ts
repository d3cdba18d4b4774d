import { quoteIdentifier, quoteTable, type Client } from '@understudy/postgres';
import type { TableName } from '@understudy/sync-job';

/** A table or a query on one side, and the values to compute from its rows. */
export interface DigestedRows {
  /** The FROM item: a table, or a query in parentheses. */
  readonly from: string;
  /** The SQL expression of a row's digest over its preserved columns; undefined if there are none. */
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

/** Computes all values in one query, for which the server may use parallel workers. */
export async function digestRows(client: Client, of: DigestedRows): Promise<RowDigest> {
  const { rows: count, digest, filled } = digestColumns(of);
  const sum = digest === undefined ? `''` : `coalesce(${digest}, 0)::pg_catalog.text`;
  const { rows } = await client.query<DigestRow>(
    `SELECT ${count}::float8 AS rows, ${sum} AS digest, (${filled})::float8 AS filled FROM ${of.from}`,
  );
  return rowDigestOf(rows[0]);
}

/** Returns the aggregates whose sums over all groups of rows are a {@link DigestRow}. All parts are SQL. */
export function digestColumns({ digest, nulled }: Pick<DigestedRows, 'digest' | 'nulled'>): {
  readonly rows: string;
  readonly digest: string | undefined;
  readonly filled: string;
} {
  return {
    rows: 'pg_catalog.count(*)',
    digest: digest === undefined ? undefined : `pg_catalog.sum(${digest})`,
    filled: nulled.map((column) => `pg_catalog.count(${quoteIdentifier(column)})`).join(' + ') || '0',
  };
}

/** A row of the server's answer. */
export interface DigestRow {
  readonly rows: number;
  readonly digest: string;
  /** The number of values in the columns that must be NULL. */
  readonly filled: number;
}

export function rowDigestOf(row: DigestRow | undefined): RowDigest {
  return { rows: row?.rows ?? 0, digest: row?.digest ?? '', isNulled: row?.filled === 0 };
}
