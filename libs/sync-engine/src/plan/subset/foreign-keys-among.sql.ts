import { listedKeys, partitionTree } from '@understudy/postgres';

/**
 * Lists the foreign keys between the given tables and their partitions, one row for each pair of columns, in the order
 * of the key. `address` has the oids of the catalog and of the constraint, `child` and `parent` are given tables, and
 * `relations` has the names of the tables of the constraint. If only a partition of one of them has the key or is
 * referenced, `childLeaves` or `parentLeaves` has the oids of the relations with the partition's rows. If a partition is
 * given and its partitioned table is not, keys from and to the partitioned table count as keys of the partition.
 * `isParentListed` is true if all rows that the key can reference are in given tables. `isValidated` is true if the
 * server has checked all rows, and `isGuarded` if no trigger of the key is disabled now. $1: oids of the tables.
 */
export const FOREIGN_KEYS_AMONG = `
  WITH ${listedKeys('$1::oid[]')}
  SELECT pg_catalog.concat_ws(' ', l.oid, l.child, l.parent) AS key, '2606 ' || l.oid AS address,
         l.child::text AS child, l.parent::text AS parent, c.conname AS name,
         pg_catalog.format('%I.%I %I.%I', cn.nspname, ct.relname, pn.nspname, pt.relname) AS relations,
         l.parent_is_listed AS "isParentListed",
         c.convalidated AND coalesce((pg_catalog.to_jsonb(c) ->> 'conenforced')::bool, true)
           AND NOT coalesce((pg_catalog.to_jsonb(c) ->> 'conperiod')::bool, false) AS "isValidated",
         NOT EXISTS (SELECT FROM pg_catalog.pg_trigger g WHERE g.tgconstraint = c.oid AND g.tgenabled <> 'O') AS "isGuarded",
         c.confmatchtype = 'f' AS "isFull",
         CASE WHEN NOT l.of_all_rows THEN ARRAY(SELECT p.relid::oid::text FROM ${partitionTree('c.conrelid')} p WHERE p.isleaf) END AS "childLeaves",
         CASE WHEN NOT l.to_all_rows THEN ARRAY(SELECT p.relid::oid::text FROM ${partitionTree('c.confrelid')} p WHERE p.isleaf) END AS "parentLeaves",
         pg_catalog.json_build_object(
           'child', ca.attname, 'parent', pa.attname, 'operator', pg_catalog.format('OPERATOR(%I.%s)', opn.nspname, op.oprname),
           'collation', CASE WHEN pa.attcollation <> ca.attcollation AND pa.attcollation <> 0 AND ca.attcollation <> 0
                             THEN pg_catalog.format('%I.%I', con.nspname, co.collname) END) AS columns
    FROM listed_keys l
    JOIN pg_catalog.pg_constraint c ON c.oid = l.oid
    JOIN pg_catalog.pg_class ct ON ct.oid = c.conrelid JOIN pg_catalog.pg_namespace cn ON cn.oid = ct.relnamespace
    JOIN pg_catalog.pg_class pt ON pt.oid = c.confrelid JOIN pg_catalog.pg_namespace pn ON pn.oid = pt.relnamespace
   CROSS JOIN LATERAL unnest(c.conkey, c.confkey, c.conpfeqop) WITH ORDINALITY AS k (child, parent, operator, position)
    JOIN pg_catalog.pg_attribute ca ON ca.attrelid = c.conrelid AND ca.attnum = k.child
    JOIN pg_catalog.pg_attribute pa ON pa.attrelid = c.confrelid AND pa.attnum = k.parent
    JOIN pg_catalog.pg_operator op ON op.oid = k.operator
    JOIN pg_catalog.pg_namespace opn ON opn.oid = op.oprnamespace
    LEFT JOIN pg_catalog.pg_collation co ON co.oid = pa.attcollation
    LEFT JOIN pg_catalog.pg_namespace con ON con.oid = co.collnamespace
   WHERE l.child IS NOT NULL AND l.parent IS NOT NULL
   ORDER BY l.oid, l.child, l.parent, k.position
`;
