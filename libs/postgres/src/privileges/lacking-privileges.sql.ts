import { partitionTree, relationsOf } from '../catalog/statements/partition-tree.sql.js';
import { IS_USERS_TRIGGER } from '../catalog/statements/foreign-keys.sql.js';

/**
 * Returns the privileges that locking tables and reading all their rows needs and that the current role
 * lacks. $1: the tables' oids. The rows of a partitioned table are read from its partitions.
 */
export const LACKING_ON_SOURCE = `
  SELECT t.oid::text AS key, l.privilege, l.kind AS "objectKind", l.schema, l.object, NULL AS owner, current_user AS role
    FROM unnest($1::oid[]) AS t (oid)
    CROSS JOIN LATERAL (SELECT t.oid UNION SELECT relid FROM ${partitionTree('t.oid')} AS tree) AS p
    JOIN pg_catalog.pg_class c ON c.oid = p.oid
    JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace
    CROSS JOIN LATERAL (SELECT CASE WHEN p.oid <> t.oid THEN n.nspname END AS schema, CASE WHEN p.oid <> t.oid THEN c.relname END AS name) AS o
    CROSS JOIN LATERAL (VALUES
      ('usage', 'schema', n.nspname, NULL::name, has_schema_privilege(n.oid, 'USAGE')),
      ('select', 'table', o.schema, o.name, has_table_privilege(c.oid, 'SELECT')),
      ('bypass_row_security', 'table', o.schema, o.name, NOT row_security_active(c.oid) OR NOT has_table_privilege(c.oid, 'SELECT'))
    ) AS l (privilege, kind, schema, object, granted)
   WHERE NOT l.granted
   ORDER BY t.oid, l.kind, l.privilege DESC, l.schema, l.object
`;

/**
 * Returns the privileges that replacing the rows of tables needs and that the current role lacks. $1: the
 * tables' oids. Some steps need ownership: recreating foreign keys that reference the tables, disabling
 * triggers and rules, and setting sequences, even those that only a default uses. The owner is NULL if it is a
 * superuser, because no role should become a member of a superuser.
 */
