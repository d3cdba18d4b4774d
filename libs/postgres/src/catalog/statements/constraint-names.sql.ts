import { partitionTree } from './partition-tree.sql.js';
/**
 * Returns the names that an error about the tables may contain: constraints of the tables and their partitions, foreign
 * keys that reference them, and unique indexes. $1: the tables' oids. `table` is the oid of the listed table, and
 * `columns` are the columns of this table that the constraint reads, also through generated columns.
 */
export const CONSTRAINT_NAMES = `
  WITH RECURSIVE tables AS (
    SELECT t.oid, t.oid AS root FROM unnest($1::oid[]) AS t (oid)
    UNION
    SELECT p.relid, t.oid FROM unnest($1::oid[]) AS t (oid), ${partitionTree('t.oid')} p
  ), named AS (
    SELECT c.conname AS name, t.root, t.oid AS relation, 'pg_catalog.pg_constraint'::pg_catalog.regclass AS class, c.oid, c.conindid AS index
      FROM pg_catalog.pg_constraint c JOIN tables t ON t.oid = c.conrelid
    UNION
    SELECT r.relname, t.root, t.oid, 'pg_catalog.pg_class'::pg_catalog.regclass, i.indexrelid, 0
      FROM pg_catalog.pg_index i JOIN pg_catalog.pg_class r ON r.oid = i.indexrelid JOIN tables t ON t.oid = i.indrelid
     WHERE i.indisunique OR i.indisexclusion
  ), used AS (
    SELECT n.name, n.root, n.relation, d.refobjsubid AS attnum
      FROM named n
      JOIN pg_catalog.pg_depend d ON (d.classid = n.class AND d.objid = n.oid)
        OR (d.classid = 'pg_catalog.pg_class'::pg_catalog.regclass AND d.objid = n.index AND n.index <> 0)
     WHERE d.refclassid = 'pg_catalog.pg_class'::pg_catalog.regclass AND d.refobjid = n.relation AND d.refobjsubid > 0
    UNION
    SELECT u.name, u.root, u.relation, d.refobjsubid
      FROM used u
      JOIN pg_catalog.pg_attribute a ON a.attrelid = u.relation AND a.attnum = u.attnum AND a.attgenerated <> ''
      LEFT JOIN pg_catalog.pg_attrdef e ON e.adrelid = a.attrelid AND e.adnum = a.attnum
      JOIN pg_catalog.pg_depend d ON (d.classid = 'pg_catalog.pg_class'::pg_catalog.regclass AND d.objid = u.relation AND d.objsubid = u.attnum)
        OR (d.classid = 'pg_catalog.pg_attrdef'::pg_catalog.regclass AND d.objid = e.oid)
     WHERE d.refclassid = 'pg_catalog.pg_class'::pg_catalog.regclass AND d.refobjid = u.relation AND d.refobjsubid > 0
  )
  SELECT n.name, n.root::text AS table, coalesce(r.columns, '{}') AS columns
    FROM (SELECT DISTINCT name, root, relation FROM named) AS n
    LEFT JOIN (
      SELECT u.name, u.relation, pg_catalog.array_agg(DISTINCT a.attname::text) AS columns
        FROM used u JOIN pg_catalog.pg_attribute a ON a.attrelid = u.relation AND a.attnum = u.attnum
       GROUP BY u.name, u.relation) AS r ON r.name = n.name AND r.relation = n.relation
  UNION ALL
  SELECT c.conname, t.root::text, '{}' FROM pg_catalog.pg_constraint c JOIN tables t ON t.oid = c.confrelid
`;
