import { listedKeys } from '@understudy/postgres';
/**
 * Selects the foreign keys between the given tables. Omits keys with PERIOD, because such a reference joins a child with
 * several parents. `child` and `parent` are positions in $1, from 1. The columns are in the order of the key. Includes
 * keys of partitions, and keys of the partitioned tables above a partition. $1: oids of the tables.
 */
export const KEYS_BETWEEN = `
  WITH ${listedKeys('$1::oid[]')}
  SELECT child.position::int4 AS child, parent.position::int4 AS parent,
         ARRAY(SELECT a.attname::text FROM pg_catalog.unnest(k.conkey) WITH ORDINALITY AS u (attnum, n)
                 JOIN pg_catalog.pg_attribute a ON a.attrelid = k.conrelid AND a.attnum = u.attnum ORDER BY u.n) AS child_columns,
         ARRAY(SELECT a.attname::text FROM pg_catalog.unnest(k.confkey) WITH ORDINALITY AS u (attnum, n)
                 JOIN pg_catalog.pg_attribute a ON a.attrelid = k.confrelid AND a.attnum = u.attnum ORDER BY u.n) AS parent_columns
    FROM listed_keys l
    JOIN pg_catalog.pg_constraint k ON k.oid = l.oid
    JOIN pg_catalog.unnest($1::oid[]) WITH ORDINALITY AS child (oid, position) ON child.oid = l.child
    JOIN pg_catalog.unnest($1::oid[]) WITH ORDINALITY AS parent (oid, position) ON parent.oid = l.parent
   WHERE coalesce((pg_catalog.to_jsonb(k) ->> 'conperiod')::bool, false) = false
   ORDER BY k.oid, child.position, parent.position
`;

/**
 * Selects, for pairs of columns, how the server compares them in a foreign key. The operator is the equality of the
 * default B-tree operator class of the parent's type. If the operator family has an equality with the child's type on
 * the right, that one is selected. `parent_type` and `child_type` are the types of the operands, and `collation` is the
 * parent's. Omits pairs with a missing column or table, and types without an operator class. $1: a JSON array of the
 * pairs: `key`, `pair`, and the quoted names of the tables `parent` and `child` with the names of their columns.
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
  SELECT p.key, p.pair, pg_catalog.format('OPERATOR(%I.%s)', opn.nspname, o.oprname) AS operator,
         (SELECT pg_catalog.format('%I.%I', n.nspname, t.typname) FROM pg_catalog.pg_type t JOIN pg_catalog.pg_namespace n ON n.oid = t.typnamespace
           WHERE t.oid = CASE WHEN class.is_general THEN pt.base ELSE o.oprleft END) AS parent_type,
         (SELECT pg_catalog.format('%I.%I', n.nspname, t.typname) FROM pg_catalog.pg_type t JOIN pg_catalog.pg_namespace n ON n.oid = t.typnamespace
           WHERE t.oid = CASE WHEN class.is_general THEN ct.base ELSE o.oprright END) AS child_type,
         (SELECT pg_catalog.format('%I.%I', n.nspname, c.collname) FROM pg_catalog.pg_collation c JOIN pg_catalog.pg_namespace n ON n.oid = c.collnamespace
           WHERE c.oid = p.parent_collation AND p.child_collation <> 0) AS collation
    FROM pairs p
    JOIN types pt ON pt.type = p.parent_type JOIN types ct ON ct.type = p.child_type
   CROSS JOIN LATERAL (
           SELECT c.opcfamily AS family, c.opcintype AS input, c.opcintype <> pt.base AND t.typtype = 'p' AS is_general
             FROM pg_catalog.pg_opclass c
             JOIN pg_catalog.pg_am m ON m.oid = c.opcmethod AND m.amname = 'btree'
             JOIN pg_catalog.pg_type t ON t.oid = c.opcintype
            WHERE c.opcdefault
              AND (t.oid = pt.base OR t.typname = pt.general AND t.typnamespace = 'pg_catalog'::pg_catalog.regnamespace
                   OR EXISTS (SELECT FROM pg_catalog.pg_cast b WHERE b.castsource = pt.base AND b.casttarget = t.oid
                                 AND b.castmethod = 'b' AND b.castcontext = 'i'))
            ORDER BY t.oid = pt.base DESC, t.typispreferred DESC, t.oid LIMIT 1
         ) AS class
   CROSS JOIN LATERAL (
           SELECT a.amopopr FROM pg_catalog.pg_amop a
            WHERE a.amopfamily = class.family AND a.amopstrategy = 3 AND a.amoplefttype = class.input
              AND a.amoprighttype IN (ct.base, class.input)
            ORDER BY a.amoprighttype = ct.base DESC LIMIT 1
         ) AS member
    JOIN pg_catalog.pg_operator o ON o.oid = member.amopopr
    JOIN pg_catalog.pg_namespace opn ON opn.oid = o.oprnamespace
`;
