import { partitionTree } from './partition-tree.sql.js';
/**
 * Selects the publications of the database with which a copy would send other rows to subscribers than those of the
 * tables, or would not send that a table was emptied. $1: oids of the existing tables, $2: names of the schemas in
 * which tables are created. `table` is an oid of $1 or a schema of $2. Uses pg_depend for the schemas of publications,
 * because the catalog pg_publication_namespace does not exist before PostgreSQL 15.
 */
export const PUBLICATION_CONFLICTS = `
  WITH schemas AS (
    SELECT p.refobjid AS publication, s.refobjid AS schema
      FROM pg_catalog.pg_depend p
      JOIN pg_catalog.pg_depend s ON s.classid = p.classid AND s.objid = p.objid
       AND s.refclassid = 'pg_catalog.pg_namespace'::pg_catalog.regclass
     WHERE p.classid = pg_catalog.to_regclass('pg_catalog.pg_publication_namespace')
       AND p.refclassid = 'pg_catalog.pg_publication'::pg_catalog.regclass
  ), emptied (listed, oid) AS (
    SELECT t.oid, p.oid FROM pg_catalog.unnest($1::oid[]) AS t (oid)
     CROSS JOIN LATERAL (SELECT t.oid UNION SELECT relid FROM ${partitionTree('t.oid')} AS tree
                         UNION SELECT relid FROM pg_catalog.pg_partition_ancestors(t.oid)) AS p (oid)
  ), published AS (
    SELECT e.listed, r.prpubid AS publication FROM emptied e JOIN pg_catalog.pg_publication_rel r ON r.prrelid = e.oid
    UNION
    SELECT e.listed, s.publication FROM emptied e JOIN pg_catalog.pg_class c ON c.oid = e.oid JOIN schemas s ON s.schema = c.relnamespace
     WHERE c.relpersistence = 'p'
  )
  SELECT 'all_tables' AS kind, p.pubname AS publication, NULL AS table FROM pg_catalog.pg_publication p WHERE p.puballtables
   UNION ALL
  SELECT 'schema', p.pubname, n.nspname
    FROM schemas s JOIN pg_catalog.pg_publication p ON p.oid = s.publication
    JOIN pg_catalog.pg_namespace n ON n.oid = s.schema
   WHERE n.nspname = ANY ($2::text[])
   UNION ALL
  SELECT 'without_truncate', p.pubname, d.listed::text
    FROM published d JOIN pg_catalog.pg_publication p ON p.oid = d.publication
   WHERE NOT p.pubtruncate
   ORDER BY 1, 2, 3
`;
