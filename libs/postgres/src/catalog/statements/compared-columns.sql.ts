import { withoutSchemas } from './expression-text.sql.js';

/** Selects a use of the type t with a modifier. `base` and `type` are the same text in two databases if the names are. */
const typeUse = (typmod: string) => `
         t.typname AS "typeName", t.typcategory AS category, ${typmod} >= 0 AS "hasModifier",
         coalesce('extension ' || e.extname || ' ' || t.typname, pg_catalog.format_type(t.oid, NULL)) AS base,
         coalesce('extension ' || e.extname || ' ' || t.typname, pg_catalog.format_type(t.oid, ${typmod})) AS type,
         CASE WHEN ${typmod} < 0 THEN NULL WHEN t.typname IN ('varchar', 'bpchar') THEN ${typmod} - 4
              WHEN t.typname IN ('bit', 'varbit') THEN ${typmod} END AS length`;

/** Joins the extension e that a type belongs to, if any. */
const extensionOf = (t: string) => `
    LEFT JOIN pg_catalog.pg_depend d ON d.classid = 'pg_catalog.pg_type'::regclass AND d.deptype = 'e'
     -- On some versions an array type does not belong to the extension, but the type of its elements does.
     AND d.objid = CASE WHEN ${t}.typcategory = 'A' AND ${t}.typelem <> 0 THEN ${t}.typelem ELSE ${t}.oid END
    LEFT JOIN pg_catalog.pg_extension e ON e.oid = d.refobjid`;

/**
 * Tests whether the column `a` of pg_attribute contains no NULL. From version 18, NOT NULL may be NOT VALID: earlier NULLs
 * remain, and new ones are rejected.
 */
export const NEVER_NULL = `(a.attnotnull AND NOT EXISTS (
  SELECT FROM pg_catalog.pg_constraint k
   WHERE k.conrelid = a.attrelid AND k.contype = 'n' AND NOT k.convalidated AND a.attnum = ANY (k.conkey)))`;

/**
 * Returns an expression for the locale of the collation `c`. It is NULL if the collation is deterministic. It is an
 * empty text if the locale is unknown, or if the collation has rules of its own.
 */
export const LOOSE_LOCALE = (c: string) => `
  CASE WHEN NOT ${c}.collisdeterministic THEN
    CASE WHEN to_jsonb(${c}) ->> 'collicurules' IS NOT NULL THEN ''
         ELSE coalesce(to_jsonb(${c}) ->> 'colllocale', to_jsonb(${c}) ->> 'colliculocale', ${c}.collcollate::text, '') END
  END`;

/**
 * Returns the properties of a table's columns that decide whether they can store the values of another database. $1:
 * the table's oid. `type` is the same text in two databases if and only if the names and modifiers of the types are the
 * same. It contains the schema. For a type of an extension, the name of the extension replaces the schema.
 */
export const COMPARED_COLUMNS = `
  SELECT a.attname AS name, a.attnotnull AS "notNull",
         ${NEVER_NULL} AS "neverNull",
         a.attgenerated <> '' AS generated,
         (SELECT ${withoutSchemas('pg_catalog.pg_get_expr(g.adbin, g.adrelid)')} FROM pg_catalog.pg_attrdef g
           WHERE g.adrelid = a.attrelid AND g.adnum = a.attnum AND a.attgenerated <> '') AS expression,
         pg_catalog.current_setting('server_version_num')::int4 / 10000 AS "serverVersion", c.collname AS collation, ${LOOSE_LOCALE('c')} AS "looseLocale", ${typeUse('a.atttypmod')},
         (SELECT array_agg(l.enumlabel::text ORDER BY l.enumsortorder) FROM pg_catalog.pg_enum l WHERE l.enumtypid IN (t.oid, t.typelem)) AS labels
    FROM pg_catalog.pg_attribute a
    JOIN pg_catalog.pg_type t ON t.oid = a.atttypid
    LEFT JOIN pg_catalog.pg_collation c ON c.oid = a.attcollation ${extensionOf('t')}
   WHERE a.attrelid = $1::oid AND a.attnum > 0 AND NOT a.attisdropped
   ORDER BY a.attnum
`;

