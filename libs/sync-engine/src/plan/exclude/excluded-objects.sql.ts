/** The first oid of objects that initdb did not create. */
const FIRST_USERS_OID = 16_384;

/** The words of pg_identify_object for a kind, and the kind in a failure. */
const KIND = `
  CASE WHEN i.type IN ('function', 'procedure', 'aggregate') THEN 'function'
       WHEN i.type IN ('table', 'view', 'materialized view', 'foreign table', 'sequence') THEN 'relation'
       WHEN i.type IN ('operator class', 'operator family') THEN 'operator_class'
       WHEN i.type IN ('table constraint', 'domain constraint') THEN 'constraint'
       WHEN i.type IN ('type', 'schema', 'extension', 'collation', 'operator', 'policy', 'trigger', 'index', 'rule', 'publication') THEN i.type
       ELSE 'other' END`;

/** Adds the objects that depend on those of `name`, as DROP … CASCADE does, and tables whose columns need them. */
const CLOSURE = (name: string, roots: string) => `
  ${name} (classid, objid) AS (
    ${roots}
    UNION
    SELECT n.classid, n.objid FROM ${name} c CROSS JOIN LATERAL (
      SELECT d.classid, d.objid FROM pg_catalog.pg_depend d
       WHERE d.refclassid = c.classid AND d.refobjid = c.objid AND d.classid <> 'pg_catalog.pg_default_acl'::regclass
      UNION ALL
      SELECT d.refclassid, d.refobjid FROM pg_catalog.pg_depend d
       WHERE d.classid = c.classid AND d.objid = c.objid AND d.deptype = 'i'
      UNION ALL
      SELECT 'pg_catalog.pg_class'::regclass, a.adrelid FROM pg_catalog.pg_attrdef a
       WHERE c.classid = 'pg_catalog.pg_attrdef'::regclass AND a.oid = c.objid
      UNION ALL
      SELECT CASE k.conrelid WHEN 0 THEN 'pg_catalog.pg_type'::regclass ELSE 'pg_catalog.pg_class'::regclass END,
             CASE k.conrelid WHEN 0 THEN k.contypid ELSE k.conrelid END
        FROM pg_catalog.pg_constraint k
       WHERE c.classid = 'pg_catalog.pg_constraint'::regclass AND k.oid = c.objid AND k.contype IN ('c', 'n')) n
  )`;

/**
 * Lists the objects that a new database does not get, by the catalog and the oid.
 * - `excluded` are the chosen schemas with their objects and the chosen tables, with all of their parts.
 * - `skipped` are the objects whose kind and identity match a pattern, and what depends on them.
 * - Other objects depend on what is excluded.
 *
 * `isNamed` is false for a part that has no name of its own, such as the array type of a type. $1: names of schemas, $2
 * and $3: schemas and names of tables, $4: patterns of LIKE for kind and identity, such as `function public.f%`.
 */
