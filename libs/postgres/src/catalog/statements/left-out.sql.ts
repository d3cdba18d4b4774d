import { partitionTree } from './partition-tree.sql.js';
/** The schemas of users, without the staging schemas of jobs, which have a comment. */
const USERS_SCHEMAS = `
  SELECT n.oid, n.nspname FROM pg_catalog.pg_namespace n
   WHERE n.nspname <> 'information_schema' AND n.nspname !~ '^pg_' AND NOT EXISTS (
     SELECT FROM pg_catalog.pg_namespace s
      WHERE s.nspname LIKE 'understudy\\_%' AND s.nspname = pg_catalog.split_part(n.nspname, '.', 1)
        AND pg_catalog.obj_description(s.oid, 'pg_namespace') LIKE 'Staging of the Understudy job %')
`;

/** The first oid of objects that initdb did not create. */
const FIRST_USERS_OID = 16384;

/**
 * Lists the tables that are not covered by names. A table is covered if its name is given, or if the names of the
 * partitioned tables that contain it, or of all its leaf partitions, are. Lists no partitions and no tables of
 * extensions. A table that inherits from a given table is not covered, because a job does not read its rows. $1:
 * schemas, $2: names of tables, $3: true to list also the configuration tables of extensions, which have rows of users.
 */
export const UNLISTED_TABLES = `
  WITH RECURSIVE users AS (${USERS_SCHEMAS}), covered AS (
    SELECT c.oid FROM ROWS FROM (pg_catalog.unnest($1::text[]), pg_catalog.unnest($2::text[])) AS w (schema, name)
      JOIN pg_catalog.pg_namespace n ON n.nspname = w.schema
      JOIN pg_catalog.pg_class c ON c.relnamespace = n.oid AND c.relname = w.name
    UNION
    SELECT i.inhrelid FROM covered JOIN pg_catalog.pg_inherits i ON i.inhparent = covered.oid
      JOIN pg_catalog.pg_class p ON p.oid = i.inhparent AND p.relkind = 'p'
  )
  SELECT n.nspname AS schema, c.relname AS table
    FROM pg_catalog.pg_class c JOIN users n ON n.oid = c.relnamespace
   WHERE c.relkind IN ('r', 'p') AND NOT c.relispartition AND c.oid >= ${FIRST_USERS_OID}
     AND c.oid NOT IN (SELECT oid FROM covered)
     AND (c.relkind = 'r'
          OR NOT EXISTS (SELECT FROM ${partitionTree('c.oid')} t WHERE t.isleaf)
          OR EXISTS (SELECT FROM ${partitionTree('c.oid')} t
                      WHERE t.isleaf AND t.relid NOT IN (SELECT oid FROM covered)))
     AND (NOT EXISTS (SELECT FROM pg_catalog.pg_depend d
                       WHERE d.classid = 'pg_catalog.pg_class'::regclass AND d.objid = c.oid AND d.deptype = 'e')
          OR $3::bool AND EXISTS (SELECT FROM pg_catalog.pg_extension e WHERE c.oid = ANY (e.extconfig)))
   ORDER BY n.nspname, c.relname
`;

/** Returns the positions of the names that no table has, from 0. $1: schemas, $2: names of tables. */
export const NAMES_WITHOUT_TABLE = `
  SELECT (w.nr - 1)::int4 AS position
    FROM ROWS FROM (pg_catalog.unnest($1::text[]), pg_catalog.unnest($2::text[])) WITH ORDINALITY AS w (schema, name, nr)
   WHERE NOT EXISTS (SELECT FROM pg_catalog.pg_class c JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace
                      WHERE n.nspname = w.schema AND c.relname = w.name AND c.relkind IN ('r', 'p'))
   ORDER BY w.nr
`;

/**
 * Lists the objects of a database by kind and identity. Omits partitions. $1: true to omit also the objects of
 * extensions and of initdb, and those that belong to another object, such as the sequence of a column.
 */
export const SCHEMA_OBJECTS = `
  WITH users AS (${USERS_SCHEMAS}), objects AS (
    SELECT 'schemas' AS kind, 'pg_catalog.pg_namespace'::regclass::oid AS classid, n.oid, NULL::pg_catalog.name AS schema,
           n.nspname AS name
      FROM users n
    UNION ALL
    SELECT CASE c.relkind WHEN 'f' THEN 'foreign_tables' WHEN 'v' THEN 'views' WHEN 'm' THEN 'materialized_views'
                          WHEN 'S' THEN 'sequences' ELSE 'tables' END,
           'pg_catalog.pg_class'::regclass, c.oid, n.nspname, c.relname
      FROM pg_catalog.pg_class c JOIN users n ON n.oid = c.relnamespace
     WHERE c.relkind IN ('r', 'p', 'f', 'v', 'm', 'S') AND NOT c.relispartition
    UNION ALL
    SELECT 'functions', 'pg_catalog.pg_proc'::regclass, p.oid, n.nspname, p.proname
      FROM pg_catalog.pg_proc p JOIN users n ON n.oid = p.pronamespace
    UNION ALL
    SELECT 'types', 'pg_catalog.pg_type'::regclass, t.oid, n.nspname, t.typname
      FROM pg_catalog.pg_type t JOIN users n ON n.oid = t.typnamespace
     WHERE t.typtype IN ('b', 'c', 'd', 'e', 'r')
    UNION ALL
    SELECT 'extensions', 'pg_catalog.pg_extension'::regclass, e.oid, NULL, e.extname FROM pg_catalog.pg_extension e
  )
  SELECT o.kind, o.classid::text AS classid, o.oid::text AS oid, o.schema, o.name, i.identity
    FROM objects o CROSS JOIN LATERAL pg_catalog.pg_identify_object(o.classid, o.oid, 0) i
   WHERE i.identity IS NOT NULL AND (NOT $1::bool OR o.oid >= ${FIRST_USERS_OID} AND NOT EXISTS (
     SELECT FROM pg_catalog.pg_depend d
      WHERE d.classid = o.classid AND d.objid = o.oid AND d.objsubid = 0 AND d.deptype IN ('a', 'e', 'i')))
   ORDER BY o.kind, i.identity
`;