export const LACKING_TO_REPLACE = `
  WITH listed AS (
    SELECT c.oid, c.relowner, c.relnamespace, n.nspname FROM unnest($1::oid[]) AS t (oid)
      JOIN pg_catalog.pg_class c ON c.oid = t.oid JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace
  ), parts AS (
    SELECT l.oid AS listed, p.oid FROM listed l CROSS JOIN LATERAL (
      SELECT l.oid UNION SELECT relid FROM ${partitionTree('l.oid')} AS tree) AS p
  ), referenced AS (${relationsOf('$1::oid[]')}
  ), needs AS (
    SELECT l.oid AS table, v.* FROM listed l CROSS JOIN LATERAL (VALUES
      ('usage', 'schema', l.nspname, NULL::name, NULL::oid, has_schema_privilege(l.relnamespace, 'USAGE')),
      ('select', 'table', NULL, NULL, NULL, has_table_privilege(l.oid, 'SELECT')),
      ('insert', 'table', NULL, NULL, NULL, has_table_privilege(l.oid, 'INSERT')),
      ('truncate', 'table', NULL, NULL, NULL, has_table_privilege(l.oid, 'TRUNCATE')),
      ('bypass_row_security', 'table', NULL, NULL, NULL, NOT row_security_active(l.oid))
    ) AS v (privilege, kind, schema, object, owner, granted)
    UNION
    SELECT p.listed, 'ownership', 'table', CASE WHEN r.oid <> p.listed THEN n.nspname END, CASE WHEN r.oid <> p.listed THEN r.relname END,
           r.relowner, pg_has_role(r.relowner, 'USAGE')
      FROM parts p JOIN pg_catalog.pg_class r ON r.oid = p.oid JOIN pg_catalog.pg_namespace n ON n.oid = r.relnamespace
     WHERE EXISTS (SELECT FROM pg_catalog.pg_trigger g WHERE g.tgrelid = p.oid AND ${IS_USERS_TRIGGER} AND g.tgenabled <> 'D')
        OR EXISTS (SELECT FROM pg_catalog.pg_rewrite w WHERE w.ev_class = p.oid AND w.ev_enabled <> 'D')
    UNION
    SELECT p.listed, 'ownership', 'table', CASE WHEN r.oid <> p.listed THEN n.nspname END, CASE WHEN r.oid <> p.listed THEN r.relname END,
           r.relowner, pg_has_role(r.relowner, 'USAGE')
      FROM pg_catalog.pg_constraint k JOIN referenced p ON p.relation = k.confrelid
      JOIN pg_catalog.pg_class r ON r.oid = k.conrelid JOIN pg_catalog.pg_namespace n ON n.oid = r.relnamespace
     WHERE k.contype = 'f' AND k.conparentid = 0
    UNION
    SELECT p.listed, 'references', 'table', CASE WHEN r.oid <> p.listed THEN n.nspname END, CASE WHEN r.oid <> p.listed THEN r.relname END,
           NULL, has_table_privilege(k.confrelid, 'REFERENCES')
      FROM pg_catalog.pg_constraint k JOIN referenced p ON p.relation = k.confrelid
      JOIN pg_catalog.pg_class r ON r.oid = k.confrelid JOIN pg_catalog.pg_namespace n ON n.oid = r.relnamespace
     WHERE k.contype = 'f' AND k.conparentid = 0
    UNION
    SELECT d.refobjid, 'ownership', 'sequence', n.nspname, s.relname, s.relowner, pg_has_role(s.relowner, 'USAGE')
      FROM pg_catalog.pg_depend d JOIN listed l ON l.oid = d.refobjid
      JOIN pg_catalog.pg_class s ON s.oid = d.objid AND s.relkind = 'S' JOIN pg_catalog.pg_namespace n ON n.oid = s.relnamespace
     WHERE d.classid = 'pg_catalog.pg_class'::regclass AND d.refclassid = 'pg_catalog.pg_class'::regclass AND d.deptype IN ('a', 'i')
    UNION
    SELECT f.adrelid, 'ownership', 'sequence', n.nspname, s.relname, s.relowner, pg_has_role(s.relowner, 'USAGE')
      FROM pg_catalog.pg_attrdef f JOIN listed l ON l.oid = f.adrelid
      JOIN pg_catalog.pg_depend d ON d.classid = 'pg_catalog.pg_attrdef'::regclass AND d.objid = f.oid AND d.refclassid = 'pg_catalog.pg_class'::regclass
      JOIN pg_catalog.pg_class s ON s.oid = d.refobjid AND s.relkind = 'S' JOIN pg_catalog.pg_namespace n ON n.oid = s.relnamespace
  )
  SELECT needs.table::text AS key, privilege, kind AS "objectKind", schema, object, o.rolname AS owner, current_user AS role
    FROM needs LEFT JOIN pg_catalog.pg_roles o ON o.oid = needs.owner AND NOT o.rolsuper
   WHERE NOT granted
   ORDER BY needs.table, privilege, kind, schema, object
`;

/**
 * Returns the privileges that creating tables in schemas needs and that the current role lacks. $1: the names
 * of the schemas. Also checks CREATE on the database, because every job creates a schema.
 */
export const LACKING_TO_CREATE = `
  SELECT s.name AS key, l.privilege, 'schema' AS "objectKind", n.nspname AS schema, NULL AS object, NULL AS owner, current_user AS role
    FROM unnest($1::text[]) AS s (name)
    JOIN pg_catalog.pg_namespace n ON n.nspname = s.name
    CROSS JOIN LATERAL (VALUES
      ('create', has_schema_privilege(n.oid, 'CREATE')), ('usage', has_schema_privilege(n.oid, 'USAGE'))
    ) AS l (privilege, granted)
   WHERE NOT l.granted
   UNION ALL
  SELECT '', 'create', 'database', NULL, current_database(), NULL, current_user
   WHERE NOT has_database_privilege(current_database(), 'CREATE')
`;
