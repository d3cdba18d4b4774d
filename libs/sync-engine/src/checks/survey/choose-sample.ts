import { type Client, quoteTable } from '@understudy/postgres';
import type { ListedTable } from './surveyed-table.js';

export interface SampleSize {
  readonly table: Pick<ListedTable, 'oid' | 'name'>;
  /** A table of at most this size is read completely. Of a larger table, about this many bytes are read. */
  readonly bytes: number;
  /** The number of pages to read at least, which is also a minimum for the number of rows if no page is empty. */
  readonly pages: number;
}

export interface ChosenSample {
  /** The `FROM` item with the rows of the sample. */
  readonly from: string;
  /** The share of the table that the sample has, from all parts of the table; 1 for all rows. */
  readonly share: number;
  /** The number of rows in the sample. */
  readonly total: number;
}

/** The size of a table with its children and partitions. The catalogs have no size of a table that was never analysed. */
const TABLE_SIZE = `
  WITH RECURSIVE tree AS (
    SELECT $1::oid AS oid
    UNION
    SELECT i.inhrelid FROM tree t JOIN pg_catalog.pg_inherits i ON i.inhparent = t.oid
  )
  SELECT coalesce(sum(pg_catalog.pg_table_size(oid)), 0)::float8 AS bytes,
         (coalesce(sum(pg_catalog.pg_relation_size(oid)), 0) / pg_catalog.current_setting('block_size')::int8)::float8 AS pages
    FROM tree
`;

/** How much the sample grows if its pages have too few rows. */
const GROWTH = 10;

/**
 * Chooses all rows of a table, or of a large table the pages that TABLESAMPLE selects from all of its parts. Must run in
 * a transaction.
 */
export async function chooseSample(
  client: Client,
  { table, bytes: mostBytes, pages: leastPages }: SampleSize,
): Promise<ChosenSample> {
  const sizes = await client.query<{ bytes: number; pages: number }>(TABLE_SIZE, [table.oid]);
  const { bytes, pages } = sizes.rows[0] ?? { bytes: 0, pages: 0 };
  let share =
    bytes <= mostBytes ? 1 : Math.min(1, Math.max(mostBytes / bytes, leastPages / Math.max(1, pages)));
  for (;;) {
    const all = quoteTable(table.name);
    const from = share === 1 ? all : `${all} TABLESAMPLE SYSTEM (${share * 100}) REPEATABLE (1)`;
    const { rows } = await client.query<{ total: number }>(
      `SELECT pg_catalog.count(*)::float8 AS total FROM ${from}`,
    );
    const total = rows[0]?.total ?? 0;
    // Most pages of a table can be empty.
    if (share === 1 || total >= leastPages / 4) return { from, share, total };
    share = Math.min(1, share * GROWTH);
  }
}
