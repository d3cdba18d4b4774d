/** $1: a table's oid. Its unique indexes over plain columns, in full: their columns by name. */
export const UNIQUE_COLUMNS = `
  SELECT ARRAY(SELECT a.attname::text FROM unnest(i.indkey::int2[]) WITH ORDINALITY AS k (attnum, position)
                 JOIN pg_catalog.pg_attribute a ON a.attrelid = i.indrelid AND a.attnum = k.attnum
                WHERE k.position <= i.indnkeyatts ORDER BY k.position) AS columns
    FROM pg_catalog.pg_index i
   WHERE i.indrelid = $1::oid AND i.indisunique AND i.indisvalid AND i.indpred IS NULL AND i.indexprs IS NULL
   ORDER BY i.indexrelid
`;

/** $1: a table's oid. Its check constraints as the server writes them, and whether the rows that are there fulfil them. */
export const CHECK_CONSTRAINTS = `
  SELECT pg_catalog.pg_get_expr(c.conbin, c.conrelid) AS expression, c.convalidated AS is_validated,
         ARRAY(SELECT a.attname::text FROM pg_catalog.pg_attribute a
                WHERE a.attrelid = c.conrelid AND a.attnum = ANY (c.conkey) ORDER BY a.attnum) AS columns
    FROM pg_catalog.pg_constraint c
   WHERE c.conrelid = $1::oid AND c.contype = 'c'
   ORDER BY c.oid
`;
