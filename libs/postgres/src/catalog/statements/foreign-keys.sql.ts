import { partitionTree, relationsOf } from './partition-tree.sql.js';
/**
 * Returns the foreign keys that can reference rows of tables: those that reference a table, its partitions, or
 * partitioned tables above it. $1: the oids of the tables. Omits the foreign keys that a partition inherits from its
 * parent.
 */
export const FOREIGN_KEYS_INTO = `
  SELECT DISTINCT ON (c.oid) c.conname AS name, n.nspname AS schema, r.relname AS table, t.listed::text AS referenced,
         pg_catalog.pg_get_constraintdef(c.oid) AS definition,
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
