import { listedKeys, partitionTree } from '@understudy/postgres';

/**
 * Lists the enforced foreign keys from and to the given tables, with the tables above given partitions. `children` and
 * `parents` are the given tables at both ends. `child_leaves` and `parent_leaves` are the leaf partitions at the ends of
 * the key that belong to no given table, or NULL if the end is not partitioned. A key that is NOT VALID is listed only if
 * a child is given. New rows in the parent do not make the server check such a key. Omits keys from and to single
 * partitions of the tables, because the run replaces the rows of partitions, too. $1: oids of the tables.
 */
export const FOREIGN_KEYS_AROUND = `
  WITH ${listedKeys('$1::oid[]')}, keys AS (
    SELECT l.oid, l.child_is_listed, l.parent_is_listed,
           pg_catalog.array_remove(pg_catalog.array_agg(DISTINCT l.child::text), NULL) AS children,
           pg_catalog.array_remove(pg_catalog.array_agg(DISTINCT l.parent::text), NULL) AS parents
      FROM listed_keys l WHERE l.of_all_rows IS NOT FALSE AND l.to_all_rows IS NOT FALSE
     GROUP BY l.oid, l.child_is_listed, l.parent_is_listed
  )
  SELECT c.conname AS name, l.children, l.parents, c.convalidated AS is_validated, l.child_is_listed, l.parent_is_listed,
         cn.nspname AS child_schema, cr.relname AS child_table, ${unlistedLeaves('cr')} AS child_leaves,
         pn.nspname AS parent_schema, pr.relname AS parent_table, ${unlistedLeaves('pr')} AS parent_leaves,
         ARRAY(SELECT a.attname::text FROM unnest(c.conkey) WITH ORDINALITY AS k (attnum, n)
                 JOIN pg_catalog.pg_attribute a ON a.attrelid = c.conrelid AND a.attnum = k.attnum ORDER BY k.n) AS columns,
         ARRAY(SELECT a.attname::text FROM unnest(c.confkey) WITH ORDINALITY AS k (attnum, n)
                 JOIN pg_catalog.pg_attribute a ON a.attrelid = c.confrelid AND a.attnum = k.attnum ORDER BY k.n) AS parent_columns,
         ARRAY(SELECT pg_catalog.format_type(a.atttypid, NULL) FROM unnest(c.confkey) WITH ORDINALITY AS k (attnum, n)
                 JOIN pg_catalog.pg_attribute a ON a.attrelid = c.confrelid AND a.attnum = k.attnum ORDER BY k.n) AS parent_types,
         ARRAY(SELECT pg_catalog.format_type(a.atttypid, NULL) FROM unnest(c.conkey) WITH ORDINALITY AS k (attnum, n)
                 JOIN pg_catalog.pg_attribute a ON a.attrelid = c.conrelid AND a.attnum = k.attnum ORDER BY k.n) AS types
    FROM keys l JOIN pg_catalog.pg_constraint c ON c.oid = l.oid
    JOIN pg_catalog.pg_class cr ON cr.oid = c.conrelid JOIN pg_catalog.pg_namespace cn ON cn.oid = cr.relnamespace
    JOIN pg_catalog.pg_class pr ON pr.oid = c.confrelid JOIN pg_catalog.pg_namespace pn ON pn.oid = pr.relnamespace
   WHERE coalesce((to_jsonb(c) ->> 'conenforced')::bool, true) AND (c.convalidated OR l.children <> '{}')
   ORDER BY c.oid
`;

function unlistedLeaves(table: string): string {
  return `CASE WHEN ${table}.relkind = 'p' THEN ARRAY(
            SELECT leaf.relid::oid::text FROM ${partitionTree(`${table}.oid`)} leaf
             WHERE leaf.isleaf AND leaf.relid NOT IN (SELECT relation FROM relations WHERE is_inside)) END`;
}
