import { FEEDS_DEFAULT, IS_COLUMNS_SEQUENCE, IS_EXTENSIONS, IS_USERS_SCHEMA } from './user-objects.sql.js';

/**
 * Reads what decides which statements a role needs in the current database. $1: name of the role.
 *
 * A job acts as the owner of tables, and of sequences in their defaults. `owners` are these owners, except
 * superusers and the role itself. `taken` lists the superusers' objects. In `openSchemas`, an owner may create
 * objects, and so may its members.
 */
export const READ_LAYOUT = `
  WITH schemas AS (
    SELECT n.oid, n.nspname FROM pg_catalog.pg_namespace n WHERE ${IS_USERS_SCHEMA}
  ), relations AS (
    SELECT c.oid, c.relkind, s.nspname, c.relname, c.relowner, o.rolname AS owner, o.rolsuper AS by_superuser,
           c.relrowsecurity, c.relforcerowsecurity, ${IS_EXTENSIONS} AS is_extensions, (c.relkind <> 'S' OR NOT ${IS_COLUMNS_SEQUENCE} AND ${FEEDS_DEFAULT}) AS is_owned
      FROM pg_catalog.pg_class c JOIN schemas s ON s.oid = c.relnamespace JOIN pg_catalog.pg_roles o ON o.oid = c.relowner
     WHERE c.relkind IN ('r', 'p', 'S') AND c.relpersistence <> 't'
  ), owners AS (
    SELECT DISTINCT relowner AS oid, owner AS name FROM relations WHERE is_owned AND NOT is_extensions AND NOT by_superuser AND owner <> $1
  )
  SELECT EXISTS (SELECT FROM pg_catalog.pg_roles WHERE rolname = $1) AS "roleExists",
         EXISTS (SELECT FROM pg_catalog.pg_roles WHERE rolname = $1 AND rolsuper) AS "isSuperuser",
         ARRAY(SELECT nspname::text FROM schemas WHERE oid IN (
                 SELECT c.relnamespace FROM pg_catalog.pg_class c JOIN relations r ON r.oid = c.oid
                  UNION
                 SELECT t.typnamespace FROM pg_catalog.pg_attribute a JOIN relations r ON r.oid = a.attrelid
                   JOIN pg_catalog.pg_type t ON t.oid = a.atttypid) ORDER BY 1) AS "usedSchemas",
         ARRAY(SELECT nspname::text FROM schemas ORDER BY 1) AS schemas,
         ARRAY(SELECT s.nspname::text FROM schemas s WHERE EXISTS (
                 SELECT FROM owners o WHERE has_schema_privilege(o.oid, s.oid, 'USAGE') AND has_schema_privilege(o.oid, s.oid, 'CREATE'))
                ORDER BY 1) AS "openSchemas",
         ARRAY(SELECT name::text FROM owners ORDER BY 1) AS owners,
         ARRAY(SELECT DISTINCT owner::text FROM relations WHERE NOT is_extensions AND owner <> $1 ORDER BY 1) AS creators,
         ARRAY(SELECT pg_catalog.format('%s %I.%I', CASE relkind WHEN 'S' THEN 'SEQUENCE' ELSE 'TABLE' END, nspname, relname)
                 FROM relations WHERE by_superuser AND owner <> $1 AND NOT is_extensions AND is_owned
                ORDER BY nspname, relname) AS taken,
         (SELECT coalesce(pg_catalog.bool_or(relrowsecurity), false) FROM relations) AS "hasRowSecurity",
         (SELECT coalesce(pg_catalog.bool_or(relforcerowsecurity), false) FROM relations) AS "forcesRowSecurity",
         EXISTS (SELECT FROM pg_catalog.pg_largeobject_metadata) AS "hasLargeObjects",
         (SELECT o.rolname::text FROM pg_catalog.pg_roles o WHERE o.oid = d.datdba) AS "databaseOwner",
         (SELECT o.rolsuper FROM pg_catalog.pg_roles o WHERE o.oid = d.datdba) AS "isOwnedBySuperuser"
    FROM pg_catalog.pg_database d
   WHERE d.datname = pg_catalog.current_database()
`;

/** Lists the owners of objects in the current database, except superusers. A restore creates objects for them. */
export const READ_OBJECT_OWNERS = `
  SELECT DISTINCT r.rolname::text AS name
    FROM pg_catalog.pg_shdepend s
    JOIN pg_catalog.pg_database d ON d.oid = s.dbid AND d.datname = pg_catalog.current_database()
    JOIN pg_catalog.pg_roles r ON s.refclassid = 'pg_catalog.pg_authid'::regclass AND r.oid = s.refobjid
   WHERE s.deptype = 'o' AND NOT r.rolsuper
   ORDER BY 1
`;
