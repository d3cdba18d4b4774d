import { partitionTree } from '@understudy/postgres';

/**
 * Lists the enforced foreign keys in which one of the given tables is the child or the parent. A key that is
 * NOT VALID is listed only if its child is given. New rows in the parent do not make the server check such a
 * key. Omits keys from and to single partitions of the tables, because the run replaces the rows of partitions, too.
 * $1: oids of the tables.
 */
export const FOREIGN_KEYS_AROUND = `
  WITH partitions AS (
    SELECT p.relid FROM pg_catalog.unnest($1::oid[]) AS t (oid), ${partitionTree('t.oid')} p WHERE p.relid <> t.oid
  )
  SELECT c.conname AS name, c.conrelid::text AS child, c.confrelid::text AS parent,
         cn.nspname AS child_schema, cr.relname AS child_table, cr.relkind = 'p' AS child_partitioned,
         pn.nspname AS parent_schema, pr.relname AS parent_table, pr.relkind = 'p' AS parent_partitioned,
         ARRAY(SELECT a.attname::text FROM unnest(c.conkey) WITH ORDINALITY AS k (attnum, n)
                 JOIN pg_catalog.pg_attribute a ON a.attrelid = c.conrelid AND a.attnum = k.attnum ORDER BY k.n) AS columns,
         ARRAY(SELECT a.attname::text FROM unnest(c.confkey) WITH ORDINALITY AS k (attnum, n)
                 JOIN pg_catalog.pg_attribute a ON a.attrelid = c.confrelid AND a.attnum = k.attnum ORDER BY k.n) AS parent_columns,
         ARRAY(SELECT pg_catalog.format_type(a.atttypid, NULL) FROM unnest(c.confkey) WITH ORDINALITY AS k (attnum, n)
                 JOIN pg_catalog.pg_attribute a ON a.attrelid = c.confrelid AND a.attnum = k.attnum ORDER BY k.n) AS parent_types,
         ARRAY(SELECT pg_catalog.format_type(a.atttypid, NULL) FROM unnest(c.conkey) WITH ORDINALITY AS k (attnum, n)
                 JOIN pg_catalog.pg_attribute a ON a.attrelid = c.conrelid AND a.attnum = k.attnum ORDER BY k.n) AS types
    FROM pg_catalog.pg_constraint c
    JOIN pg_catalog.pg_class cr ON cr.oid = c.conrelid JOIN pg_catalog.pg_namespace cn ON cn.oid = cr.relnamespace
    JOIN pg_catalog.pg_class pr ON pr.oid = c.confrelid JOIN pg_catalog.pg_namespace pn ON pn.oid = pr.relnamespace
   WHERE c.contype = 'f' AND c.conparentid = 0 AND coalesce((to_jsonb(c) ->> 'conenforced')::bool, true)
     AND (c.conrelid = ANY ($1::oid[]) OR c.confrelid = ANY ($1::oid[]) AND c.convalidated)
     AND c.conrelid NOT IN (SELECT relid FROM partitions) AND c.confrelid NOT IN (SELECT relid FROM partitions)
   ORDER BY c.oid
`;
