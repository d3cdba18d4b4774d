import { partitionTree } from './partition-tree.sql.js';
import { OID } from '@understudy/copy-format';
// The categories are boolean, date and time, geometric, network, numeric, range, timespan and bit string. Any other
// type may contain text.
const HOLDS_NO_TEXT = `bt.typtype = 'e' OR bt.typnamespace = 'pg_catalog'::pg_catalog.regnamespace
           AND (bt.typcategory IN ('B', 'D', 'G', 'I', 'N', 'R', 'T', 'V') OR bt.typname IN ('uuid', 'pg_lsn', 'macaddr', 'macaddr8'))`;
// Objects of PostgreSQL itself have oids below 16384. A superuser can create objects in its schemas later.
const IS_OF_USER = `c.oid >= 16384 AND n.nspname NOT IN ('pg_catalog', 'information_schema', 'pg_toast')`;
const NAME_OF = "pg_catalog.json_build_object('schema', s.nspname, 'table', t.relname)";

/**
 * Finds tables and partitioned tables by name. $1: schemas, $2: the names of tables. Excludes views and foreign tables,
 * because they do not store their rows, temporary tables, and the tables of PostgreSQL itself. `isUnreadable` is true
 * for an unlogged table on a standby. `partitionOf` are the ancestors by partitioning, `ancestors` also those by
 * inheritance, and `partitions` the descendants of a partitioned table.
 */
export const FIND_TABLES = `
  SELECT (w.nr - 1)::int4 AS position, c.oid::text AS oid, c.relkind = 'p' AS "isPartitioned",
         ARRAY(SELECT a.relid::oid::text FROM pg_catalog.pg_partition_ancestors(c.oid) a WHERE a.relid <> c.oid) AS "partitionOf",
         (WITH RECURSIVE above AS (
            SELECT i.inhparent AS oid FROM pg_catalog.pg_inherits i WHERE i.inhrelid = c.oid
            UNION SELECT i.inhparent FROM above a JOIN pg_catalog.pg_inherits i ON i.inhrelid = a.oid
          ) SELECT coalesce(pg_catalog.json_agg(${NAME_OF}), '[]') FROM above JOIN pg_catalog.pg_class t ON t.oid = above.oid
              JOIN pg_catalog.pg_namespace s ON s.oid = t.relnamespace) AS ancestors,
         (SELECT coalesce(pg_catalog.json_agg(${NAME_OF}), '[]') FROM ${partitionTree('c.oid')} below
            JOIN pg_catalog.pg_class t ON t.oid = below.relid JOIN pg_catalog.pg_namespace s ON s.oid = t.relnamespace
           WHERE below.relid <> c.oid AND c.relkind = 'p') AS partitions,
         pg_catalog.pg_is_in_recovery() AND (c.relpersistence = 'u' OR EXISTS (
           SELECT FROM ${partitionTree('c.oid')} t JOIN pg_catalog.pg_class p ON p.oid = t.relid
            WHERE p.relpersistence = 'u' AND c.relkind = 'p')) AS "isUnreadable",
         pg_catalog.round(coalesce(
           (SELECT sum(greatest(p.reltuples, 0))::float8 FROM ${partitionTree('c.oid')} t
              JOIN pg_catalog.pg_class p ON p.oid = t.relid WHERE t.isleaf AND c.relkind = 'p'),
           greatest(c.reltuples, 0)::float8)) AS "estimatedRows"
    FROM ROWS FROM (pg_catalog.unnest($1::text[]), pg_catalog.unnest($2::text[])) WITH ORDINALITY AS w (schema, name, nr)
    JOIN pg_catalog.pg_namespace n ON n.nspname = w.schema
    JOIN pg_catalog.pg_class c ON c.relnamespace = n.oid AND c.relname = w.name AND c.relkind IN ('r', 'p')
   WHERE c.relpersistence <> 't' AND ${IS_OF_USER}
`;

