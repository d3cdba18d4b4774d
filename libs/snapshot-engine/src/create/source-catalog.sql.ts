/** Reads the user tables, including partitions, and whether the role may read all their rows. */
export const READ_TABLES = `
  SELECT c.oid::text AS oid, n.nspname AS schema, c.relname AS name, c.relispartition AS "isPartition", c.relkind = 'p' AS "isPartitioned",
         CASE c.relkind WHEN 'p' THEN 0 ELSE pg_catalog.pg_table_size(c.oid) END::float8 AS bytes,
         pg_catalog.has_table_privilege(c.oid, 'SELECT')
           AND pg_catalog.has_schema_privilege(n.oid, 'USAGE')
           AND NOT pg_catalog.row_security_active(c.oid) AS readable,
         ARRAY(SELECT a.relid::oid::text FROM pg_catalog.pg_partition_ancestors(c.oid) a WHERE a.relid <> c.oid) AS ancestors
    FROM pg_catalog.pg_class c JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace
   WHERE c.relkind IN ('r', 'p') AND c.relpersistence <> 't'
     AND n.nspname <> 'information_schema' AND n.nspname !~ '^pg_'
   ORDER BY n.nspname, c.relname
`;

/**
 * Reads the name of the database and the version of its server. Also reads the roles that own objects of the
 * database, hold privileges on them or are named in a row-level security policy, and the tablespaces of these
 * objects.
 */
export const READ_DATABASE = `
  SELECT pg_catalog.current_database() AS database, current_setting('server_version') AS "serverVersion",
         current_setting('server_version_num')::int4 AS "versionNumber",
         ARRAY(
           SELECT DISTINCT r.rolname::text FROM pg_catalog.pg_shdepend s
             JOIN pg_catalog.pg_database d ON d.datname = pg_catalog.current_database() AND s.dbid = d.oid
             JOIN pg_catalog.pg_roles r ON s.refclassid = 'pg_authid'::regclass AND r.oid = s.refobjid
            ORDER BY 1) AS roles,
         ARRAY(
           SELECT DISTINCT t.spcname::text FROM pg_catalog.pg_class c
             JOIN pg_catalog.pg_tablespace t ON t.oid = c.reltablespace AND t.spcname !~ '^pg_'
            ORDER BY 1) AS tablespaces
`;
