import { partitionTree } from '@understudy/postgres';

/**
 * Lists the foreign keys between the given tables and their partitions, one row for each pair of columns, in the order
 * of the key. `child` and `parent` are given tables. If only a partition of one of them has the key or is referenced,
 * `child_leaves` or `parent_leaves` has the oids of the relations with the partition's rows. Omits keys that follow from
 * another listed key. If a partition is given and its partitioned table is not, keys from and to the partitioned table
 * count as keys of the partition. $1: oids of the tables.
 */
export const FOREIGN_KEYS_AMONG = `
  WITH relations AS (
    SELECT t.oid, t.oid AS root FROM pg_catalog.unnest($1::oid[]) AS t (oid)
    UNION
    SELECT p.relid, t.oid FROM pg_catalog.unnest($1::oid[]) AS t (oid), ${partitionTree('t.oid')} p
  )
  SELECT c.oid::text AS key, child.root::text AS child, parent.root::text AS parent,
         CASE WHEN child.oid <> child.root THEN ARRAY(SELECT p.relid::oid::text FROM ${partitionTree('child.oid')} p WHERE p.isleaf) END AS child_leaves,
         CASE WHEN parent.oid <> parent.root THEN ARRAY(SELECT p.relid::oid::text FROM ${partitionTree('parent.oid')} p WHERE p.isleaf) END AS parent_leaves,
         ca.attname AS child_column, pa.attname AS parent_column,
         opn.nspname AS operator_schema, op.oprname AS operator,
         CASE WHEN pa.attcollation <> ca.attcollation AND pa.attcollation <> 0 AND ca.attcollation <> 0 THEN con.nspname END AS collation_schema,
         co.collname AS collation
    FROM pg_catalog.pg_constraint c
    JOIN relations child ON child.oid = c.conrelid
    JOIN relations parent ON parent.oid = c.confrelid
   CROSS JOIN LATERAL unnest(c.conkey, c.confkey, c.conpfeqop) WITH ORDINALITY AS k (child, parent, operator, position)
    JOIN pg_catalog.pg_attribute ca ON ca.attrelid = c.conrelid AND ca.attnum = k.child
    JOIN pg_catalog.pg_attribute pa ON pa.attrelid = c.confrelid AND pa.attnum = k.parent
    JOIN pg_catalog.pg_operator op ON op.oid = k.operator
    JOIN pg_catalog.pg_namespace opn ON opn.oid = op.oprnamespace
    LEFT JOIN pg_catalog.pg_collation co ON co.oid = pa.attcollation
    LEFT JOIN pg_catalog.pg_namespace con ON con.oid = co.collnamespace
   WHERE c.contype = 'f'
     AND NOT EXISTS (SELECT FROM pg_catalog.pg_constraint whole
                      WHERE whole.oid = c.conparentid AND whole.conrelid IN (SELECT oid FROM relations)
                        AND whole.confrelid IN (SELECT oid FROM relations))
   ORDER BY c.oid, k.position
`;
