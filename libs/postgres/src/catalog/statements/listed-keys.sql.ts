import { partitionTree, relationsOf } from './partition-tree.sql.js';

/**
 * Writes CTEs for the foreign keys from and to listed tables. Their partitions can have keys of their own, and a listed
 * partition inherits the keys from and to the partitioned tables above it. The CTE `listed_keys` has one row for each key
 * `oid`, `child` and `parent`. These are the listed tables at both ends, or NULL for a table that is not listed.
 *
 * - `of_all_rows`, `to_all_rows`: the key applies to all rows of `child`, and can reference all rows of `parent`.
 * - `child_is_listed`, `parent_is_listed`: the listed tables contain all rows at this end of the key.
 * @param oids SQL for an array of the tables' oids
 */
export const listedKeys = (oids: string) => `
  relations AS (${relationsOf(oids)}
  ), listed_keys AS (
    SELECT k.oid, c.listed AS child, p.listed AS parent,
           c.relation = c.listed OR NOT c.is_inside AS of_all_rows,
           p.relation = p.listed OR NOT p.is_inside AS to_all_rows,
           ${isListed('k.conrelid')} AS child_is_listed, ${isListed('k.confrelid')} AS parent_is_listed
      FROM pg_catalog.pg_constraint k
      LEFT JOIN relations c ON c.relation = k.conrelid
      LEFT JOIN relations p ON p.relation = k.confrelid
     WHERE k.contype = 'f' AND k.conparentid = 0 AND (c.listed IS NOT NULL OR p.listed IS NOT NULL)
  )
`;

/** Writes a condition that is true if listed tables contain all rows of a table. */
const isListed = (table: string) => `(
  ${table} IN (SELECT relation FROM relations WHERE is_inside)
  OR EXISTS (SELECT FROM pg_catalog.pg_class WHERE oid = ${table} AND relkind = 'p')
     AND NOT EXISTS (SELECT FROM ${partitionTree(table)} leaf
                      WHERE leaf.isleaf AND leaf.relid NOT IN (SELECT relation FROM relations WHERE is_inside))
)`;
