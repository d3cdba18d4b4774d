/**
 * Selects the types of tables' columns. For a domain, selects its base type and modifier. `position` is the table's
 * position in $1, from 1. $1: quoted names of the tables.
 */
export const COLUMN_TYPES = `
  WITH RECURSIVE base AS (
    SELECT t.position, a.attname, a.atttypid AS type, a.atttypmod AS typmod
      FROM pg_catalog.unnest($1::text[]) WITH ORDINALITY AS t (name, position)
      JOIN pg_catalog.pg_attribute a ON a.attrelid = t.name::pg_catalog.regclass AND a.attnum > 0 AND NOT a.attisdropped
    UNION ALL
    SELECT b.position, b.attname, d.typbasetype, d.typtypmod
      FROM base b JOIN pg_catalog.pg_type d ON d.oid = b.type AND d.typtype = 'd'
  )
  SELECT b.position::int4 AS position, b.attname AS column, b.type::int8::float8 AS type,
         pg_catalog.format_type(b.type, b.typmod) AS name, pg_catalog.getdatabaseencoding() AS encoding
    FROM base b JOIN pg_catalog.pg_type t ON t.oid = b.type AND t.typtype <> 'd'
`;
