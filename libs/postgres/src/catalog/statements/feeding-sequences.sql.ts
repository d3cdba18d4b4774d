import { namedSequences } from './named-sequences.sql.js';

// Matches a default that does nothing but call nextval, with casts between types of numbers. No backslashes,
// whose meaning in literals is a setting.
const ONLY_NEXTVAL = `^[(]*nextval[(][(]?''([^'']|'''')+''(::text[)])?(::regclass)?[)]([)]::(smallint|integer|bigint|numeric))*$`;

/** The number of integers from 0 that a numeric with the modifier `typmod` can hold; null without a modifier. */
const INTEGERS = `CASE WHEN b.typmod >= 4
  THEN trunc(10::numeric ^ (((b.typmod - 4) >> 16 & 65535) - (((b.typmod - 4) & 2047 # 1024) - 1024))) END`;

/**
 * Returns the sequences that give the columns of tables and of their partitions their values: owned sequences
 * (serial, identity), and sequences in a default or in its text. `is_number` is true if the column's values are those
 * of the sequence. Such a column is an integer or numeric, or a domain of one. Its default only calls nextval, or it
 * has no default. The values of a sequence with CYCLE do not show its position. `min` and `max` bound the values that
 * both the sequence and the column's type have. $1: the quoted names of the tables. `position` is an index into them.
 */
export const FEEDING_SEQUENCES = `
  SELECT DISTINCT l.n::int - 1 AS position, feeding.*
    FROM pg_catalog.unnest($1::text[]) WITH ORDINALITY AS l (name, n)
   CROSS JOIN LATERAL (SELECT l.name::regclass::oid UNION SELECT relid FROM pg_catalog.pg_partition_tree(l.name::regclass)) AS part (oid)
   CROSS JOIN LATERAL (
  WITH RECURSIVE base AS (
    SELECT a.attnum, a.atttypid AS type, a.atttypmod AS typmod FROM pg_catalog.pg_attribute a
     WHERE a.attrelid = part.oid AND a.attnum > 0 AND NOT a.attisdropped
    UNION ALL
    SELECT b.attnum, t.typbasetype, t.typtypmod FROM base b JOIN pg_catalog.pg_type t ON t.oid = b.type AND t.typtype = 'd'
  )
  SELECT DISTINCT n.nspname AS schema, s.relname AS table, a.attname AS column,
         EXISTS (SELECT FROM base b JOIN pg_catalog.pg_type t ON t.oid = b.type
                  WHERE b.attnum = fed.attnum AND t.typname IN ('int2', 'int4', 'int8', 'numeric')
                    AND t.typnamespace = 'pg_catalog'::pg_catalog.regnamespace)
         AND NOT EXISTS (SELECT FROM pg_catalog.pg_attrdef f WHERE f.adrelid = part.oid AND f.adnum = fed.attnum
                            AND pg_catalog.pg_get_expr(f.adbin, f.adrelid) !~ '${ONLY_NEXTVAL}')
         AND NOT q.seqcycle AS is_number,
         q.seqincrement::text AS increment, GREATEST(q.seqmin, fits.min)::text AS min, LEAST(q.seqmax, fits.max)::text AS max
    FROM pg_catalog.pg_class s
    JOIN pg_catalog.pg_sequence q ON q.seqrelid = s.oid
    JOIN pg_catalog.pg_namespace n ON n.oid = s.relnamespace
    JOIN (
      SELECT d.objid AS sequence, d.refobjsubid AS attnum FROM pg_catalog.pg_depend d
       WHERE d.classid = 'pg_catalog.pg_class'::regclass AND d.refclassid = 'pg_catalog.pg_class'::regclass
         AND d.refobjid = part.oid AND d.deptype IN ('a', 'i') AND d.refobjsubid > 0
      UNION
      SELECT d.refobjid, f.adnum FROM pg_catalog.pg_attrdef f
        JOIN pg_catalog.pg_depend d ON d.classid = 'pg_catalog.pg_attrdef'::regclass AND d.objid = f.oid
         AND d.refclassid = 'pg_catalog.pg_class'::regclass
       WHERE f.adrelid = part.oid AND d.refobjid <> part.oid
      UNION
      SELECT named.oid, f.adnum FROM pg_catalog.pg_attrdef f
        JOIN pg_catalog.pg_class r ON r.oid = f.adrelid,
             LATERAL (${namedSequences('pg_catalog.pg_get_expr(f.adbin, f.adrelid)', 'r.relnamespace')}) AS named
       WHERE f.adrelid = part.oid
    ) AS fed ON fed.sequence = s.oid
    JOIN pg_catalog.pg_attribute a ON a.attrelid = part.oid AND a.attnum = fed.attnum
    LEFT JOIN LATERAL (
      SELECT CASE t.typname WHEN 'int2' THEN -32768 WHEN 'int4' THEN -2147483648 WHEN 'numeric' THEN 1 - ${INTEGERS} END,
             CASE t.typname WHEN 'int2' THEN 32767 WHEN 'int4' THEN 2147483647 WHEN 'numeric' THEN ${INTEGERS} - 1 END
        FROM base b JOIN pg_catalog.pg_type t ON t.oid = b.type
       WHERE b.attnum = fed.attnum AND t.typtype <> 'd' AND t.typnamespace = 'pg_catalog'::pg_catalog.regnamespace
    ) AS fits (min, max) ON true
   WHERE s.relkind = 'S'
  ) AS feeding
`;
