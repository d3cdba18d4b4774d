import type { Client } from '@understudy/postgres';
import type { TableName } from '@understudy/sync-job';
import type { TablePlan } from './table-plan.js';

/** A relation that holds rows of a job's table, as large as it was when it was measured. Plain data, for the ledger. */
export interface MeasuredRelation {
  readonly tableIndex: number;
  readonly name: TableName;
  readonly oid: string;
  readonly reads: RelationKind;
  /** 0 when its rows cannot be read by page. */
  readonly pages: number;
  /** With what TOAST keeps of it. */
  readonly bytes: number;
}

/**
 * Finds and measures what the plans' rows are read from: the tables themselves, leaf partitions of partitioned ones. To be called
 * once the snapshot is held: from then on pages are added only.
 * @param needsOrder tables whose rows must come in one stream
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
      const reads = source.isPartitioned ? 'tree' : 'table';
      return [{ tableIndex: index, name, oid: source.oid, reads, pages: 0, bytes }];
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

/** $1: oids of tables. Pages count for heaps alone: other access methods mean something else by a row's place. */
const MEASURE = `
  SELECT root.oid::text AS root, c.oid::text AS oid, n.nspname AS schema, c.relname AS name, c.relkind AS kind,
         CASE WHEN am.amname = 'heap' THEN size.heap / pg_catalog.current_setting('block_size')::int8 ELSE 0 END::float8 AS pages,
         (size.heap + size.toast)::float8 AS bytes
    FROM pg_catalog.pg_class root
   CROSS JOIN LATERAL (
           SELECT root.oid AS relid WHERE root.relkind <> 'p'
           UNION ALL
           SELECT t.relid FROM pg_catalog.pg_partition_tree(root.oid) t WHERE t.isleaf AND root.relkind = 'p'
         ) leaf
    JOIN pg_catalog.pg_class c ON c.oid = leaf.relid
    JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace
    LEFT JOIN pg_catalog.pg_am am ON am.oid = c.relam
   CROSS JOIN LATERAL (
           SELECT CASE WHEN c.relkind = 'r' THEN pg_catalog.pg_relation_size(c.oid) ELSE 0 END AS heap,
                  CASE WHEN c.reltoastrelid <> 0 THEN pg_catalog.pg_relation_size(c.reltoastrelid) ELSE 0 END AS toast
         ) size
   WHERE root.oid = ANY ($1::oid[])
   ORDER BY c.oid
`;

/**
 * `table`: rows of this relation alone, which COPY can read by itself · `foreign`: those too, but by a query ·
 * `tree`: rows of a partitioned table's leaves, all in one stream
 */
export type RelationKind = 'table' | 'foreign' | 'tree';
