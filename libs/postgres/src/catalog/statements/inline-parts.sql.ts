/**
 * Returns CHECK constraints and expressions of columns as rows of InlinePart. $1: parts as `<catalog oid> <object oid>`.
 */
export const INLINE_PARTS = `
  SELECT 'pg_catalog.pg_constraint'::regclass::oid || ' ' || k.oid AS address, n.nspname AS schema, r.relname AS table,
         k.conname AS name, NULL::text[] AS prefixes, pg_catalog.pg_get_constraintdef(k.oid) AS clause,
         k.conislocal OR r.relispartition AS is_local
    FROM pg_catalog.pg_constraint k
    JOIN pg_catalog.pg_class r ON r.oid = k.conrelid
    JOIN pg_catalog.pg_namespace n ON n.oid = r.relnamespace
   WHERE k.contype = 'c' AND 'pg_catalog.pg_constraint'::regclass::oid || ' ' || k.oid = ANY ($1::text[])
  UNION ALL
  SELECT 'pg_catalog.pg_attrdef'::regclass::oid || ' ' || f.oid, n.nspname, r.relname, a.attname,
         ARRAY[t.text, t.text || ' COLLATE ' || pg_catalog.quote_ident(s.nspname) || '.' || pg_catalog.quote_ident(c.collname)],
         CASE a.attgenerated WHEN '' THEN 'DEFAULT ' || e.text WHEN 's' THEN 'GENERATED ALWAYS AS (' || e.text || ') STORED'
              ELSE 'GENERATED ALWAYS AS (' || e.text || ')' END,
         a.attislocal OR r.relispartition
    FROM pg_catalog.pg_attrdef f
    JOIN pg_catalog.pg_attribute a ON a.attrelid = f.adrelid AND a.attnum = f.adnum
    JOIN pg_catalog.pg_class r ON r.oid = f.adrelid
    JOIN pg_catalog.pg_namespace n ON n.oid = r.relnamespace
    LEFT JOIN pg_catalog.pg_collation c ON c.oid = a.attcollation
    LEFT JOIN pg_catalog.pg_namespace s ON s.oid = c.collnamespace
    CROSS JOIN LATERAL (SELECT pg_catalog.format_type(a.atttypid, a.atttypmod) AS text) AS t
    CROSS JOIN LATERAL (SELECT pg_catalog.pg_get_expr(f.adbin, f.adrelid) AS text) AS e
   WHERE 'pg_catalog.pg_attrdef'::regclass::oid || ' ' || f.oid = ANY ($1::text[])
`;
