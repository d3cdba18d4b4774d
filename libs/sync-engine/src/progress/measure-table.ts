import { type TableDescription, quoteTable, type Client } from '@understudy/postgres';
import type { TableSize } from './table-counts.js';

const COUNTED = 10_000;

/** Rows to expect: counted when they are few, else the planner's estimate. Bytes: of the heap and its TOAST table. */
export async function measureTable(client: Client, table: TableDescription): Promise<TableSize> {
  const from = `${table.isPartitioned ? '' : 'ONLY '}${quoteTable(table.name)}`;
  const { rows } = await client.query<{ rows: number; bytes: number }>(
    `SELECT (SELECT count(*)::int4 FROM (SELECT FROM ${from} LIMIT ${COUNTED + 1}) AS first) AS rows,
            (${TABLE_BYTES}) AS bytes`,
    [table.oid],
  );
  const { rows: counted = 0, bytes = 0 } = rows[0] ?? {};
  return { rows: counted <= COUNTED ? counted : Math.max(counted, table.estimatedRows), bytes };
}

/** $1: a table's oid; of a partitioned one, all partitions together. Free space and visibility maps are left out. */
const TABLE_BYTES = `
  SELECT coalesce(sum(pg_catalog.pg_relation_size(c.oid) + coalesce(pg_catalog.pg_relation_size(nullif(c.reltoastrelid, 0)), 0)), 0)::float8
    FROM pg_catalog.pg_class c
   WHERE c.oid = $1::oid OR c.oid IN (SELECT t.relid FROM pg_catalog.pg_partition_tree($1::oid) t WHERE t.isleaf)
`;
