/**
 * Counts the tables that have rows, and the bytes of these rows, with those of partitions. Reads only the sizes of
 * files, so it needs no privilege and takes no time. A table without rows may count until it is vacuumed.
 * $1: schemas, $2: names of tables.
 */
export const FILLED_TABLES = `
  SELECT count(*)::int4 AS tables, coalesce(sum(size), 0)::float8 AS bytes
  FROM (
    SELECT pg_catalog.pg_relation_size(c.oid) + coalesce(
      (SELECT sum(pg_catalog.pg_relation_size(p.relid)) FROM pg_catalog.pg_partition_tree(c.oid) AS p WHERE p.relid <> c.oid),
      0) AS size
    FROM ROWS FROM (pg_catalog.unnest($1::text[]), pg_catalog.unnest($2::text[])) AS w (schema, name)
    JOIN pg_catalog.pg_namespace AS n ON n.nspname = w.schema
    JOIN pg_catalog.pg_class AS c ON c.relnamespace = n.oid AND c.relname = w.name AND c.relkind IN ('r', 'p')
  ) AS listed
  WHERE size > 0`;
