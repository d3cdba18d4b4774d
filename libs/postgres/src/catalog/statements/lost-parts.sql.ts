import { relationsOf } from './partition-tree.sql.js';

/**
 * Returns the tables that lose a part of their definition, although the target's server accepts the SQL of pg_dump, and
 * the code of the warning about it. A table and its partitions are one table here. Before version 18, tables have no
 * names of NOT NULL constraints. Before version 17, a partition does not have the identity of its partitioned table.
 * Names that PostgreSQL chose itself do not count. They can end in digits, and it shortens those of long names to 60 to
 * 63 bytes.
 * $1: oids of tables that the job creates, $2: oids of all its tables, $3: the major version of the target's server.
 */
export const LOST_PARTS = `
  WITH relations AS (${relationsOf('$1::oid[]')})
  SELECT r.listed::text AS table, 'not_null_names_lost' AS code
    FROM relations r
    JOIN pg_catalog.pg_class c ON c.oid = r.relation
    JOIN pg_catalog.pg_constraint k ON k.conrelid = c.oid AND k.contype = 'n' AND k.conislocal
    JOIN pg_catalog.pg_attribute a ON a.attrelid = c.oid AND a.attnum = k.conkey[1]
    CROSS JOIN LATERAL pg_catalog.rtrim(k.conname, '0123456789') AS name
   WHERE r.is_inside AND $3::int4 < 18 AND name <> pg_catalog.concat(c.relname, '_', a.attname, '_not_null')
     AND NOT (pg_catalog.right(name, 9) = '_not_null' AND pg_catalog.octet_length(k.conname::text) >= 60)
   UNION
  SELECT r.listed::text, 'partition_identity_lost'
    FROM relations r
    JOIN pg_catalog.pg_class c ON c.oid = r.relation AND c.relispartition
    JOIN pg_catalog.pg_attribute a ON a.attrelid = c.oid AND a.attidentity <> '' AND NOT a.attisdropped
   WHERE r.is_inside AND pg_catalog.current_setting('server_version_num')::int4 >= 170000
     AND ($3::int4 < 17 OR NOT EXISTS (
           SELECT FROM pg_catalog.pg_partition_ancestors(c.oid) AS above (relid)
            WHERE above.relid <> c.oid AND above.relid = ANY ($2::oid[])))
   ORDER BY 1, 2
`;