/** Selects the symbol of a C function of the type c. Versions of an extension can have libraries with other names. */
const code = (oid: string) => `
  SELECT pg_catalog.concat_ws(' ', p.prosrc, CASE WHEN c.extname IS NULL THEN pg_catalog.regexp_replace(p.probin, '^.*/', '') END)
    FROM pg_catalog.pg_proc p WHERE p.oid = ${oid}`;

/**
 * Returns the definitions of types that PostgreSQL does not contain. $1: their oids or NULL, $2: their texts `base` or
 * NULL. `parts` are the types that a type consists of. For a domain, this is the base type, for a composite type the
 * attributes, and for an array the elements. For a range, it is the subtype, and for a multirange the range. `code`
 * describes the storage and the functions of a base type.
 */
export const TYPE_DEFINITIONS = `
  WITH chosen AS (
    SELECT * FROM (
      SELECT t.*, e.extname, coalesce('extension ' || e.extname || ' ' || t.typname, pg_catalog.format_type(t.oid, NULL)) AS base
        FROM pg_catalog.pg_type t ${extensionOf('t')}
       WHERE t.typnamespace <> 'pg_catalog'::pg_catalog.regnamespace AND ($1::oid[] IS NULL OR t.oid = ANY ($1::oid[]))) AS t
     WHERE $2::text[] IS NULL OR t.base = ANY ($2::text[])
  ), part AS (
    SELECT oid AS whole, 1 AS position, '' AS role, typbasetype AS type, typtypmod AS typmod, typcollation AS collation FROM chosen WHERE typtype = 'd'
    UNION ALL SELECT oid, 1, '', typelem, -1, 0 FROM chosen WHERE typcategory = 'A' AND typelem <> 0
    UNION ALL SELECT a.oid, 1, pg_catalog.concat_ws(' ', o.opcname, p.proname), r.rngsubtype, -1, r.rngcollation FROM chosen a
      JOIN pg_catalog.pg_range r ON r.rngtypid = a.oid
      JOIN pg_catalog.pg_opclass o ON o.oid = r.rngsubopc LEFT JOIN pg_catalog.pg_proc p ON p.oid = r.rngcanonical
    UNION ALL SELECT a.oid, 1, '', r.rngtypid, -1, 0 FROM chosen a JOIN pg_catalog.pg_range r ON r.rngmultitypid = a.oid
    UNION ALL SELECT c.oid, a.attnum, a.attname, a.atttypid, a.atttypmod, a.attcollation FROM chosen c
      JOIN pg_catalog.pg_attribute a ON a.attrelid = c.typrelid AND a.attnum > 0 AND NOT a.attisdropped WHERE c.typtype = 'c'
  ), used AS (
    SELECT p.whole, p.position, p.role, t.oid::int8::float8 AS oid, c.collname AS collation,
           ${LOOSE_LOCALE('c')} AS "looseLocale", ${typeUse('p.typmod')}
      FROM part p JOIN pg_catalog.pg_type t ON t.oid = p.type
      LEFT JOIN pg_catalog.pg_collation c ON c.oid = p.collation ${extensionOf('t')}
  )
  SELECT c.oid::int8::float8 AS oid, c.base, c.typname AS name, c.typtype AS kind,
         ARRAY(SELECT l.enumlabel::text FROM pg_catalog.pg_enum l WHERE l.enumtypid = c.oid ORDER BY l.enumsortorder) AS labels,
         CASE WHEN c.typtype = 'b' AND c.typcategory <> 'A' THEN pg_catalog.concat_ws(' ', c.typlen, c.typalign, c.typbyval, (${code('c.typinput')}), (${code('c.typoutput')})) END AS code,
         (SELECT coalesce(pg_catalog.json_agg(u ORDER BY u.position), '[]') FROM used u WHERE u.whole = c.oid) AS parts
    FROM chosen c
`;
