import { KEEPER_SUFFIX } from '../../session/job-attempt.js';
import { partitionTree, relationsOf } from '@understudy/postgres';
/**
 * Selects the tables that the switch locks exclusively: the job's existing tables, the tables with foreign keys to them,
 * and the job's staged tables. If a foreign key references a partitioned table above a partition of the job, selects
 * both tables of the key, because the switch creates the key again. Each row also contains the oids of all partitions of
 * the table. The rows are ordered by the table's oid. Omits tables that the role may not lock. $1: oids of the job's
 * existing tables, $2: name of the job's staging schema.
 */
export const TABLES_TO_LOCK = `
  WITH replaced AS (${relationsOf('$1::oid[]')}
  ), wanted AS (
    SELECT listed AS oid FROM replaced
    UNION
    SELECT CASE WHEN s.is_referenced THEN c.confrelid ELSE c.conrelid END
      FROM replaced r
      JOIN pg_catalog.pg_constraint c ON c.confrelid = r.relation AND c.contype = 'f' AND c.conparentid = 0
     CROSS JOIN (VALUES (false), (true)) AS s (is_referenced)
     WHERE NOT (s.is_referenced AND r.is_inside)
    UNION
    SELECT c.oid FROM pg_catalog.pg_class c JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace
     WHERE (n.nspname = $2 AND c.relname <> 'job' OR pg_catalog.starts_with(n.nspname, $2 || '.'))
       AND c.relkind IN ('r', 'p') AND NOT c.relispartition
  )
  SELECT c.oid::text AS oid,
         -- ONLY excludes child tables by inheritance.
         CASE c.relkind WHEN 'p' THEN '' ELSE 'ONLY ' END || pg_catalog.format('%I.%I', n.nspname, c.relname) AS sql,
         ARRAY(SELECT p.relid::oid::text FROM ${partitionTree('c.oid')} p WHERE p.relid <> c.oid) AS partitions
    FROM wanted w
    JOIN pg_catalog.pg_class c ON c.oid = w.oid
    JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace
   WHERE has_table_privilege(c.oid, 'UPDATE, DELETE, TRUNCATE')
   ORDER BY c.oid
`;

/**
 * Selects the sessions and prepared transactions that hold a lock on one of the tables. The process id of a prepared
 * transaction is NULL. Locks on shared tables have the database 0. `isOwn` is true for a session of this attempt on
 * another database of the server, which is its source. $1: oids of the tables.
 */
export const LOCK_HOLDERS = `
  SELECT DISTINCT l.relation::text AS oid, l.pid, a.application_name AS name,
         a.application_name IN (s.name, s.name || '${KEEPER_SUFFIX}') AND a.datid <> d.oid IS TRUE AS "isOwn"
    FROM (SELECT pg_catalog.current_setting('application_name') AS name) s
   CROSS JOIN pg_catalog.pg_database d CROSS JOIN pg_catalog.pg_locks l LEFT JOIN pg_catalog.pg_stat_activity a ON a.pid = l.pid
   WHERE l.locktype = 'relation' AND l.granted AND l.relation = ANY ($1::oid[])
     AND d.datname = pg_catalog.current_database() AND l.database IN (d.oid, 0)
     AND l.pid IS DISTINCT FROM pg_catalog.pg_backend_pid()
   ORDER BY 2, 1
`;
