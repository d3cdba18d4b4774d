import type { Client, TableDescription } from '@understudy/postgres';
import type { SyncProblem } from '@understudy/sync-job';
import { columnLocation } from './compare-columns.js';

export interface ListedPartition {
  readonly index: number;
  readonly source: Pick<TableDescription, 'columns' | 'partitionOf'>;
  readonly columnIndex: ReadonlyMap<string, number>;
  /** Whether the policy protects the column. */
  readonly isProtected: (column: TableDescription['columns'][number]) => boolean;
}

/**
 * Returns a problem for each protected column in the partition key of a table above a listed partition. The bounds of
 * the partition select rows by their originals, so the copied rows would show these.
 */
export async function protectedBounds(
  source: Client,
  { index, source: { columns, partitionOf }, columnIndex, isProtected }: ListedPartition,
): Promise<readonly SyncProblem[]> {
  const candidates = partitionOf.length === 0 ? [] : columns.filter(isProtected);
  if (candidates.length === 0) return [];
  const { rows } = await source.query<{ name: string }>(PARTITION_KEY_COLUMNS, [partitionOf]);
  const keys = new Set(rows.map(({ name }) => name));
  return candidates
    .filter(({ name }) => keys.has(name))
    .map(({ name }) => ({ code: 'policy_denied', tableIndex: index, ...columnLocation(columnIndex, name) }));
}

/** The table depends on the columns of its partition key, also on those in expressions. $1: oids of partitioned tables. */
const PARTITION_KEY_COLUMNS = `
  SELECT DISTINCT a.attname AS name
    FROM pg_catalog.pg_depend d
    JOIN pg_catalog.pg_attribute a ON a.attrelid = d.objid AND a.attnum = d.objsubid
   WHERE d.classid = 'pg_catalog.pg_class'::pg_catalog.regclass AND d.objid = ANY ($1::oid[]) AND d.objsubid > 0
     AND d.refclassid = d.classid AND d.refobjid = d.objid AND d.refobjsubid = 0 AND d.deptype = 'i'
`;
