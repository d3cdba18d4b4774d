import { partitionTree } from './partition-tree.sql.js';
/**
 * Returns the relations in the schemas of users. Omits partitions and the relations of extensions and of running copy
 * jobs. Sorts the schema `public` first, then by schema and name.
 */
export const LIST_RELATIONS = `
  SELECT c.relkind AS kind, pg_catalog.json_build_object(
           'oid', c.oid::text, 'name', pg_catalog.json_build_object('schema', n.nspname, 'table', c.relname),
           'estimatedRows', pg_catalog.round(coalesce(p.rows, greatest(c.reltuples, 0))::float8),
           'lacks', CASE WHEN NOT has_schema_privilege(n.oid, 'USAGE') THEN 'usage'
                         WHEN NOT has_table_privilege(c.oid, 'SELECT') THEN 'select'
                         WHEN row_security_active(c.oid) THEN 'row_security' END) AS relation
    FROM pg_catalog.pg_class c
    JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace
    LEFT JOIN LATERAL (
      SELECT sum(greatest(l.reltuples, 0)) AS rows
        FROM ${partitionTree('c.oid')} t JOIN pg_catalog.pg_class l ON l.oid = t.relid
       WHERE t.isleaf AND c.relkind = 'p'
    ) p ON c.relkind = 'p'
   WHERE c.relkind IN ('r', 'p', 'v', 'm', 'f') AND NOT c.relispartition AND c.relpersistence <> 't'
     AND n.nspname NOT LIKE 'pg\\_%' AND n.nspname <> 'information_schema' AND n.nspname NOT LIKE 'understudy\\_%'
     AND NOT EXISTS (SELECT FROM pg_catalog.pg_depend d
                      WHERE d.classid = 'pg_catalog.pg_class'::regclass AND d.objid = c.oid AND d.deptype = 'e')
   ORDER BY n.nspname = 'public' DESC, n.nspname, c.relname
`;

/**
 * Returns the columns of tables. $1: the tables' oids. The type of a domain is its base type, and the type of an array
 * is its element type, also if the two are nested. `fields` is the number of fields of a composite type. `partTypes` are
 * the types of its fields at all levels, without enums, and `partNames` their names. `labels` are those of an enum.
 * `decidesPartition` marks the columns of partition keys at all levels; if a key contains an expression, it marks every
 * column.
 */
export const SURVEY_COLUMNS = `
  WITH RECURSIVE base AS (
    SELECT a.attrelid, a.attnum, a.atttypmod AS typmod, false AS is_array, t.oid
      FROM pg_catalog.pg_attribute a JOIN pg_catalog.pg_type t ON t.oid = a.atttypid
     WHERE a.attrelid = ANY ($1::oid[]) AND a.attnum > 0 AND NOT a.attisdropped
    UNION ALL
    SELECT b.attrelid, b.attnum, CASE t.typtype WHEN 'd' THEN t.typtypmod ELSE b.typmod END,
           b.is_array OR t.typtype <> 'd', CASE t.typtype WHEN 'd' THEN t.typbasetype ELSE t.typelem END
      FROM base b JOIN pg_catalog.pg_type t ON t.oid = b.oid
     WHERE t.typtype = 'd' OR t.typcategory = 'A' AND t.typelem <> 0
  ), parts AS (
    SELECT b.attrelid, b.attnum, b.oid FROM base b JOIN pg_catalog.pg_type t ON t.oid = b.oid WHERE t.typtype = 'c'
    UNION
    SELECT p.attrelid, p.attnum, n.oid
      FROM parts p
      JOIN pg_catalog.pg_type t ON t.oid = p.oid
     CROSS JOIN LATERAL (
       SELECT f.atttypid AS oid FROM pg_catalog.pg_attribute f
        WHERE t.typtype = 'c' AND f.attrelid = t.typrelid AND f.attnum > 0 AND NOT f.attisdropped
       UNION ALL SELECT t.typbasetype WHERE t.typtype = 'd'
       UNION ALL SELECT t.typelem WHERE t.typtype <> 'd' AND t.typcategory = 'A' AND t.typelem <> 0
     ) n
  ), keys AS MATERIALIZED (
    SELECT r.oid AS root, a.attname AS column
      FROM pg_catalog.pg_class r
     CROSS JOIN ${partitionTree('r.oid')} t
      JOIN pg_catalog.pg_partitioned_table k ON k.partrelid = t.relid
      JOIN pg_catalog.pg_attribute a ON a.attrelid = k.partrelid
       AND (a.attnum = ANY (k.partattrs) OR k.partexprs IS NOT NULL AND a.attnum > 0)
     WHERE r.oid = ANY ($1::oid[]) AND r.relkind = 'p'
  )
  SELECT a.attrelid::text AS table, a.attname AS name, a.attnotnull AS "notNull", a.attgenerated <> '' AS "isGenerated",
         b.is_array AS "isArray", t.typname AS type, t.typtype = 'c' AS "isComposite",
         CASE t.typtype WHEN 'e' THEN ARRAY(SELECT e.enumlabel::text FROM pg_catalog.pg_enum e
                                             WHERE e.enumtypid = t.oid ORDER BY e.enumsortorder) END AS labels,
         CASE WHEN t.typname IN ('varchar', 'bpchar') AND b.typmod > 4 THEN b.typmod - 4 END AS "maxLength",
         (SELECT count(*)::int4 FROM pg_catalog.pg_attribute f
           WHERE t.typtype = 'c' AND f.attrelid = t.typrelid AND f.attnum > 0 AND NOT f.attisdropped) AS fields,
         ARRAY(SELECT DISTINCT f.typname::text
                 FROM parts p JOIN pg_catalog.pg_type f ON f.oid = p.oid
                WHERE p.attrelid = a.attrelid AND p.attnum = a.attnum AND f.typtype NOT IN ('c', 'd', 'e')
                  AND (f.typcategory <> 'A' OR f.typelem = 0) ORDER BY 1) AS "partTypes",
         ARRAY(SELECT DISTINCT f.attname::text
                 FROM parts p
                 JOIN pg_catalog.pg_type o ON o.oid = p.oid AND o.typtype = 'c'
                 JOIN pg_catalog.pg_attribute f ON f.attrelid = o.typrelid AND f.attnum > 0 AND NOT f.attisdropped
                WHERE p.attrelid = a.attrelid AND p.attnum = a.attnum ORDER BY 1) AS "partNames",
         EXISTS (SELECT FROM keys k WHERE k.root = a.attrelid AND k.column = a.attname) AS "decidesPartition"
    FROM pg_catalog.pg_attribute a
    JOIN base b ON b.attrelid = a.attrelid AND b.attnum = a.attnum
    JOIN pg_catalog.pg_type t ON t.oid = b.oid AND t.typtype <> 'd' AND (t.typcategory <> 'A' OR t.typelem = 0)
   WHERE a.attrelid = ANY ($1::oid[]) AND a.attnum > 0 AND NOT a.attisdropped
   ORDER BY a.attrelid, a.attnum
`;
