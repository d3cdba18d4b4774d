/**
 * Reads the target's server. $1: name of the target, $2: roles and $3: tablespaces that the snapshot needs.
 */
export const READ_SERVER = `
  SELECT r.rolsuper OR r.rolcreatedb AS "canCreate",
         current_setting('server_version_num')::int AS version,
         (SELECT system_identifier::text FROM pg_catalog.pg_control_system()) AS "systemIdentifier",
         ARRAY(SELECT w FROM pg_catalog.unnest($2::text[]) w
                WHERE NOT EXISTS (SELECT FROM pg_catalog.pg_roles o WHERE o.rolname = w)
                UNION ALL
               SELECT w FROM pg_catalog.unnest($3::text[]) w
                WHERE NOT EXISTS (SELECT FROM pg_catalog.pg_tablespace t WHERE t.spcname = w)) AS missing,
         d.datistemplate IS TRUE AS "isTemplate", pg_catalog.pg_has_role(d.datdba, 'USAGE') IS TRUE AS "isOwner"
    FROM pg_catalog.pg_roles r LEFT JOIN pg_catalog.pg_database d ON d.datname = $1
   WHERE r.rolname = current_user
`;

/** Reads whether the current role is a member of another role. $1: name of the other role. */
export const CAN_ACT_FOR = `
  SELECT pg_catalog.pg_has_role(oid, 'MEMBER') AS can FROM pg_catalog.pg_roles WHERE rolname = $1
`;

/**
 * Reads the size and the folder of a database. $1: its name. `pg_settings` has no rows for settings that the
 * role may not read.
 */
export const READ_DISK = `
  SELECT pg_catalog.pg_database_size(d.oid)::text AS bytes,
         coalesce(nullif(pg_catalog.pg_tablespace_location(d.dattablespace), ''),
                  (SELECT s.setting FROM pg_catalog.pg_settings s WHERE s.name = 'data_directory')) AS folder
    FROM pg_catalog.pg_database d
   WHERE d.datname = $1
`;

/**
 * Reads whether the current database contains objects that users created, and the names of their tables. Ignores
 * the objects of extensions.
 */
export const READ_CONTENT = `
  WITH own_schemas AS (
    SELECT n.oid, n.nspname FROM pg_catalog.pg_namespace n
     WHERE n.nspname <> 'information_schema' AND n.nspname !~ '^pg_'
  ), made AS (
    SELECT 'pg_class'::regclass::oid AS classid, c.oid, c.relnamespace AS schema FROM pg_catalog.pg_class c
    UNION ALL SELECT 'pg_proc'::regclass, p.oid, p.pronamespace FROM pg_catalog.pg_proc p
    UNION ALL SELECT 'pg_type'::regclass, t.oid, t.typnamespace FROM pg_catalog.pg_type t
    UNION ALL SELECT 'pg_collation'::regclass, o.oid, o.collnamespace FROM pg_catalog.pg_collation o
  )
  SELECT EXISTS (
           SELECT FROM made m JOIN own_schemas s ON s.oid = m.schema
            WHERE NOT EXISTS (SELECT FROM pg_catalog.pg_depend d
                               WHERE d.classid = m.classid AND d.objid = m.oid AND d.deptype = 'e'))
         OR EXISTS (SELECT FROM pg_catalog.pg_largeobject_metadata) AS "hasObjects",
         ARRAY(SELECT pg_catalog.jsonb_build_array(s.nspname, c.relname) FROM pg_catalog.pg_class c JOIN own_schemas s ON s.oid = c.relnamespace
                WHERE c.relkind IN ('r', 'p') AND NOT c.relispartition
                  AND NOT EXISTS (SELECT FROM pg_catalog.pg_depend d
                                   WHERE d.classid = 'pg_class'::regclass AND d.objid = c.oid AND d.deptype = 'e')) AS tables,
         pg_catalog.has_database_privilege(pg_catalog.current_database(), 'CREATE') AS "canCreateIn"
`;
