import { partitionTree } from '@understudy/postgres';
/**
 * Selects the foreign keys from and to the given tables and their partitions. Omits the keys that a partition inherits
 * from its parent. `is_checked` is true if the key is enforced and the server has checked all rows. `child_root` and
 * `parent_root` are the given tables that contain the rows. Returns quoted table names with a schema. $1: oids of the
 * tables.
 */
export const KEYS_AROUND = `
  WITH relations AS (
    SELECT t.oid, t.oid AS root FROM pg_catalog.unnest($1::oid[]) AS t (oid)
    UNION
    SELECT p.relid, t.oid FROM pg_catalog.unnest($1::oid[]) AS t (oid), ${partitionTree('t.oid')} p
  )
  SELECT DISTINCT ON (k.oid) cr.root::text AS child_root, pr.root::text AS parent_root,
         k.convalidated AND coalesce((pg_catalog.to_jsonb(k) ->> 'conenforced')::bool, true) AS is_checked,
         pg_catalog.format('%I.%I', cn.nspname, c.relname) AS child, c.relkind = 'p' AS is_child_partitioned,
         pg_catalog.format('%I.%I', pn.nspname, p.relname) AS parent, p.relkind = 'p' AS is_parent_partitioned,
         ARRAY(SELECT pg_catalog.format('p.%I OPERATOR(%I.%s) c.%I', pa.attname, opn.nspname, o.oprname, ca.attname)
                      || CASE WHEN pa.attcollation <> ca.attcollation AND pa.attcollation <> 0 AND ca.attcollation <> 0
                              THEN pg_catalog.format(' COLLATE %I.%I', lcn.nspname, lc.collname) ELSE '' END
                 FROM ROWS FROM (pg_catalog.unnest(k.conkey), pg_catalog.unnest(k.confkey), pg_catalog.unnest(k.conpfeqop)) AS u (child, parent, operator)
                 JOIN pg_catalog.pg_attribute ca ON ca.attrelid = k.conrelid AND ca.attnum = u.child
                 JOIN pg_catalog.pg_attribute pa ON pa.attrelid = k.confrelid AND pa.attnum = u.parent
                 JOIN pg_catalog.pg_operator o ON o.oid = u.operator
                 JOIN pg_catalog.pg_namespace opn ON opn.oid = o.oprnamespace
                 LEFT JOIN pg_catalog.pg_collation lc ON lc.oid = pa.attcollation
                 LEFT JOIN pg_catalog.pg_namespace lcn ON lcn.oid = lc.collnamespace) AS matches,
         ARRAY(SELECT pg_catalog.format('c.%I IS NOT NULL', a.attname) FROM pg_catalog.pg_attribute a
                WHERE a.attrelid = k.conrelid AND a.attnum = ANY (k.conkey)) AS not_null_conditions,
         ARRAY(SELECT a.attname::text FROM pg_catalog.unnest(k.conkey) WITH ORDINALITY AS u (attnum, n)
                 JOIN pg_catalog.pg_attribute a ON a.attrelid = k.conrelid AND a.attnum = u.attnum ORDER BY u.n) AS child_columns,
         ARRAY(SELECT a.attname::text FROM pg_catalog.unnest(k.confkey) WITH ORDINALITY AS u (attnum, n)
                 JOIN pg_catalog.pg_attribute a ON a.attrelid = k.confrelid AND a.attnum = u.attnum ORDER BY u.n) AS parent_columns
    FROM pg_catalog.pg_constraint k
    LEFT JOIN relations cr ON cr.oid = k.conrelid
    LEFT JOIN relations pr ON pr.oid = k.confrelid
    JOIN pg_catalog.pg_class c ON c.oid = k.conrelid JOIN pg_catalog.pg_namespace cn ON cn.oid = c.relnamespace
    JOIN pg_catalog.pg_class p ON p.oid = k.confrelid JOIN pg_catalog.pg_namespace pn ON pn.oid = p.relnamespace
   WHERE k.contype = 'f' AND k.conparentid = 0 AND coalesce(cr.oid, pr.oid) IS NOT NULL
   ORDER BY k.oid
`;
