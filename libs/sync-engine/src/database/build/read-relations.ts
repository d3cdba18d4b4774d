import { type Client, type EntrySql, quoteTable } from '@understudy/postgres';
import type { TableName } from '@understudy/sync-job';
import type { TablePlan } from '../../plan/table-plan.js';
import {
  type KeyDefinition,
  PG_CONSTRAINT,
  readKeyDefinitions,
} from '../../stage/foreign-keys/key-definition.js';
import type { IndexedRelation } from './plan-post-data.js';

/**
 * Reads the foreign keys of tables of the job that can be created as soon as all indexes are built. The key of a
 * partitioned table is complete only after its indexes are attached, so keys to it are steps.
 * @param emptyTables the tables without rows, which keys can reference
 * @returns the keys by the addresses of their entries
 */
export async function readEarlyKeys(
  source: Client,
  plans: readonly TablePlan[],
  emptyTables: readonly TablePlan[],
): Promise<ReadonlyMap<string, KeyDefinition>> {
  const indexes = (tables: readonly TablePlan[]) =>
    new Map(tables.map((plan) => [plan.source.oid, plan.index]));
  const keys = await readKeyDefinitions(source, indexes(plans), indexes([...plans, ...emptyTables]));
  return new Map(
    keys
      .filter(({ referencedIndex, isReferencedPartitioned, before, after }) => {
        return ![referencedIndex, before, after].includes(undefined) && !isReferencedPartitioned;
      })
      .map((key) => [`${PG_CONSTRAINT} ${key.oid}`, key]),
  );
}

/**
 * Reads the tables of all indexes, keys and statistics objects of the source.
 * @returns a map from the address of such an object to its table
 */
export async function readIndexedRelations(
  source: Client,
  plans: readonly TablePlan[],
): Promise<ReadonlyMap<string, IndexedRelation>> {
  const { rows } = await source.query<{ address: string; relation: string; root: string }>(INDEXED);
  const indexOf = new Map(plans.map((plan) => [plan.source.oid, plan.index]));
  return new Map(
    rows.map(({ address, relation, root }) => [
      address,
      { relation, tableIndex: indexOf.get(relation) ?? indexOf.get(root) },
    ]),
  );
}

/** An address begins with the oid of pg_class, of pg_constraint or of pg_statistic_ext. */
const INDEXED = `
  SELECT k.address, c.oid::text AS relation, coalesce(pg_catalog.pg_partition_root(c.oid), c.oid)::oid::text AS root
    FROM (SELECT '1259 ' || indexrelid AS address, indrelid AS oid FROM pg_catalog.pg_index
          UNION ALL SELECT '2606 ' || oid, conrelid FROM pg_catalog.pg_constraint WHERE contype IN ('p', 'u', 'x')
          UNION ALL SELECT '3381 ' || oid, stxrelid FROM pg_catalog.pg_statistic_ext) k
    JOIN pg_catalog.pg_class c ON c.oid = k.oid AND c.relkind IN ('r', 'p')
`;

/**
 * Returns those of the job's tables that are configuration tables of extensions. CREATE EXTENSION can have filled them,
 * and the job copies all rows of the source.
 */
export async function configurationTables(
  source: Client,
  plans: readonly TablePlan[],
): Promise<readonly TableName[]> {
  const { rows } = await source.query<{ oid: string }>(
    'SELECT pg_catalog.unnest(e.extconfig)::text AS oid FROM pg_catalog.pg_extension e',
  );
  const oids = new Set(rows.map(({ oid }) => oid));
  return plans.filter((plan) => oids.has(plan.source.oid)).map(({ name }) => name);
}

/**
 * Returns SQL that fills the materialized views that have rows on the source, in the order of the dump. A view that
 * depends on a foreign table stays without rows, because its query would read another server.
 */
export async function refreshesOf(source: Client, entries: readonly EntrySql[]): Promise<readonly string[]> {
  const { rows } = await source.query<{ address: string; schema: string; table: string }>(POPULATED);
  const views = new Map(rows.map(({ address, ...name }) => [address, name]));
  return entries.flatMap(({ address = '', type }) => {
    const view = /^MATERIALIZED VIEW /.test(type) ? views.get(address) : undefined;
    if (view === undefined) return [];
    const name = quoteTable(view);
    return [`REFRESH MATERIALIZED VIEW ${name}; ANALYZE ${name}`];
  });
}

const POPULATED = `
  WITH RECURSIVE uses AS (
    SELECT c.oid AS view, c.oid AS relation FROM pg_catalog.pg_class c WHERE c.relkind = 'm'
    UNION
    SELECT u.view, d.refobjid FROM uses u
      JOIN pg_catalog.pg_rewrite r ON r.ev_class = u.relation
      JOIN pg_catalog.pg_depend d ON d.classid = 'pg_catalog.pg_rewrite'::regclass AND d.objid = r.oid
       AND d.refclassid = 'pg_catalog.pg_class'::regclass
  )
  SELECT '1259 ' || c.oid AS address, n.nspname AS schema, c.relname AS table
    FROM pg_catalog.pg_class c JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace
   WHERE c.relkind = 'm' AND c.relispopulated
     AND NOT EXISTS (SELECT FROM uses u JOIN pg_catalog.pg_class f ON f.oid = u.relation AND f.relkind = 'f' WHERE u.view = c.oid)
`;
