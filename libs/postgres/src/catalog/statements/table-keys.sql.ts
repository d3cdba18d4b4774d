import { LOOSE_LOCALE, NEVER_NULL } from './compared-columns.sql.js';
import { listedKeys } from './listed-keys.sql.js';
import { excludesEqual } from './table-constraints.sql.js';
/** The columns that the expressions and the condition of the index `i` read. */
const EXPRESSION_COLUMNS = `
  ARRAY(SELECT DISTINCT a.attname::text
          FROM pg_catalog.pg_depend d
          JOIN pg_catalog.pg_attribute a ON a.attrelid = d.refobjid AND a.attnum = d.refobjsubid
         WHERE d.classid = 'pg_catalog.pg_class'::pg_catalog.regclass AND d.objid = i.indexrelid AND d.refobjid = i.indrelid
           AND a.attnum <> ALL (i.indkey::int2[]))`;

/**
 * Returns the unique indexes of tables, with one row for each part of a key, in order. $1: the tables' oids. A part is
 * a `column` or an `expression`. Includes partial indexes, and exclusion constraints that only compare with `=`. `inputs`
 * are the columns of expressions, also of the condition of a partial index.
 */
export const UNIQUE_KEYS = `
  SELECT i.indrelid::text AS table, i.indexrelid::text AS index, a.attname AS column,
         CASE WHEN k.attnum = 0 THEN pg_catalog.pg_get_indexdef(i.indexrelid, k.position::int, false) END AS expression,
         coalesce((to_jsonb(i) ->> 'indnullsnotdistinct')::bool, false) AS "nullsNotDistinct",
         ${LOOSE_LOCALE('c')} AS "looseLocale",
         CASE WHEN k.attnum = 0 THEN ${EXPRESSION_COLUMNS} ELSE '{}' END AS inputs
    FROM pg_catalog.pg_index i
   CROSS JOIN LATERAL unnest(i.indkey::int2[]) WITH ORDINALITY AS k (attnum, position)
    LEFT JOIN pg_catalog.pg_collation c ON c.oid = (i.indcollation::oid[])[k.position - 1]
    LEFT JOIN pg_catalog.pg_attribute a ON a.attrelid = i.indrelid AND a.attnum = k.attnum
   WHERE i.indrelid = ANY ($1::oid[]) AND (i.indisunique OR ${excludesEqual()}) AND i.indislive AND k.position <= i.indnkeyatts
   ORDER BY i.indexrelid, k.position
`;

/**
 * Returns the foreign keys of tables, and the foreign keys of any table that reference these tables. $1: the
 * oids of the tables. `table` and `referenced` are the tables of $1 whose rows the key joins, also if the key belongs to
 * their partitions, or to partitioned tables above them. `areValidated` has a value for each column: false if
 * the key does not apply to all rows of the table. A key without MATCH FULL does not apply to rows with a NULL in
 * another of its columns. `hasDefaultEquality` is true if the referenced key compares values like its types' default
 * operator classes.
 */
export const FOREIGN_KEYS_AMONG = `
  WITH ${listedKeys('$1::oid[]')}
  SELECT c.conname AS name, coalesce(l.child, c.conrelid)::text AS table, coalesce(l.parent, c.confrelid)::text AS referenced,
         l.child_is_listed AS "isTableListed", l.parent_is_listed AS "isReferencedListed",
         ARRAY(SELECT a.attname::text FROM unnest(c.conkey) WITH ORDINALITY AS k (attnum, n)
                 JOIN pg_catalog.pg_attribute a ON a.attrelid = c.conrelid AND a.attnum = k.attnum ORDER BY k.n) AS columns,
         ARRAY(SELECT a.attname::text FROM unnest(c.confkey) WITH ORDINALITY AS k (attnum, n)
                 JOIN pg_catalog.pg_attribute a ON a.attrelid = c.confrelid AND a.attnum = k.attnum ORDER BY k.n) AS "referencedColumns",
         ARRAY(SELECT coalesce(l.of_all_rows, true) AND c.convalidated AND coalesce((to_jsonb(c) ->> 'conenforced')::bool, true)
                      AND (c.confmatchtype = 'f' OR NOT EXISTS (
                        SELECT FROM pg_catalog.pg_attribute a
                         WHERE a.attrelid = c.conrelid AND a.attnum = ANY (c.conkey) AND a.attnum <> k.attnum AND NOT ${NEVER_NULL}))
                 FROM unnest(c.conkey) WITH ORDINALITY AS k (attnum, n) ORDER BY k.n) AS "areValidated",
         (SELECT bool_and(EXISTS (
            SELECT FROM pg_catalog.pg_amop o JOIN pg_catalog.pg_opclass d ON d.opcfamily = o.amopfamily
             WHERE o.amopopr = e.operator AND o.amopstrategy = 3 AND o.amoplefttype = d.opcintype AND o.amoprighttype = d.opcintype
               AND d.opcdefault AND d.opcmethod = (SELECT m.oid FROM pg_catalog.pg_am m WHERE m.amname = 'btree')))
            FROM unnest(c.conppeqop) AS e (operator)) AS "hasDefaultEquality"
    FROM listed_keys l
    JOIN pg_catalog.pg_constraint c ON c.oid = l.oid
   ORDER BY c.oid, l.child, l.parent
`;