/** Returns the kinds of relations that are no tables. $1: schemas, $2: names. */
export const FIND_OTHER_RELATIONS = `
  SELECT (w.nr - 1)::int4 AS position,
         CASE c.relkind WHEN 'v' THEN 'view' WHEN 'm' THEN 'materialized_view' WHEN 'f' THEN 'foreign_table'
              WHEN 'S' THEN 'sequence' WHEN 'i' THEN 'index' WHEN 'I' THEN 'index' WHEN 'c' THEN 'composite_type'
              ELSE 'temporary_table' END AS kind
    FROM ROWS FROM (pg_catalog.unnest($1::text[]), pg_catalog.unnest($2::text[])) WITH ORDINALITY AS w (schema, name, nr)
    JOIN pg_catalog.pg_namespace n ON n.nspname = w.schema
    JOIN pg_catalog.pg_class c ON c.relnamespace = n.oid AND c.relname = w.name
   WHERE (c.relkind NOT IN ('r', 'p', 't') OR c.relpersistence = 't') AND ${IS_OF_USER}
`;

/**
 * Returns the columns of tables. $1: the tables' oids. Describes a domain by its base type and modifier.
 * `inForeignKey` is also true if only partitions have a foreign key with the column.
 */
export const DESCRIBE_COLUMNS = `
  WITH RECURSIVE base AS (
    SELECT a.attrelid, a.attnum, t.oid AS type, a.atttypmod AS typmod, t.typtype, t.typbasetype, t.typtypmod
      FROM pg_catalog.pg_attribute a JOIN pg_catalog.pg_type t ON t.oid = a.atttypid
     WHERE a.attrelid = ANY ($1::oid[]) AND a.attnum > 0 AND NOT a.attisdropped
    UNION ALL
    SELECT b.attrelid, b.attnum, t.oid, b.typtypmod, t.typtype, t.typbasetype, t.typtypmod
      FROM base b JOIN pg_catalog.pg_type t ON t.oid = b.typbasetype
     WHERE b.typtype = 'd'
  ), relations AS (
    SELECT t.oid AS root, t.oid FROM pg_catalog.unnest($1::oid[]) AS t (oid)
    UNION
    SELECT t.oid, p.relid FROM pg_catalog.unnest($1::oid[]) AS t (oid), ${partitionTree('t.oid')} p
  ), referencing AS (
    SELECT r.root, k.attname
      FROM relations r
      JOIN pg_catalog.pg_constraint f ON f.conrelid = r.oid AND f.contype = 'f'
      JOIN pg_catalog.pg_attribute k ON k.attrelid = f.conrelid AND k.attnum = ANY (f.conkey)
  )
  SELECT a.attrelid::text AS table, a.attname AS name, a.atttypid::int8::float8 AS type, a.attnotnull AS "notNull", a.attidentity <> '' AS "isIdentity", a.attgenerated <> '' AS "isGenerated",
         bt.typcategory = 'S' AS "isText", NOT (${HOLDS_NO_TEXT}) AS "holdsText",
         bt.typname = 'bpchar' AS "isBlankPadded", bt.oid IN (${OID.json}, ${OID.jsonb}) AS "isJson",
         CASE WHEN bt.typname IN ('varchar', 'bpchar') AND b.typmod > 4 THEN b.typmod - 4 END AS "maxLength",
         array_position(pk.conkey, a.attnum) AS "keyPosition",
         (a.attrelid, a.attname) IN (SELECT r.root, r.attname FROM referencing r) AS "inForeignKey"
    FROM pg_catalog.pg_attribute a
    JOIN base b ON b.attrelid = a.attrelid AND b.attnum = a.attnum AND b.typtype <> 'd'
    JOIN pg_catalog.pg_type bt ON bt.oid = b.type
    LEFT JOIN pg_catalog.pg_constraint pk ON pk.conrelid = a.attrelid AND pk.contype = 'p'
   WHERE a.attrelid = ANY ($1::oid[]) AND a.attnum > 0 AND NOT a.attisdropped
   ORDER BY a.attrelid, a.attnum
`;
