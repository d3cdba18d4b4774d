import { partitionTree, relationsOf } from './partition-tree.sql.js';
/**
 * Returns the foreign keys that can reference rows of tables: those that reference a table, its partitions, or
 * partitioned tables above it. $1: the oids of the tables. Omits the foreign keys that a partition inherits from its
 * parent.
 */
export const FOREIGN_KEYS_INTO = `
  SELECT DISTINCT ON (c.oid) c.conname AS name, n.nspname AS schema, r.relname AS table, t.listed::text AS referenced,
         pg_catalog.pg_get_constraintdef(c.oid) AS definition, c.convalidated AS "isValidated", r.relkind = 'p' AS "isPartitioned",
         ARRAY(SELECT a.attname::text FROM pg_catalog.unnest(c.conkey) WITH ORDINALITY AS u (attnum, n)
                 JOIN pg_catalog.pg_attribute a ON a.attrelid = c.conrelid AND a.attnum = u.attnum ORDER BY u.n) AS columns,
         pg_catalog.obj_description(c.oid, 'pg_constraint') AS comment
    FROM (${relationsOf('$1::oid[]')}) AS t
    JOIN pg_catalog.pg_constraint c ON c.confrelid = t.relation
    JOIN pg_catalog.pg_class r ON r.oid = c.conrelid
    JOIN pg_catalog.pg_namespace n ON n.oid = r.relnamespace
   WHERE c.contype = 'f' AND c.conparentid = 0
   ORDER BY c.oid, t.listed
`;

/**
 * Tests whether the row `g` of pg_trigger is a trigger that a user created. Up to PostgreSQL 14, a
 * partition's copy of such a trigger is marked as internal, like the triggers of constraints.
 */
export const IS_USERS_TRIGGER = `
  (NOT g.tgisinternal
   OR g.tgparentid <> 0 AND NOT EXISTS (SELECT FROM pg_catalog.pg_constraint k WHERE k.oid = g.tgconstraint AND k.contype <> 't'))
`;

/**
 * Tests whether a key `k` or trigger `g` of a table belongs to it, and not to a partitioned table above it among given
 * tables. A partition that a job lists without its partitioned table has the inherited ones as its own.
 * @param tables SQL for a list of the tables' oids
 */
export const ownParts = (tables: string) =>
  ({
    key: `(k.conparentid = 0 OR ${isInheritedKey(`above.conrelid NOT IN (${tables})`)})`,
    trigger: `(g.tgparentid = 0 OR ${isInheritedTrigger(`above.tgrelid NOT IN (${tables})`)})`,
  }) as const;

/** A key between a table and a partition of the table that it references has a parent, too, but of the same table. */
const isInheritedKey = (condition: string) => `EXISTS (
  SELECT FROM pg_catalog.pg_constraint above
   WHERE above.oid = k.conparentid AND above.conrelid <> k.conrelid AND above.confrelid = k.confrelid AND ${condition})`;

const isInheritedTrigger = (condition: string) => `EXISTS (
  SELECT FROM pg_catalog.pg_trigger above WHERE above.oid = g.tgparentid AND ${condition})`;

/**
 * Returns SQL that creates the foreign keys and triggers that listed partitions inherit from partitioned tables, without
 * these tables. pg_dump does not write them. Run the SQL in the order of the rows. $1: the oids of the listed tables.
 */
export const INHERITED_PARTS = `
  SELECT 'pg_catalog.pg_constraint'::regclass::oid::text AS classid, k.oid::text AS oid,
         pg_catalog.format('ALTER TABLE %s ADD CONSTRAINT %I %s;', k.conrelid::regclass, k.conname, pg_catalog.pg_get_constraintdef(k.oid)) AS sql
    FROM pg_catalog.pg_constraint k
   WHERE k.contype = 'f' AND k.conrelid = ANY ($1::oid[]) AND ${isInheritedKey('true')}
   UNION ALL
  SELECT 'pg_catalog.pg_trigger'::regclass::oid::text, g.oid::text,
         pg_catalog.format('%s; ALTER TABLE %s %s TRIGGER %I;', pg_catalog.pg_get_triggerdef(g.oid), g.tgrelid::regclass,
                           CASE g.tgenabled WHEN 'D' THEN 'DISABLE' WHEN 'R' THEN 'ENABLE REPLICA' WHEN 'A' THEN 'ENABLE ALWAYS' ELSE 'ENABLE' END, g.tgname)
    FROM pg_catalog.pg_trigger g
   WHERE g.tgrelid = ANY ($1::oid[]) AND ${IS_USERS_TRIGGER} AND ${isInheritedTrigger('true')}
   ORDER BY classid, oid
`;

/** Returns the enabled triggers that users created on tables and their partitions. $1: the tables' oids. */
export const ENABLED_TRIGGERS = `
  WITH relations AS (
    SELECT t.oid FROM unnest($1::oid[]) AS t (oid)
    UNION
    SELECT p.relid FROM unnest($1::oid[]) AS t (oid), ${partitionTree('t.oid')} p
  )
  SELECT g.tgname AS name, n.nspname AS schema, r.relname AS table, g.tgenabled AS state
    FROM relations x
    JOIN pg_catalog.pg_trigger g ON g.tgrelid = x.oid
    JOIN pg_catalog.pg_class r ON r.oid = g.tgrelid
    JOIN pg_catalog.pg_namespace n ON n.oid = r.relnamespace
   WHERE ${IS_USERS_TRIGGER} AND g.tgenabled <> 'D'
   ORDER BY g.oid
`;

/** Returns the tables' enabled rules on INSERT, which INSERT … SELECT applies and COPY ignores. $1: the tables' oids. */
export const ENABLED_INSERT_RULES = `
  SELECT w.rulename AS name, n.nspname AS schema, r.relname AS table, w.ev_enabled AS state
    FROM pg_catalog.pg_rewrite w
    JOIN pg_catalog.pg_class r ON r.oid = w.ev_class
    JOIN pg_catalog.pg_namespace n ON n.oid = r.relnamespace
   WHERE w.ev_class = ANY ($1::oid[]) AND w.ev_type = '3' AND w.ev_enabled <> 'D'
   ORDER BY w.oid
`;
