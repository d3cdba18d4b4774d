/**
 * Tests whether the index `i` of pg_index belongs to an exclusion constraint that only compares values with `=`, so that
 * it prevents equal rows.
 * @param exception SQL that is true for an operator `p` of pg_operator that does not count
 */
export const excludesEqual = (exception = 'false') => `EXISTS (
  SELECT FROM pg_catalog.pg_constraint x
   WHERE x.conindid = i.indexrelid AND x.conrelid = i.indrelid AND x.contype = 'x' AND NOT EXISTS (
     SELECT FROM pg_catalog.unnest(x.conexclop) AS o (oid) JOIN pg_catalog.pg_operator p ON p.oid = o.oid
      WHERE p.oprname <> '=' OR ${exception}))`;

/**
 * Returns the indexes of a table that prevent equal rows: unique indexes, and exclusion constraints with only the
 * operator `=`. $1: the table's oid. Returns for each index its keys in SQL, the column of each key that is not an
 * expression, and the predicate if the index is partial.
 */
export const UNIQUE_INDEXES = `
  SELECT c.relname AS name, NOT i.indisunique AS "isExclusion",
         ARRAY(SELECT pg_catalog.pg_get_indexdef(i.indexrelid, k, false) FROM pg_catalog.generate_series(1, i.indnkeyatts) AS k ORDER BY k) AS keys,
         ARRAY(SELECT a.attname::text FROM pg_catalog.generate_series(1, i.indnkeyatts) AS k
                 LEFT JOIN pg_catalog.pg_attribute a ON a.attrelid = i.indrelid AND a.attnum = i.indkey[k - 1] ORDER BY k) AS columns,
         pg_catalog.pg_get_expr(i.indpred, i.indrelid) AS predicate,
         coalesce((to_jsonb(i) ->> 'indnullsnotdistinct')::bool, false) AS "nullsNotDistinct"
    FROM pg_catalog.pg_index i
    JOIN pg_catalog.pg_class c ON c.oid = i.indexrelid
   WHERE i.indrelid = $1::oid AND i.indisvalid
     AND (i.indisunique OR ${excludesEqual("p.oprnamespace <> 'pg_catalog'::regnamespace")})
   ORDER BY i.indexrelid
`;

/**
 * Returns the enforced check constraints of a table in SQL, and whether the existing rows are known to fulfil them. $1:
 * the table's oid.
 */
export const CHECK_CONSTRAINTS = `
  SELECT c.conname AS name, pg_catalog.pg_get_expr(c.conbin, c.conrelid) AS expression, c.convalidated AS is_validated,
         ARRAY(SELECT a.attname::text FROM pg_catalog.pg_attribute a
                WHERE a.attrelid = c.conrelid AND a.attnum = ANY (c.conkey) ORDER BY a.attnum) AS columns
    FROM pg_catalog.pg_constraint c
   WHERE c.conrelid = $1::oid AND c.contype = 'c' AND coalesce((to_jsonb(c) ->> 'conenforced')::bool, true)
   ORDER BY c.oid
`;

/**
 * Tests whether all called functions belong to pg_catalog and are immutable: their results depend only on their
 * arguments. $1: the functions' names, $2: the number of arguments of each call.
 */
export const ARE_IMMUTABLE = `
  SELECT NOT EXISTS (
    SELECT FROM ROWS FROM (unnest($1::text[]), unnest($2::int4[])) AS f (name, args)
     WHERE NOT coalesce((SELECT bool_and(p.provolatile = 'i' AND p.prokind = 'f' AND NOT p.proretset) FROM pg_catalog.pg_proc p
                          WHERE p.pronamespace = 'pg_catalog'::regnamespace AND p.proname = f.name
                            AND (p.provariadic <> 0 OR f.args BETWEEN p.pronargs - p.pronargdefaults AND p.pronargs)), false)
  ) AS immutable
`;
