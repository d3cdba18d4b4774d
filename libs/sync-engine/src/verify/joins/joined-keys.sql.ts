import { OWN_RELATIONS, partitionsOf } from '../partitions.sql.js';

/** Writes an array of the names of a relation's columns, in the order of the array `numbers`. */
const columnNames = (relation: string, numbers: string) => `
  ARRAY(SELECT (SELECT a.attname::text FROM pg_catalog.pg_attribute a WHERE a.attrelid = ${relation} AND a.attnum = u.attnum)
          FROM pg_catalog.unnest(${numbers}) AS u (attnum))`;

/**
 * Selects the foreign keys between the rows of the given tables, as pairs of tables with their columns. Shares nothing
 * with the query that the plan uses. It begins with the constraints of the relations that contain the child's rows,
 * because a partition has a constraint of its own for each key that it inherits. A key joins the rows of a given parent
 * if the partitions below the referenced table include any relation of the parent. `child` and `parent` are positions in
 * $1, from 1. Omits missing tables, and keys with PERIOD, because such a reference joins a child with several parents.
 * $1: the quoted names of the tables. $2: whether to return the keys of each table; each key has two tables.
 */
export const JOINED_KEYS = `
  WITH RECURSIVE ${OWN_RELATIONS}, keys AS (
    SELECT o.position, k.conrelid, k.confrelid, k.conkey, k.confkey
      FROM own o JOIN pg_catalog.pg_constraint k ON k.conrelid = o.relation AND k.contype = 'f'
     WHERE pg_catalog.current_setting('server_version_num')::int4 < 180000 OR NOT (pg_catalog.to_jsonb(k) ->> 'conperiod')::bool
  ), referenced AS (
    SELECT DISTINCT confrelid AS root, confrelid AS relation FROM keys
    UNION ALL
    SELECT r.root, p.oid ${partitionsOf('referenced r', 'r.relation')}
  ), joined AS (
    SELECT DISTINCT r.root, o.position FROM referenced r JOIN own o ON o.relation = r.relation
  )
  SELECT DISTINCT k.position AS child, j.position AS parent,
         ${columnNames('k.conrelid', 'k.conkey')} AS "childColumns", ${columnNames('k.confrelid', 'k.confkey')} AS "parentColumns"
    FROM keys k JOIN joined j ON j.root = k.confrelid
   WHERE ($2::bool[])[k.position] OR ($2::bool[])[j.position]
   ORDER BY 1, 2, 3, 4
`;

/**
 * Selects generated columns, with the columns that their parsed expressions name. `position` is the table's position in
 * $1, from 1. $1: the quoted names of the tables.
 */
export const COMPUTED_COLUMNS = `
  SELECT t.position::int4 AS position, a.attname AS column,
         ARRAY(SELECT DISTINCT r.attname::text
                 FROM pg_catalog.regexp_matches(d.adbin::text, ':varattno ([1-9][0-9]*)', 'g') AS v
                 JOIN pg_catalog.pg_attribute r ON r.attrelid = a.attrelid AND r.attnum = v[1]::int2) AS reads
    FROM pg_catalog.unnest($1::text[]) WITH ORDINALITY AS t (name, position)
    JOIN pg_catalog.pg_attribute a ON a.attrelid = pg_catalog.to_regclass(t.name) AND a.attgenerated <> '' AND NOT a.attisdropped
    JOIN pg_catalog.pg_attrdef d ON d.adrelid = a.attrelid AND d.adnum = a.attnum
`;

/**
 * Selects, for pairs of columns, how the server compares them in a foreign key. The operator is the equality of the
 * default B-tree operator class of the parent's type. If the operator family has an equality with the child's type on
 * the right, that one is selected. `parent_type` and `child_type` are the types of the operands, and `collation` is the
 * parent's. `operator` is NULL for a type without a default operator class. Omits pairs with a missing column or table.
 * $1: a JSON array of the pairs: `key`, `pair`, and the quoted names of the tables `parent` and `child` with the names
 * of their columns.
 */
