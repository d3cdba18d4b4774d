import { IS_EXTENSIONS, IS_USERS_SCHEMA } from './user-objects.sql.js';

/** Lists the tables of users that are not partitions, and marks the tables of extensions. */
export const USERS_TABLES = `
  SELECT c.oid::text AS oid, n.nspname AS schema, c.relname AS "table", ${IS_EXTENSIONS} AS is_extensions
    FROM pg_catalog.pg_class c JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace
   WHERE c.relkind IN ('r', 'p') AND NOT c.relispartition AND c.relpersistence <> 't' AND ${IS_USERS_SCHEMA}
   ORDER BY n.nspname, c.relname
`;

/** Lists the schemas of users. */
export const USERS_SCHEMAS = `
  SELECT n.nspname AS name FROM pg_catalog.pg_namespace n WHERE ${IS_USERS_SCHEMA} ORDER BY 1
`;

/** Lists the schemas with types of columns that the role may not name. A condition on such a column names its type. */
export const CLOSED_TYPE_SCHEMAS = `
  SELECT DISTINCT n.nspname AS name
    FROM pg_catalog.pg_attribute a
    JOIN pg_catalog.pg_class c ON c.oid = a.attrelid AND c.relkind IN ('r', 'p') AND c.relpersistence <> 't'
    JOIN pg_catalog.pg_type t ON t.oid = a.atttypid
    JOIN pg_catalog.pg_namespace n ON n.oid = t.typnamespace
   WHERE a.attnum > 0 AND ${IS_USERS_SCHEMA} AND NOT has_schema_privilege(n.oid, 'USAGE')
   ORDER BY 1
`;

/** Lists the sequences whose values the role may not read, and counts such large objects. */
export const UNREADABLE_VALUES = `
  SELECT ARRAY(
           SELECT pg_catalog.format('%I.%I', n.nspname, c.relname)
             FROM pg_catalog.pg_class c JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace
            WHERE c.relkind = 'S' AND c.relpersistence <> 't' AND ${IS_USERS_SCHEMA} AND NOT ${IS_EXTENSIONS}
              AND NOT (has_schema_privilege(n.oid, 'USAGE') AND has_sequence_privilege(c.oid, 'SELECT'))
            ORDER BY 1) AS sequences,
         (SELECT pg_catalog.count(*)::int FROM pg_catalog.pg_largeobject_metadata l
           WHERE NOT pg_has_role(l.lomowner, 'USAGE')
             AND NOT EXISTS (SELECT FROM pg_catalog.aclexplode(l.lomacl) a
                              WHERE a.privilege_type = 'SELECT' AND (a.grantee = 0 OR pg_has_role(a.grantee, 'USAGE')))) AS "largeObjects"
`;

/** Reads the privileges of the connected role on the server and on the whole database. */
export const DATABASE_PRIVILEGES = `
  SELECT current_user::text AS role, d.datname AS database,
         has_database_privilege(d.oid, 'TEMPORARY') AS "mayMakeTemporary",
         has_database_privilege(d.oid, 'CREATE') AS "mayCreateIn",
         r.rolsuper OR r.rolcreatedb AS "mayCreateDatabases",
         pg_has_role(d.datdba, 'USAGE') AS "actsAsOwner",
         (SELECT o.rolname FROM pg_catalog.pg_roles o WHERE o.oid = d.datdba AND NOT o.rolsuper) AS owner,
         EXISTS (SELECT FROM pg_catalog.pg_database m
                  WHERE m.datname IN ('postgres', 'template1') AND m.oid <> d.oid AND m.datallowconn
                    AND has_database_privilege(m.oid, 'CONNECT')) AS "mayMaintain"
    FROM pg_catalog.pg_database d, pg_catalog.pg_roles r
   WHERE d.datname = pg_catalog.current_database() AND r.rolname = current_user
`;