export const EXCLUDED_OBJECTS = `
  WITH RECURSIVE chosen (classid, objid) AS (
    SELECT 'pg_catalog.pg_namespace'::regclass::oid, n.oid FROM pg_catalog.pg_namespace n WHERE n.nspname = ANY ($1::text[])
    UNION
    SELECT 'pg_catalog.pg_class'::regclass, c.oid
      FROM ROWS FROM (pg_catalog.unnest($2::text[]), pg_catalog.unnest($3::text[])) AS w (schema, name)
      JOIN pg_catalog.pg_namespace n ON n.nspname = w.schema
      JOIN pg_catalog.pg_class c ON c.relnamespace = n.oid AND c.relname = w.name AND c.relkind IN ('r', 'p', 'f')
  ), excluded (classid, objid) AS (
    SELECT classid, objid FROM chosen
    UNION
    SELECT d.classid, d.objid FROM excluded c
      JOIN pg_catalog.pg_depend d ON d.refclassid = c.classid AND d.refobjid = c.objid
     WHERE d.deptype IN ('a', 'i', 'P', 'S') OR c.classid = 'pg_catalog.pg_namespace'::regclass
  ), candidates AS (
    SELECT classid, objid FROM pg_catalog.pg_depend WHERE objid >= ${FIRST_USERS_OID} AND deptype <> 'e' AND pg_catalog.cardinality($4::text[]) > 0
    UNION SELECT 'pg_catalog.pg_publication'::regclass, oid FROM pg_catalog.pg_publication
    UNION SELECT 'pg_catalog.pg_foreign_data_wrapper'::regclass, oid FROM pg_catalog.pg_foreign_data_wrapper WHERE oid >= ${FIRST_USERS_OID}
  ), matching AS (
    SELECT c.classid, c.objid FROM candidates c CROSS JOIN LATERAL pg_catalog.pg_identify_object(c.classid, c.objid, 0) i
     WHERE i.type || ' ' || i.identity LIKE ANY ($4::text[])
  ), ${CLOSURE('skipped', 'SELECT classid, objid FROM matching')},
  ${CLOSURE('left_out', 'SELECT classid, objid FROM chosen UNION SELECT classid, objid FROM skipped')}
  SELECT o.classid || ' ' || o.objid AS address, ${KIND} AS kind, i.schema,
         coalesce(i.name, p.proname, k.conname, g.tgname, w.rulename) AS name,
         i.type || ' ' || i.identity AS identity, e.objid IS NOT NULL AS "isExcluded", s.objid IS NOT NULL AS "isSkipped",
         CASE o.classid
           WHEN 'pg_catalog.pg_class'::regclass THEN c.relnamespace <> 'pg_toast'::regnamespace
           WHEN 'pg_catalog.pg_type'::regclass THEN t.typcategory <> 'A' AND (r.oid IS NULL OR r.relkind = 'c')
           WHEN 'pg_catalog.pg_trigger'::regclass THEN NOT g.tgisinternal
           WHEN 'pg_catalog.pg_rewrite'::regclass THEN w.rulename <> '_RETURN'
           ELSE o.classid NOT IN ('pg_catalog.pg_attrdef'::regclass, 'pg_catalog.pg_amop'::regclass, 'pg_catalog.pg_amproc'::regclass)
                AND o.objid >= ${FIRST_USERS_OID} END AS "isNamed",
         CASE WHEN c.relkind IN ('r', 'p') THEN c.relname END AS table,
         coalesce(c.relispartition, false) AND c.relkind IN ('r', 'p', 'f') AND parent.objid IS NULL AS "isPartOfKept"
    FROM left_out o
    LEFT JOIN excluded e ON e.classid = o.classid AND e.objid = o.objid
    LEFT JOIN skipped s ON s.classid = o.classid AND s.objid = o.objid
    LEFT JOIN pg_catalog.pg_class c ON o.classid = 'pg_catalog.pg_class'::regclass AND c.oid = o.objid
    LEFT JOIN pg_catalog.pg_inherits h ON h.inhrelid = c.oid AND c.relispartition
    LEFT JOIN left_out parent ON parent.classid = 'pg_catalog.pg_class'::regclass AND parent.objid = h.inhparent
    LEFT JOIN pg_catalog.pg_proc p ON o.classid = 'pg_catalog.pg_proc'::regclass AND p.oid = o.objid
    LEFT JOIN pg_catalog.pg_type t ON o.classid = 'pg_catalog.pg_type'::regclass AND t.oid = o.objid
    LEFT JOIN pg_catalog.pg_class r ON r.oid = t.typrelid
    LEFT JOIN pg_catalog.pg_trigger g ON o.classid = 'pg_catalog.pg_trigger'::regclass AND g.oid = o.objid
    LEFT JOIN pg_catalog.pg_constraint k ON o.classid = 'pg_catalog.pg_constraint'::regclass AND k.oid = o.objid
    LEFT JOIN pg_catalog.pg_rewrite w ON o.classid = 'pg_catalog.pg_rewrite'::regclass AND w.oid = o.objid
   CROSS JOIN LATERAL pg_catalog.pg_identify_object(o.classid, o.objid, 0) i
   ORDER BY o.classid, o.objid
`;

/** Selects those of the chosen schemas and tables that do not exist. $1, $2, $3 as above. */
export const CHOSEN_NOT_FOUND = `
  SELECT 'schema' AS kind, NULL AS schema, w.name FROM pg_catalog.unnest($1::text[]) AS w (name)
   WHERE NOT EXISTS (SELECT FROM pg_catalog.pg_namespace n WHERE n.nspname = w.name)
   UNION ALL
  SELECT 'relation', w.schema, w.name
    FROM ROWS FROM (pg_catalog.unnest($2::text[]), pg_catalog.unnest($3::text[])) AS w (schema, name)
   WHERE NOT EXISTS (SELECT FROM pg_catalog.pg_class c JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace
                      WHERE n.nspname = w.schema AND c.relname = w.name AND c.relkind IN ('r', 'p', 'f'))
`;
