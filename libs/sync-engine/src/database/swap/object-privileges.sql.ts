/** The privileges of an access control list, for an alias of a row with the column `acl`. */
const EXPLODED = `
  (SELECT pg_catalog.json_agg(pg_catalog.json_build_object(
            'grantee', CASE a.grantee WHEN 0 THEN NULL ELSE pg_catalog.pg_get_userbyid(a.grantee) END,
            'isOwner', a.grantee = o.owner,
            'privilege', a.privilege_type, 'grantable', a.is_grantable))
     FROM pg_catalog.aclexplode(o.acl) a)
`;

const ARE_OF_USERS = "n.nspname !~ '^(pg_|understudy_)' AND n.nspname <> 'information_schema'";

/**
 * Lists the objects of a database on which roles can have privileges, without those of extensions and of PostgreSQL.
 * `grants` is null if nobody has changed the privileges. `objtype` is that of pg_default_acl.
 */
export const OBJECT_PRIVILEGES = `
  WITH objects AS (
    SELECT CASE c.relkind WHEN 'S' THEN 'SEQUENCE' ELSE 'TABLE' END AS kind, CASE c.relkind WHEN 'S' THEN 'S' ELSE 'r' END AS objtype,
           'pg_catalog.pg_class'::regclass AS classid, c.oid, c.relacl AS acl, c.relowner AS owner, c.relnamespace AS namespace
      FROM pg_catalog.pg_class c WHERE c.relkind IN ('r', 'p', 'v', 'm', 'f', 'S')
    UNION ALL
    SELECT 'ROUTINE', 'f', 'pg_catalog.pg_proc'::regclass, p.oid, p.proacl, p.proowner, p.pronamespace FROM pg_catalog.pg_proc p
    UNION ALL
    SELECT CASE t.typtype WHEN 'd' THEN 'DOMAIN' ELSE 'TYPE' END, 'T', 'pg_catalog.pg_type'::regclass, t.oid, t.typacl, t.typowner, t.typnamespace
      FROM pg_catalog.pg_type t LEFT JOIN pg_catalog.pg_class c ON c.oid = t.typrelid
     WHERE t.typtype IN ('b', 'c', 'd', 'e', 'r') AND t.typcategory <> 'A' AND (c.oid IS NULL OR c.relkind = 'c')
    UNION ALL
    SELECT 'SCHEMA', 'n', 'pg_catalog.pg_namespace'::regclass, n.oid, n.nspacl, n.nspowner, n.oid FROM pg_catalog.pg_namespace n
  )
  SELECT o.kind, o.objtype, n.nspname AS schema, i.identity, ${EXPLODED} AS grants
    FROM objects o JOIN pg_catalog.pg_namespace n ON n.oid = o.namespace AND ${ARE_OF_USERS}
   CROSS JOIN LATERAL pg_catalog.pg_identify_object(o.classid, o.oid, 0) i
   WHERE NOT EXISTS (SELECT FROM pg_catalog.pg_depend d WHERE d.classid = o.classid AND d.objid = o.oid AND d.deptype = 'e')
   ORDER BY o.classid, o.oid
`;

/** Lists the privileges on single columns. */
export const COLUMN_PRIVILEGES = `
  SELECT i.identity, pg_catalog.quote_ident(o.attname) AS column, ${EXPLODED} AS grants
    FROM (SELECT a.attrelid, a.attname, a.attacl AS acl, t.relowner AS owner
            FROM pg_catalog.pg_attribute a JOIN pg_catalog.pg_class t ON t.oid = a.attrelid
           WHERE a.attacl IS NOT NULL AND NOT a.attisdropped) o
    JOIN pg_catalog.pg_class c ON c.oid = o.attrelid
    JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace AND ${ARE_OF_USERS}
   CROSS JOIN LATERAL pg_catalog.pg_identify_object('pg_catalog.pg_class'::regclass, c.oid, 0) i
`;

/** Lists the default privileges of a database. A null schema means all schemas. */
export const DEFAULT_PRIVILEGES = `
  SELECT pg_catalog.pg_get_userbyid(o.defaclrole) AS role, o.defaclobjtype AS objtype, n.nspname AS schema, ${EXPLODED} AS grants
    FROM (SELECT defaclrole, defaclobjtype, defaclnamespace, defaclacl AS acl, defaclrole AS owner FROM pg_catalog.pg_default_acl) o
    LEFT JOIN pg_catalog.pg_namespace n ON n.oid = o.defaclnamespace
`;
