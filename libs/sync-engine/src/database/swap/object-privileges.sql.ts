import { ARE_POWERFUL } from '../../plan/preflight/preflight.js';

/** The privileges of an access control list, for an alias of a row with the column `acl`. */
const EXPLODED = `
  (SELECT pg_catalog.json_agg(pg_catalog.json_build_object(
            'grantee', CASE a.grantee WHEN 0 THEN NULL ELSE pg_catalog.pg_get_userbyid(a.grantee) END,
            'isOwner', a.grantee = o.owner,
            'privilege', a.privilege_type, 'grantable', a.is_grantable))
     FROM pg_catalog.aclexplode(o.acl) a)
`;

/** Selects schemas. $1: whether to include those that have names like those of ledgers. */
const ARE_OF_USERS = `
  n.nspname !~ '^pg_' AND n.nspname <> 'information_schema' AND ($1::bool OR n.nspname !~ '^understudy_')`;

/**
 * Lists the objects of a database that have an owner, without those of PostgreSQL. An object is after its schema, and a
 * sequence after its table. `grants` is null if nobody has changed the privileges. `objtype` is that of pg_default_acl,
 * and null if roles can have no privileges on such an object. $1: whether to include the objects of extensions, and those
 * in schemas that have names like those of ledgers.
 */
const ownedObjects = (more: string) => `
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
    UNION ALL
    SELECT 'COLLATION', NULL, 'pg_catalog.pg_collation'::regclass, o.oid, NULL, o.collowner, o.collnamespace FROM pg_catalog.pg_collation o
    UNION ALL
    SELECT 'CONVERSION', NULL, 'pg_catalog.pg_conversion'::regclass, o.oid, NULL, o.conowner, o.connamespace FROM pg_catalog.pg_conversion o
    UNION ALL
    SELECT 'OPERATOR', NULL, 'pg_catalog.pg_operator'::regclass, o.oid, NULL, o.oprowner, o.oprnamespace FROM pg_catalog.pg_operator o
    UNION ALL
    SELECT 'OPERATOR CLASS', NULL, 'pg_catalog.pg_opclass'::regclass, o.oid, NULL, o.opcowner, o.opcnamespace FROM pg_catalog.pg_opclass o
    UNION ALL
    SELECT 'OPERATOR FAMILY', NULL, 'pg_catalog.pg_opfamily'::regclass, o.oid, NULL, o.opfowner, o.opfnamespace FROM pg_catalog.pg_opfamily o
    UNION ALL
    SELECT 'STATISTICS', NULL, 'pg_catalog.pg_statistic_ext'::regclass, o.oid, NULL, o.stxowner, o.stxnamespace FROM pg_catalog.pg_statistic_ext o
    UNION ALL
    SELECT 'TEXT SEARCH CONFIGURATION', NULL, 'pg_catalog.pg_ts_config'::regclass, o.oid, NULL, o.cfgowner, o.cfgnamespace FROM pg_catalog.pg_ts_config o
    UNION ALL
    SELECT 'TEXT SEARCH DICTIONARY', NULL, 'pg_catalog.pg_ts_dict'::regclass, o.oid, NULL, o.dictowner, o.dictnamespace FROM pg_catalog.pg_ts_dict o
    UNION ALL
    SELECT 'PUBLICATION', NULL, 'pg_catalog.pg_publication'::regclass, o.oid, NULL, o.pubowner, 0 FROM pg_catalog.pg_publication o
    UNION ALL
    SELECT 'SERVER', '', 'pg_catalog.pg_foreign_server'::regclass, o.oid, o.srvacl, o.srvowner, 0 FROM pg_catalog.pg_foreign_server o
    ${more}
  )
  SELECT o.kind, o.objtype, n.nspname AS schema, i.identity, pg_catalog.pg_get_userbyid(o.owner) AS owner, ${EXPLODED} AS grants
    FROM objects o LEFT JOIN pg_catalog.pg_namespace n ON n.oid = o.namespace
   CROSS JOIN LATERAL pg_catalog.pg_identify_object(o.classid, o.oid, 0) i
   WHERE (n.oid IS NULL OR ${ARE_OF_USERS})
     AND ($1::bool OR NOT EXISTS (SELECT FROM pg_catalog.pg_depend d WHERE d.classid = o.classid AND d.objid = o.oid AND d.deptype = 'e'))
   ORDER BY o.kind <> 'SCHEMA', o.classid, o.kind <> 'TABLE', o.oid
`;

export const OWNED_OBJECTS = ownedObjects('');

/** Not every role may read the catalog of large objects. */
export const OWNED_OBJECTS_AND_LARGE_ONES = ownedObjects(`
    UNION ALL
    SELECT 'LARGE OBJECT', 'L', 'pg_catalog.pg_largeobject'::regclass, o.oid, o.lomacl, o.lomowner, 0 FROM pg_catalog.pg_largeobject_metadata o`);

/** Lists the pairs of a schema and a role that may not create objects in it. $1: schemas, $2: roles. */
export const MAY_NOT_CREATE = `
  SELECT n.nspname AS schema, r.rolname AS role
    FROM ROWS FROM (pg_catalog.unnest($1::text[]), pg_catalog.unnest($2::text[])) AS w (schema, role)
    JOIN pg_catalog.pg_namespace n ON n.nspname = w.schema JOIN pg_catalog.pg_roles r ON r.rolname = w.role
   WHERE NOT pg_catalog.has_schema_privilege(r.oid, n.oid, 'CREATE')
`;

/**
 * Selects the roles that can become a powerful one. The server runs functions of an index or of a materialized view with
 * the rights of the owner. $1: names of roles.
 */
export const POWERFUL_ROLES = `
  SELECT m.rolname AS name FROM pg_catalog.pg_roles m
   WHERE m.rolname = ANY ($1::text[])
     AND EXISTS (SELECT FROM pg_catalog.pg_roles r WHERE ${ARE_POWERFUL} AND pg_catalog.pg_has_role(m.oid, r.oid, 'MEMBER'))
`;

/** Selects the roles that the server does not have. $1: names of roles. */
export const MISSING_ROLES = `
  SELECT w.name FROM pg_catalog.unnest($1::text[]) AS w (name)
   WHERE NOT EXISTS (SELECT FROM pg_catalog.pg_roles r WHERE r.rolname = w.name) ORDER BY w.name
`;

/** Lists the privileges on single columns. $1 as above. */
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
