/** Writes a FROM clause with the partitions `p` directly below the relation `of` of each row of `from`. */
export const partitionsOf = (from: string, of: string) =>
  `FROM ${from} JOIN pg_catalog.pg_inherits i ON i.inhparent = ${of} JOIN pg_catalog.pg_class p ON p.oid = i.inhrelid AND p.relispartition`;

/**
 * Writes the recursive CTE `own` with the given tables that exist, and their partitions. `relation` is the oid, and
 * `position` is the table's position in $1, from 1. Shares nothing with `partitionTree`, and sees the partitions that the
 * transaction's snapshot has. $1: the quoted names of the tables.
 */
export const OWN_RELATIONS = `
  own AS (
    SELECT t.position::int4 AS position, c.oid AS relation
      FROM pg_catalog.unnest($1::text[]) WITH ORDINALITY AS t (name, position)
      JOIN pg_catalog.pg_class c ON c.oid = pg_catalog.to_regclass(t.name)
    UNION ALL
    SELECT o.position, p.oid ${partitionsOf('own o', 'o.relation')}
  )`;

/** Selects the relations that contain the rows of the given tables, as for {@link OWN_RELATIONS}. */
export const PARTITIONS = `
  WITH RECURSIVE ${OWN_RELATIONS}
  SELECT o.position, o.relation::text AS oid FROM own o JOIN pg_catalog.pg_class c ON c.oid = o.relation WHERE c.relkind <> 'p'
`;
