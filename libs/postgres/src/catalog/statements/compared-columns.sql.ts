/**
 * Returns the properties of a table's columns that decide whether they can store the values of another database. $1:
 * the table's oid. `type` is the same text in two databases if and only if the types are the same. It contains the
 * schema and the modifier. For a type of an extension, the name of the extension replaces the schema.
 */
export const COMPARED_COLUMNS = `
  SELECT a.attname AS name, a.attnotnull AS not_null,
         -- From version 18, NOT NULL may be NOT VALID: earlier NULLs remain, and new ones are rejected.
         a.attnotnull AND NOT EXISTS (
           SELECT FROM pg_catalog.pg_constraint k
            WHERE k.conrelid = a.attrelid AND k.contype = 'n' AND NOT k.convalidated AND a.attnum = ANY (k.conkey)) AS never_null,
         a.attgenerated <> '' AS generated,
         t.typname AS type_name, t.typcategory AS category, a.atttypmod AS modifier,
         coalesce('extension ' || e.extname || ' ' || t.typname, pg_catalog.format_type(t.oid, NULL)) AS base,
         coalesce('extension ' || e.extname || ' ' || t.typname, pg_catalog.format_type(t.oid, a.atttypmod)) AS type,
         CASE WHEN a.atttypmod < 0 THEN NULL WHEN t.typname IN ('varchar', 'bpchar') THEN a.atttypmod - 4
              WHEN t.typname IN ('bit', 'varbit') THEN a.atttypmod END AS length,
         c.collname AS collation,
         (SELECT array_agg(l.enumlabel::text) FROM pg_catalog.pg_enum l WHERE l.enumtypid IN (t.oid, t.typelem)) AS labels
    FROM pg_catalog.pg_attribute a
    JOIN pg_catalog.pg_type t ON t.oid = a.atttypid
    LEFT JOIN pg_catalog.pg_collation c ON c.oid = a.attcollation
    LEFT JOIN pg_catalog.pg_depend d ON d.classid = 'pg_catalog.pg_type'::regclass AND d.deptype = 'e'
     -- On some versions an array type does not belong to the extension, but the type of its elements does.
     AND d.objid = CASE WHEN t.typcategory = 'A' AND t.typelem <> 0 THEN t.typelem ELSE t.oid END
    LEFT JOIN pg_catalog.pg_extension e ON e.oid = d.refobjid
   WHERE a.attrelid = $1::oid AND a.attnum > 0 AND NOT a.attisdropped
   ORDER BY a.attnum
`;
