import { partitionTree } from '@understudy/postgres';
import { type TableDescription, quoteTable, releasingLocks, type Client } from '@understudy/postgres';
import type { TableSize } from './table-counts.js';

const COUNTED = 10_000;

/**
 * Measures a table before it is copied. If it has more than 10,000 rows, their number is the planner's
 * estimate. The bytes include the TOAST table.
 */
export async function measureTable(client: Client, table: TableDescription): Promise<TableSize> {
  const from = `${table.isPartitioned ? '' : 'ONLY '}${quoteTable(table.name)}`;
  const { rows } = await releasingLocks(client, () =>
    client.query<{ rows: number; bytes: number }>(
      `SELECT (SELECT count(*)::int4 FROM (SELECT FROM ${from} LIMIT ${COUNTED + 1}) AS first) AS rows,
            (${TABLE_BYTES}) AS bytes`,
      [table.oid],
    ),
  );
  const { rows: counted = 0, bytes = 0 } = rows[0] ?? {};
  return { rows: counted <= COUNTED ? counted : Math.max(counted, table.estimatedRows), bytes };
}

/**
 * Computes the size of a table in bytes, with all its partitions but without free space maps and visibility
 * maps. $1: the table's oid.
 */
const TABLE_BYTES = `
  SELECT coalesce(sum(pg_catalog.pg_relation_size(c.oid) + coalesce(pg_catalog.pg_relation_size(nullif(c.reltoastrelid, 0)), 0)), 0)::float8
    FROM pg_catalog.pg_class c
   WHERE c.oid = $1::oid OR c.oid IN (SELECT t.relid FROM ${partitionTree('$1::oid')} t WHERE t.isleaf)
`;