/**
 * Returns the types of columns in SQL syntax, with the base type of each domain and the collation. $1: the tables' oids.
 */
export const COLUMN_TYPES = `
  WITH RECURSIVE base AS (
    SELECT a.attrelid, a.attnum, t.oid, t.typname, t.typnamespace, t.typtype, t.typbasetype, t.typnotnull
      FROM pg_catalog.pg_attribute a JOIN pg_catalog.pg_type t ON t.oid = a.atttypid
     WHERE a.attrelid = ANY ($1::oid[]) AND a.attnum > 0 AND NOT a.attisdropped
    UNION ALL
    SELECT b.attrelid, b.attnum, t.oid, t.typname, t.typnamespace, t.typtype, t.typbasetype, t.typnotnull
      FROM base b JOIN pg_catalog.pg_type t ON t.oid = b.typbasetype WHERE b.typtype = 'd'
  )
  SELECT a.attrelid::text AS table, a.attname AS column, pg_catalog.format_type(a.atttypid, a.atttypmod) AS sql,
         t.typname AS base, n.nspname AS "baseSchema", t.typtype = 'e' AS "isEnum", t.oid <> a.atttypid AS "isDomain",
         pg_catalog.quote_ident(cn.nspname) || '.' || pg_catalog.quote_ident(c.collname) AS collation,
         ${LOOSE_LOCALE('c')} AS "looseLocale",
         a.attnotnull OR EXISTS (SELECT FROM base b WHERE b.attrelid = a.attrelid AND b.attnum = a.attnum
                                    AND b.typtype = 'd' AND b.typnotnull) AS "notNull"
    FROM pg_catalog.pg_attribute a
    JOIN base t ON t.attrelid = a.attrelid AND t.attnum = a.attnum AND t.typtype <> 'd'
    JOIN pg_catalog.pg_namespace n ON n.oid = t.typnamespace
    LEFT JOIN pg_catalog.pg_collation c ON c.oid = a.attcollation
    LEFT JOIN pg_catalog.pg_namespace cn ON cn.oid = c.collnamespace
   WHERE a.attrelid = ANY ($1::oid[]) AND a.attnum > 0 AND NOT a.attisdropped
`;

/** Returns a condition that is always true. The server evaluates the expression, and reports its errors. */
const EVALUATED = (e: string) => `'CASE WHEN (' || ${e} || ') IS NULL THEN true ELSE true END'`;

/**
 * Returns CHECK constraints as expressions, with the columns that they read. $1: the tables' oids. Also returns the
 * expressions of indexes, as conditions that are true unless their evaluation fails, and of generated columns. `key` is
 * the expression of a unique index that has no further part, with its `predicate`.
 */
export const CHECKS = `
  SELECT c.conrelid::text AS table, true AS "isConstraint", NULL AS computes, pg_catalog.pg_get_expr(c.conbin, c.conrelid) AS expression,
         NULL AS key, NULL AS predicate,
         ARRAY(SELECT a.attname::text FROM pg_catalog.pg_attribute a
                WHERE a.attrelid = c.conrelid AND a.attnum = ANY (c.conkey)) AS columns
    FROM pg_catalog.pg_constraint c
   WHERE c.conrelid = ANY ($1::oid[]) AND c.contype = 'c' AND c.conbin IS NOT NULL
  UNION ALL
  SELECT i.indrelid::text, false, NULL,
         'CASE WHEN ' || coalesce(pg_catalog.pg_get_expr(i.indpred, i.indrelid), 'true') || ' THEN '
           || ${EVALUATED('pg_catalog.pg_get_indexdef(i.indexrelid, k.position::int, false)')} || ' ELSE true END',
         CASE WHEN i.indisunique AND i.indnkeyatts = 1 THEN pg_catalog.pg_get_indexdef(i.indexrelid, 1, false) END,
         pg_catalog.pg_get_expr(i.indpred, i.indrelid),
         ${EXPRESSION_COLUMNS}
    FROM pg_catalog.pg_index i
   CROSS JOIN LATERAL unnest(i.indkey::int2[]) WITH ORDINALITY AS k (attnum, position)
   WHERE i.indrelid = ANY ($1::oid[]) AND i.indexprs IS NOT NULL AND i.indislive AND k.attnum = 0
  UNION ALL
  SELECT g.attrelid::text, false, g.attname, pg_catalog.pg_get_expr(e.adbin, e.adrelid), NULL, NULL,
         ARRAY(SELECT DISTINCT a.attname::text
                 FROM pg_catalog.pg_depend d
                 JOIN pg_catalog.pg_attribute a ON a.attrelid = d.refobjid AND a.attnum = d.refobjsubid
                WHERE (d.classid = 'pg_catalog.pg_attrdef'::pg_catalog.regclass AND d.objid = e.oid
                       OR d.classid = 'pg_catalog.pg_class'::pg_catalog.regclass AND d.objid = g.attrelid AND d.objsubid = g.attnum)
                  AND d.refclassid = 'pg_catalog.pg_class'::pg_catalog.regclass
                  AND d.refobjid = g.attrelid AND a.attnum <> g.attnum)
    FROM pg_catalog.pg_attribute g
    JOIN pg_catalog.pg_attrdef e ON e.adrelid = g.attrelid AND e.adnum = g.attnum
   WHERE g.attrelid = ANY ($1::oid[]) AND g.attgenerated <> '' AND NOT g.attisdropped
`;
