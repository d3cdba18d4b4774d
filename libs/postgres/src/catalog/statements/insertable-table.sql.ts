/** Finds a relation by name. $1: its schema, $2: its name. */
export const FIND_INSERTABLE = `
  SELECT c.oid::text AS oid, c.relkind IN ('r', 'p') AS "isTable",
         has_table_privilege(c.oid, 'INSERT') OR has_any_column_privilege(c.oid, 'INSERT') AS "isAllowed"
    FROM pg_catalog.pg_class c
    JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace
   WHERE n.nspname = $1 AND c.relname = $2 AND c.relkind IN ('r', 'p', 'v', 'm', 'f')
`;

/** Returns the properties of a table's columns that matter for an INSERT. $1: the table's oid. */
export const INSERTABLE_COLUMNS = `
  SELECT a.attname AS name, a.attgenerated <> '' AS "isGenerated", pg_catalog.format_type(a.atttypid, a.atttypmod) AS type, t.typcategory = 'A' AS "isArray",
         (a.attnotnull OR t.typnotnull) AND NOT (a.atthasdef OR a.attidentity <> '' OR t.typdefault IS NOT NULL) AS "isRequired"
    FROM pg_catalog.pg_attribute a
    JOIN pg_catalog.pg_type t ON t.oid = a.atttypid
   WHERE a.attrelid = $1::oid AND a.attnum > 0 AND NOT a.attisdropped
   ORDER BY a.attnum
`;
