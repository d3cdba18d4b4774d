/**
 * Writes a query for the relations that share rows with listed tables. Its columns are the table `listed` and the oid
 * `relation`. `is_inside` is true for the table itself and its partitions, and false for the partitioned tables above it.
 * @param oids SQL for an array of the tables' oids
 */
export function relationsOf(oids: string): string {
  return `
    SELECT t.oid AS listed, t.oid AS relation, true AS is_inside FROM pg_catalog.unnest(${oids}) AS t (oid)
    UNION
    SELECT t.oid, p.relid, true FROM pg_catalog.unnest(${oids}) AS t (oid), ${partitionTree('t.oid')} p
    UNION
    SELECT t.oid, a.relid, false
      FROM pg_catalog.unnest(${oids}) AS t (oid), pg_catalog.pg_partition_ancestors(t.oid) AS a (relid) WHERE a.relid <> t.oid`;
}

/**
 * Returns SQL for a FROM item with a table and all its partitions: pg_partition_tree with its columns `relid` and
 * `isleaf`. The condition is true for each row. The planner does not know this, so it expects 5 partitions instead of
 * 1,000. If it expects 1,000, it expects millions of rows from the recursive queries that begin with partitions. Each of
 * them then allocates a hash table of the size of `work_mem`, which takes 0.1 s if `work_mem` is 64 MB.
 * @param table SQL for the table's oid, which can be a column of an earlier FROM item
 */
export function partitionTree(table: string): string {
  return `LATERAL (
    SELECT relid, isleaf FROM pg_catalog.pg_partition_tree(${table}) WHERE level + 0 = level
  )`;
}
