import { namedSequences } from './named-sequences.sql.js';

// Matches a default that does nothing but call nextval, with casts between types of numbers. No backslashes,
// whose meaning in literals is a setting.
const ONLY_NEXTVAL = `^[(]*nextval[(][(]?''([^'']|'''')+''(::text[)])?(::regclass)?[)]([)]::(smallint|integer|bigint|numeric))*$`;

/**
 * Returns the sequences that give the columns of tables and of their partitions their values: owned sequences
 * (serial, identity), and sequences in a default or in its text. `is_number` is true if the column's values are those
 * of the sequence. Such a column is an integer or numeric, or a domain of one. Its default only calls nextval, or it
 * has no default. The values of a sequence with CYCLE do not show its position. $1: the quoted names of the tables.
 * `position` is an index into them.
 */
export const FEEDING_SEQUENCES = `
  SELECT DISTINCT l.n::int - 1 AS position, feeding.*
    FROM pg_catalog.unnest($1::text[]) WITH ORDINALITY AS l (name, n)
   CROSS JOIN LATERAL (SELECT l.name::regclass::oid UNION SELECT relid FROM pg_catalog.pg_partition_tree(l.name::regclass)) AS part (oid)
   CROSS JOIN LATERAL (
  WITH RECURSIVE base AS (
    SELECT a.attnum, a.atttypid AS type FROM pg_catalog.pg_attribute a
     WHERE a.attrelid = part.oid AND a.attnum > 0 AND NOT a.attisdropped
    UNION ALL
    SELECT b.attnum, t.typbasetype FROM base b JOIN pg_catalog.pg_type t ON t.oid = b.type AND t.typtype = 'd'
  )
  SELECT DISTINCT n.nspname AS schema, s.relname AS table, a.attname AS column,
         EXISTS (SELECT FROM base b JOIN pg_catalog.pg_type t ON t.oid = b.type
                  WHERE b.attnum = fed.attnum AND t.typname IN ('int2', 'int4', 'int8', 'numeric')
                    AND t.typnamespace = 'pg_catalog'::pg_catalog.regnamespace)
         AND NOT EXISTS (SELECT FROM pg_catalog.pg_attrdef f WHERE f.adrelid = part.oid AND f.adnum = fed.attnum
                            AND pg_catalog.pg_get_expr(f.adbin, f.adrelid) !~ '${ONLY_NEXTVAL}')
         AND NOT q.seqcycle AS is_number,
         q.seqincrement::text AS increment, q.seqmin::text AS min, q.seqmax::text AS max
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
   WHERE s.relkind = 'S'
  ) AS feeding
`;
