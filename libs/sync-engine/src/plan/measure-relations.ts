import { partitionTree } from '@understudy/postgres';
import type { Client } from '@understudy/postgres';
import type { TableName } from '@understudy/sync-job';
import type { TablePlan } from './table-plan.js';

/** A relation from which rows of a job's table are read, with its size. The ledger stores it as JSON. */
export interface MeasuredRelation {
  readonly tableIndex: number;
  readonly name: TableName;
  readonly oid: string;
  readonly reads: RelationKind;
  /** The oids of the leaf partitions, if these are read together as a `tree`. */
  readonly leaves?: readonly string[];
  /** The number of pages; 0 if the relation must be read as a whole. */
  readonly pages: number;
  /** The size in bytes, with the TOAST table. */
  readonly bytes: number;
}

/**
 * Finds and measures the relations that the plans' rows are read from: the tables themselves, and the leaf
 * partitions of partitioned tables. Call it after the snapshot is taken. The locks that the snapshot's
 * transaction holds keep the tables from shrinking, so no page of the snapshot is missed.
 * @param needsOrder returns true for tables that must be read as a whole, because the order of rows matters
 */
export async function measureRelations(
  client: Client,
  plans: readonly Pick<TablePlan, 'index' | 'name' | 'source'>[],
  needsOrder: (plan: Pick<TablePlan, 'index'>) => boolean = () => false,
): Promise<readonly MeasuredRelation[]> {
  const { rows } = await client.query<{
    root: string;
    oid: string;
    schema: string;
    name: string;
    kind: string;
    pages: number;
    bytes: number;
  }>(MEASURE, [plans.map(({ source }) => source.oid)]);
  return plans.flatMap((plan): MeasuredRelation[] => {
    const { index, name, source } = plan;
    const found = rows.filter(({ root }) => root === source.oid);
    if (found.length === 0 || (needsOrder(plan) && source.isPartitioned)) {
      const bytes = found.reduce((sum, relation) => sum + relation.bytes, 0);
      const reads = source.isPartitioned
        ? ({ reads: 'tree', leaves: found.map(({ oid }) => oid) } as const)
        : ({ reads: 'table' } as const);
      return [{ tableIndex: index, name, oid: source.oid, ...reads, pages: 0, bytes }];
    }
    return found.map(({ oid, schema, name: table, kind, pages, bytes }) => ({
      tableIndex: index,
      name: { schema, table },
      oid,
      reads: kind === 'f' ? 'foreign' : 'table',
      pages: needsOrder(plan) ? 0 : pages,
      bytes,
    }));
  });
}

/**
 * $1: oids of tables. Pages are counted only for heaps, because a ctid means something else in other access
 * methods. `pg_relation_size` waits for exclusive locks, so it must be called only for the tables of the job.
 */
const MEASURE = `
  WITH found AS MATERIALIZED (
    SELECT root.oid AS root, c.oid, n.nspname AS schema, c.relname AS name, c.relkind AS kind, am.amname, c.reltoastrelid
      FROM pg_catalog.pg_class root
     CROSS JOIN LATERAL (
             SELECT root.oid AS relid WHERE root.relkind <> 'p'
             UNION ALL
             SELECT t.relid FROM ${partitionTree('root.oid')} t WHERE t.isleaf AND root.relkind = 'p'
           ) leaf
      JOIN pg_catalog.pg_class c ON c.oid = leaf.relid
      JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace
      LEFT JOIN pg_catalog.pg_am am ON am.oid = c.relam
     WHERE root.oid = ANY ($1::oid[])
  )
  SELECT root::text, oid::text, schema, name, kind,
         CASE WHEN amname = 'heap' THEN size.heap / pg_catalog.current_setting('block_size')::int8 ELSE 0 END::float8 AS pages,
         (size.heap + size.toast)::float8 AS bytes
    FROM found
   CROSS JOIN LATERAL (
           SELECT CASE WHEN kind = 'r' THEN pg_catalog.pg_relation_size(oid) ELSE 0 END AS heap,
                  CASE WHEN reltoastrelid <> 0 THEN pg_catalog.pg_relation_size(reltoastrelid) ELSE 0 END AS toast
         ) size
   ORDER BY found.oid
`;

/**
 * How the rows of a relation are read:
 * - `table`: only the rows of this relation, by COPY with its name or with a query
 * - `foreign`: only the rows of this relation, by COPY with a query
 * - `tree`: the rows of all leaf partitions of a partitioned table, by COPY with one query
 */
export type RelationKind = 'table' | 'foreign' | 'tree';
