// Nodes of the graph of uses are `c` and an oid of pg_class, or `p` and an oid of pg_proc.

/** The given tables and all below them. $1: schemas, $2: names of tables. */
const LISTED = `listed AS (
    SELECT c.oid FROM ROWS FROM (pg_catalog.unnest($1::text[]), pg_catalog.unnest($2::text[])) AS w (schema, name)
      JOIN pg_catalog.pg_namespace n ON n.nspname = w.schema
      JOIN pg_catalog.pg_class c ON c.relnamespace = n.oid AND c.relname = w.name
    UNION SELECT i.inhrelid FROM listed JOIN pg_catalog.pg_inherits i ON i.inhparent = listed.oid
  )`;

/**
 * Returns the nodes of tables, and of all tables that contain rows of theirs or whose rows they contain. $1: schemas,
 * $2: names of tables.
 */
export const TABLES_AROUND = `
  WITH RECURSIVE ${LISTED}, around AS (
    SELECT oid FROM listed
    UNION SELECT i.inhparent FROM around JOIN pg_catalog.pg_inherits i ON i.inhrelid = around.oid
  )
  SELECT 'c' || oid AS node FROM around
`;

/**
 * Returns which relations and functions each view and each SQL function uses. A function whose body is a text has no
 * such entries in the catalogs.
 */
export const USES_OF_VIEWS = `
  SELECT DISTINCT 'c' || w.ev_class AS node, CASE d.refclassid WHEN 'pg_catalog.pg_class'::regclass THEN 'c' ELSE 'p' END || d.refobjid AS uses
    FROM pg_catalog.pg_rewrite w
    JOIN pg_catalog.pg_class c ON c.oid = w.ev_class AND c.relkind IN ('v', 'm')
    JOIN pg_catalog.pg_depend d ON d.classid = 'pg_catalog.pg_rewrite'::regclass AND d.objid = w.oid
   WHERE d.refclassid IN ('pg_catalog.pg_class'::regclass, 'pg_catalog.pg_proc'::regclass) AND d.refobjid <> w.ev_class
  UNION
  SELECT 'p' || d.objid, CASE d.refclassid WHEN 'pg_catalog.pg_class'::regclass THEN 'c' ELSE 'p' END || d.refobjid
    FROM pg_catalog.pg_depend d
   WHERE d.classid = 'pg_catalog.pg_proc'::regclass
     AND d.refclassid IN ('pg_catalog.pg_class'::regclass, 'pg_catalog.pg_proc'::regclass)
`;

/** Lists the materialized views that have rows, and whether the role may refresh each. */
export const MATERIALIZED_VIEWS = `
  SELECT 'c' || c.oid AS node, c.oid::text AS oid, n.nspname AS schema, c.relname AS table,
         pg_catalog.pg_has_role(c.relowner, 'USAGE')
         OR CASE WHEN pg_catalog.current_setting('server_version_num')::int >= 170000
                 THEN pg_catalog.has_table_privilege(c.oid, 'MAINTAIN') ELSE false END AS "mayRefresh"
    FROM pg_catalog.pg_class c JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace
   WHERE c.relkind = 'm' AND c.relispopulated
   ORDER BY n.nspname, c.relname
`;

/**
 * Returns the views, materialized views and functions that depend on tables or on their partitions, directly or through
 * views, functions and types. A use in the text of a function's body is not in the catalogs. $1: schemas, $2: names of
 * tables.
 */
export const DEPENDENTS_OF_TABLES = `
  WITH RECURSIVE ${LISTED}, found AS (
    SELECT 'pg_catalog.pg_class'::regclass::oid AS classid, oid AS objid FROM listed
    UNION
    SELECT n.classid, n.objid FROM found f CROSS JOIN LATERAL (
      SELECT 'pg_catalog.pg_class'::regclass::oid, w.ev_class
        FROM pg_catalog.pg_depend d JOIN pg_catalog.pg_rewrite w ON w.oid = d.objid
       WHERE d.classid = 'pg_catalog.pg_rewrite'::regclass AND d.refclassid = f.classid AND d.refobjid = f.objid
      UNION ALL
      SELECT d.classid, d.objid FROM pg_catalog.pg_depend d
       WHERE d.classid = 'pg_catalog.pg_proc'::regclass AND d.refclassid = f.classid AND d.refobjid = f.objid
      UNION ALL
      SELECT 'pg_catalog.pg_type'::regclass, c.reltype FROM pg_catalog.pg_class c
       WHERE f.classid = 'pg_catalog.pg_class'::regclass AND c.oid = f.objid
      UNION ALL
      SELECT 'pg_catalog.pg_type'::regclass, t.typarray FROM pg_catalog.pg_type t
       WHERE f.classid = 'pg_catalog.pg_type'::regclass AND t.oid = f.objid
    ) AS n (classid, objid)
  )
  SELECT f.classid || ' ' || f.objid AS address, CASE WHEN p.oid IS NULL THEN 'relation' ELSE 'function' END AS kind,
         n.nspname AS schema, coalesce(c.relname, p.proname) AS name
    FROM found f
    LEFT JOIN pg_catalog.pg_class c ON f.classid = 'pg_catalog.pg_class'::regclass AND c.oid = f.objid AND c.relkind IN ('v', 'm')
    LEFT JOIN pg_catalog.pg_proc p ON f.classid = 'pg_catalog.pg_proc'::regclass AND p.oid = f.objid
    JOIN pg_catalog.pg_namespace n ON n.oid = coalesce(c.relnamespace, p.pronamespace)
   ORDER BY 3, 4, 1
`;
