/**
 * Lists the foreign keys between the given tables, one row for each pair of columns, in the order of the key.
 * $1: oids of the tables. If a partition is given and its partitioned table is not, keys from and to the
 * partitioned table count as keys of the partition.
 */
export const FOREIGN_KEYS_AMONG = `
  SELECT c.oid::text AS key, c.conrelid::text AS child, c.confrelid::text AS parent,
         ca.attname AS child_column, pa.attname AS parent_column,
         opn.nspname AS operator_schema, op.oprname AS operator,
         CASE WHEN pa.attcollation <> ca.attcollation AND pa.attcollation <> 0 AND ca.attcollation <> 0 THEN con.nspname END AS collation_schema,
         co.collname AS collation
    FROM pg_catalog.pg_constraint c
   CROSS JOIN LATERAL unnest(c.conkey, c.confkey, c.conpfeqop) WITH ORDINALITY AS k (child, parent, operator, position)
    JOIN pg_catalog.pg_attribute ca ON ca.attrelid = c.conrelid AND ca.attnum = k.child
    JOIN pg_catalog.pg_attribute pa ON pa.attrelid = c.confrelid AND pa.attnum = k.parent
    JOIN pg_catalog.pg_operator op ON op.oid = k.operator
    JOIN pg_catalog.pg_namespace opn ON opn.oid = op.oprnamespace
    LEFT JOIN pg_catalog.pg_collation co ON co.oid = pa.attcollation
    LEFT JOIN pg_catalog.pg_namespace con ON con.oid = co.collnamespace
   WHERE c.contype = 'f' AND c.conrelid = ANY ($1::oid[]) AND c.confrelid = ANY ($1::oid[])
   ORDER BY c.oid, k.position
`;
