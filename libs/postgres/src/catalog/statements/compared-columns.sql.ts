/**
 * $1: a table's oid. Its columns with all that a row of another database has to fit. `type` is the same text in two
 * databases exactly when the type is: with its modifier, its schema, or its extension wherever that was installed.
 */
export const COMPARED_COLUMNS = `
  SELECT a.attname AS name, a.attnotnull AS not_null,
         -- From 18 on NOT NULL may be NOT VALID: NULLs that were there before it stay, new ones are refused.
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
     -- An array's type is no member of the extension on all versions; that of its elements is.
     AND d.objid = CASE WHEN t.typcategory = 'A' AND t.typelem <> 0 THEN t.typelem ELSE t.oid END
    LEFT JOIN pg_catalog.pg_extension e ON e.oid = d.refobjid
   WHERE a.attrelid = $1::oid AND a.attnum > 0 AND NOT a.attisdropped
   ORDER BY a.attnum
`;
