/**
 * Selects the foreign keys from and to the given tables, their partitions and the partitioned tables above them. Omits
 * the keys that a partition inherits from its parent. `is_checked` is true if the key is enforced and the server has
 * checked all rows. `child_root` and `parent_root` are the given tables at the two ends, or NULL. If a key belongs to a
 * table above several given ones, each of these is a child. `child` then is the given table, because the other rows are
 * not those of the job. Returns quoted table names with a schema. Shares no query with the plan. $1: oids of the tables.
 */
export const KEYS_AROUND = `
  WITH ends (relation, listed, compared) AS (
    SELECT a.relid::oid, t.oid, t.oid
      FROM pg_catalog.unnest($1::oid[]) AS t (oid)
     CROSS JOIN LATERAL (SELECT t.oid UNION SELECT pg_catalog.pg_partition_ancestors(t.oid)) AS a (relid)
    UNION
    SELECT r.oid, a.relid::oid, r.oid
      FROM (SELECT k.conrelid FROM pg_catalog.pg_constraint k WHERE k.contype = 'f'
            UNION SELECT k.confrelid FROM pg_catalog.pg_constraint k WHERE k.contype = 'f') AS r (oid)
     CROSS JOIN LATERAL pg_catalog.pg_partition_ancestors(r.oid) AS a (relid)
     WHERE a.relid::oid = ANY ($1::oid[])
  )
  SELECT DISTINCT ON (k.oid, cr.listed) cr.listed::text AS child_root, pr.listed::text AS parent_root,
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
    LEFT JOIN ends cr ON cr.relation = k.conrelid
    LEFT JOIN ends pr ON pr.relation = k.confrelid
    JOIN pg_catalog.pg_class c ON c.oid = coalesce(cr.compared, k.conrelid) JOIN pg_catalog.pg_namespace cn ON cn.oid = c.relnamespace
    JOIN pg_catalog.pg_class p ON p.oid = k.confrelid JOIN pg_catalog.pg_namespace pn ON pn.oid = p.relnamespace
   WHERE k.contype = 'f' AND k.conparentid = 0 AND coalesce(cr.listed, pr.listed) IS NOT NULL
   ORDER BY k.oid, cr.listed, pr.listed
`;
