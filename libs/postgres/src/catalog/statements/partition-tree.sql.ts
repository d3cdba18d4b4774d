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