export const KEY_EQUALITY = `
  WITH RECURSIVE pairs AS (
    SELECT r.key, r.pair, pa.atttypid AS parent_type, pa.attcollation AS parent_collation, ca.atttypid AS child_type, ca.attcollation AS child_collation
      FROM pg_catalog.jsonb_to_recordset($1::pg_catalog.jsonb)
             AS r (key int4, pair int4, parent text, parent_column text, child text, child_column text)
      JOIN pg_catalog.pg_attribute pa ON pa.attrelid = pg_catalog.to_regclass(r.parent) AND pa.attname = r.parent_column AND pa.attnum > 0
      JOIN pg_catalog.pg_attribute ca ON ca.attrelid = pg_catalog.to_regclass(r.child) AND ca.attname = r.child_column AND ca.attnum > 0
  ), base AS (
    SELECT t.oid AS type, t.oid AS base FROM pg_catalog.pg_type t
     WHERE t.oid IN (SELECT parent_type FROM pairs UNION SELECT child_type FROM pairs)
    UNION ALL
    SELECT b.type, t.typbasetype FROM base b JOIN pg_catalog.pg_type t ON t.oid = b.base AND t.typtype = 'd'
  ), types AS (
    SELECT b.type, t.oid AS base,
           CASE WHEN t.typcategory = 'A' THEN 'anyarray' WHEN t.typtype = 'e' THEN 'anyenum' WHEN t.typtype = 'r' THEN 'anyrange'
                WHEN t.typtype = 'm' THEN 'anymultirange' WHEN t.typtype = 'c' THEN 'record' END AS general
      FROM base b JOIN pg_catalog.pg_type t ON t.oid = b.base AND t.typtype <> 'd'
  )
  SELECT p.key, p.pair, CASE WHEN o.oid IS NOT NULL THEN pg_catalog.format('OPERATOR(%I.%s)', opn.nspname, o.oprname) END AS operator,
         (SELECT pg_catalog.format('%I.%I', n.nspname, t.typname) FROM pg_catalog.pg_type t JOIN pg_catalog.pg_namespace n ON n.oid = t.typnamespace
           WHERE t.oid = CASE WHEN class.is_general THEN pt.base ELSE o.oprleft END) AS parent_type,
         (SELECT pg_catalog.format('%I.%I', n.nspname, t.typname) FROM pg_catalog.pg_type t JOIN pg_catalog.pg_namespace n ON n.oid = t.typnamespace
           WHERE t.oid = CASE WHEN class.is_general THEN ct.base ELSE o.oprright END) AS child_type,
         (SELECT pg_catalog.format('%I.%I', n.nspname, c.collname) FROM pg_catalog.pg_collation c JOIN pg_catalog.pg_namespace n ON n.oid = c.collnamespace
           WHERE c.oid = p.parent_collation AND p.child_collation <> 0) AS collation
    FROM pairs p
    JOIN types pt ON pt.type = p.parent_type JOIN types ct ON ct.type = p.child_type
    LEFT JOIN LATERAL (
           SELECT c.opcfamily AS family, c.opcintype AS input, c.opcintype <> pt.base AND t.typtype = 'p' AS is_general
             FROM pg_catalog.pg_opclass c
             JOIN pg_catalog.pg_am m ON m.oid = c.opcmethod AND m.amname = 'btree'
             JOIN pg_catalog.pg_type t ON t.oid = c.opcintype
            WHERE c.opcdefault
              AND (t.oid = pt.base OR t.typname = pt.general AND t.typnamespace = 'pg_catalog'::pg_catalog.regnamespace
                   OR EXISTS (SELECT FROM pg_catalog.pg_cast b WHERE b.castsource = pt.base AND b.casttarget = t.oid
                                 AND b.castmethod = 'b' AND b.castcontext = 'i'))
            ORDER BY t.oid = pt.base DESC, t.typispreferred DESC, t.oid LIMIT 1
         ) AS class ON true
    LEFT JOIN LATERAL (
           SELECT a.amopopr FROM pg_catalog.pg_amop a
            WHERE a.amopfamily = class.family AND a.amopstrategy = 3 AND a.amoplefttype = class.input
              AND a.amoprighttype IN (ct.base, class.input)
            ORDER BY a.amoprighttype = ct.base DESC LIMIT 1
         ) AS member ON true
    LEFT JOIN pg_catalog.pg_operator o ON o.oid = member.amopopr
    LEFT JOIN pg_catalog.pg_namespace opn ON opn.oid = o.oprnamespace
`;
