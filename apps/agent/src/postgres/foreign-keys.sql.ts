/** $1: oids of tables whose rows will be replaced. Foreign keys that point at them or at a partition; a partition's own come with its parent's. */
export const FOREIGN_KEYS_INTO = `
  SELECT c.conname AS name, n.nspname AS schema, r.relname AS table, t.oid::text AS referenced,
         pg_catalog.pg_get_constraintdef(c.oid) AS definition,
         pg_catalog.obj_description(c.oid, 'pg_constraint') AS comment
    FROM unnest($1::oid[]) AS t (oid)
    JOIN pg_catalog.pg_constraint c ON c.confrelid = t.oid
      OR c.confrelid IN (SELECT p.relid FROM pg_catalog.pg_partition_tree(t.oid) p)
    JOIN pg_catalog.pg_class r ON r.oid = c.conrelid
    JOIN pg_catalog.pg_namespace n ON n.oid = r.relnamespace
   WHERE c.contype = 'f' AND c.conparentid = 0
   ORDER BY c.oid
`;

/** $1: oids of tables. What of theirs, and of their partitions, users made to happen when rows come in: enabled triggers and rules. */
export const ENABLED_HOOKS = `
  WITH relations AS (
    SELECT t.oid FROM unnest($1::oid[]) AS t (oid)
    UNION
    SELECT p.relid FROM unnest($1::oid[]) AS t (oid), pg_catalog.pg_partition_tree(t.oid) p
  ), hooks AS (
    SELECT 'TRIGGER' AS kind, oid, tgrelid AS relation, tgname AS name, tgenabled AS state FROM pg_catalog.pg_trigger WHERE NOT tgisinternal
    UNION ALL
    SELECT 'RULE', oid, ev_class, rulename, ev_enabled FROM pg_catalog.pg_rewrite
  )
  SELECT h.kind, h.name, n.nspname AS schema, r.relname AS table, h.state
    FROM relations x
    JOIN hooks h ON h.relation = x.oid
    JOIN pg_catalog.pg_class r ON r.oid = h.relation
    JOIN pg_catalog.pg_namespace n ON n.oid = r.relnamespace
   WHERE h.state <> 'D'
   ORDER BY h.kind, h.oid
`;
