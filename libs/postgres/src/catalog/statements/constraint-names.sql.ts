/**
 * Returns the names that an error about the tables may contain: constraints of the tables and their partitions, foreign
 * keys that reference them, and unique indexes. $1: the tables' oids.
 */
export const CONSTRAINT_NAMES = `
  WITH tables AS (
    SELECT t.oid FROM unnest($1::oid[]) AS t (oid)
    UNION
    SELECT p.relid FROM unnest($1::oid[]) AS t (oid), pg_catalog.pg_partition_tree(t.oid) p
  )
  SELECT c.conname AS name FROM pg_catalog.pg_constraint c WHERE c.conrelid IN (SELECT oid FROM tables) OR c.confrelid IN (SELECT oid FROM tables)
  UNION
  SELECT r.relname FROM pg_catalog.pg_index i JOIN pg_catalog.pg_class r ON r.oid = i.indexrelid
   WHERE i.indisunique AND i.indrelid IN (SELECT oid FROM tables)
`;
