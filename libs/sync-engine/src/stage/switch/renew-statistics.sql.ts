import { partitionTree } from '@understudy/postgres';
/**
 * Tests whether ANALYZE may keep the statistics of an index `i` with expressions. It keeps those of a partial index if
 * no row of its sample is in the index. It keeps those with the target 0, and a transaction that raises the target of
 * an index still analyzes with the old one.
 */
export const LASTING_STATISTICS = `i.indexprs IS NOT NULL AND (i.indpred IS NOT NULL OR EXISTS (
  SELECT FROM pg_catalog.pg_attribute a WHERE a.attrelid = i.indexrelid AND a.attstattarget = 0))`;

/**
 * Selects the relations whose planner statistics can contain old values after tables were filled again. These are the
 * tables, their partitions, and the tables above them in an inheritance tree. Reads `pg_stats`, because ordinary
 * roles cannot read `pg_statistic`. If the role may not see the statistics of a relation, `has_old` is true. $1: quoted
 * names of the filled tables.
 */
export const STATISTICS_SCOPE = `
  WITH RECURSIVE members AS MATERIALIZED (
    SELECT t.n, p.oid FROM pg_catalog.unnest($1::text[]) WITH ORDINALITY AS t (name, n)
     CROSS JOIN LATERAL (SELECT t.name::pg_catalog.regclass::oid UNION
                         SELECT relid FROM ${partitionTree('t.name::pg_catalog.regclass')} AS tree) AS p (oid)
  ), above (n, oid, ancestor) AS (
    SELECT m.n, m.oid, h.inhparent FROM members m JOIN pg_catalog.pg_inherits h ON h.inhrelid = m.oid
    UNION SELECT a.n, a.oid, h.inhparent FROM above a JOIN pg_catalog.pg_inherits h ON h.inhrelid = a.ancestor
  ), family AS MATERIALIZED (
    SELECT DISTINCT ON (f.oid) f.n, f.is_filled, c.oid, c.relname, c.relkind, c.relispartition, c.relowner, s.nspname,
           c.relkind = 'r' AND pg_catalog.pg_relation_size(c.oid) = 0 AS is_empty
      FROM (SELECT n, oid, true AS is_filled FROM members UNION ALL SELECT n, ancestor, false FROM above) AS f
      JOIN pg_catalog.pg_class c ON c.oid = f.oid
      JOIN pg_catalog.pg_namespace s ON s.oid = c.relnamespace
     ORDER BY f.oid, f.is_filled DESC, f.n
  ), indexes AS MATERIALIZED (
    SELECT i.indrelid, i.indexrelid, x.relname, ${LASTING_STATISTICS} AS is_lasting
      FROM family f JOIN pg_catalog.pg_index i ON i.indrelid = f.oid JOIN pg_catalog.pg_class x ON x.oid = i.indexrelid
     WHERE i.indexprs IS NOT NULL
  ), old AS MATERIALIZED (
    SELECT DISTINCT schemaname, tablename, inherited FROM pg_catalog.pg_stats
     WHERE (schemaname, tablename) IN (SELECT nspname, relname FROM family UNION
                                       SELECT f.nspname, i.relname FROM indexes i JOIN family f ON f.oid = i.indrelid)
  ), states AS MATERIALIZED (
    SELECT f.*,
           pg_catalog.pg_has_role(f.relowner, 'USAGE') OR pg_catalog.pg_has_role(d.datdba, 'USAGE') AS may_analyze,
           NOT pg_catalog.has_table_privilege(f.oid, 'SELECT') OR pg_catalog.row_security_active(f.oid) AS is_unseen,
           EXISTS (SELECT FROM old o WHERE o.schemaname = f.nspname AND o.tablename = f.relname AND NOT o.inherited)
             OR EXISTS (SELECT FROM indexes i JOIN old o ON o.tablename = i.relname WHERE i.indrelid = f.oid AND o.schemaname = f.nspname) AS has_own,
           EXISTS (SELECT FROM old o WHERE o.schemaname = f.nspname AND o.tablename = f.relname AND o.inherited) AS has_inherited,
           EXISTS (SELECT FROM indexes i JOIN old o ON o.tablename = i.relname
                    WHERE i.indrelid = f.oid AND i.is_lasting AND o.schemaname = f.nspname) AS has_lasting,
           EXISTS (SELECT FROM pg_catalog.pg_inherits h WHERE h.inhparent = f.oid) AS has_children,
           NOT EXISTS (WITH RECURSIVE below (oid) AS (
               SELECT f.oid UNION SELECT h.inhrelid FROM below b JOIN pg_catalog.pg_inherits h ON h.inhparent = b.oid)
             SELECT FROM below b WHERE pg_catalog.pg_relation_size(b.oid) > 0) AS is_tree_empty
      FROM family f JOIN pg_catalog.pg_database d ON d.datname = pg_catalog.current_database()
  )
  SELECT s.n::int AS n, s.oid::text AS oid, pg_catalog.format('%I.%I', s.nspname, s.relname) AS name,
         ARRAY(SELECT a.ancestor::text FROM above a WHERE a.oid = s.oid) AS ancestors,
         s.relispartition AS is_partition, s.may_analyze, s.has_own OR s.has_inherited OR s.is_unseen AS has_old,
         -- ANALYZE changes no statistics if it finds no row.
         (s.has_own OR s.is_unseen) AND (s.is_empty OR s.has_lasting) OR s.has_inherited AND NOT s.has_children AS is_stale,
         s.has_inherited AND s.is_tree_empty AS is_tree_stale,
         s.is_empty AND s.is_filled AND NOT s.has_lasting AND (s.has_children OR NOT s.has_inherited)
           AND NOT EXISTS (SELECT FROM pg_catalog.pg_publication_tables t
                             JOIN pg_catalog.pg_class c ON c.relname = t.tablename AND c.relnamespace::pg_catalog.regnamespace::text = pg_catalog.quote_ident(t.schemaname)
                            WHERE c.oid = s.oid OR c.oid IN (SELECT a.ancestor FROM above a WHERE a.oid = s.oid)) AS may_sample,
         w.columns, w.samples, y.columns AS types, y.is_complete AS types_complete,
         pg_catalog.format('%I.%I', rn.nspname, r.relname) AS altered, z.raise_targets, z.reset_targets
    FROM states s
    JOIN pg_catalog.pg_class r ON r.oid = coalesce(pg_catalog.pg_partition_root(s.oid), s.oid)
    JOIN pg_catalog.pg_namespace rn ON rn.oid = r.relnamespace
    CROSS JOIN LATERAL (${sampleRow('s.oid')}) AS w
    CROSS JOIN LATERAL (${sameTypes('r.oid')}) AS y
    CROSS JOIN LATERAL (${disabledTargets('s.oid')}) AS z
   ORDER BY s.n, s.oid
`;

/** Selects the columns of a table, and the values of a row that satisfies NOT NULL and most partition bounds. */
function sampleRow(table: string): string {
  return `
    SELECT pg_catalog.string_agg(pg_catalog.quote_ident(a.attname), ', ' ORDER BY a.attnum) AS columns,
           pg_catalog.string_agg(coalesce(k.bound, CASE WHEN a.attnotnull OR t.typnotnull THEN CASE b.typcategory
               WHEN 'N' THEN '0' WHEN 'S' THEN '''''' WHEN 'B' THEN 'false' WHEN 'A' THEN '''{}''' WHEN 'R' THEN '''empty'''
               WHEN 'T' THEN '''0''' WHEN 'I' THEN '''0.0.0.0''' WHEN 'V' THEN '''0'''
               WHEN 'D' THEN CASE WHEN b.typname LIKE 'time%' AND b.typname NOT LIKE 'timestamp%' THEN '''00:00''' ELSE '''2000-01-01''' END
               WHEN 'E' THEN (SELECT pg_catalog.quote_literal(e.enumlabel) FROM pg_catalog.pg_enum e WHERE e.enumtypid = b.oid ORDER BY e.enumsortorder LIMIT 1)
               ELSE CASE b.typname WHEN 'uuid' THEN '''00000000-0000-0000-0000-000000000000''' WHEN 'bytea' THEN '''''' ELSE '''{}''' END
             END ELSE 'NULL' END), ', ' ORDER BY a.attnum) AS samples
      FROM pg_catalog.pg_attribute a
      JOIN pg_catalog.pg_type t ON t.oid = a.atttypid
      JOIN pg_catalog.pg_type b ON b.oid = coalesce(nullif(t.typbasetype, 0), t.oid)
      LEFT JOIN LATERAL (
        SELECT pg_catalog.substring(pg_catalog.pg_get_expr(q.relpartbound, q.oid), '^FOR VALUES (?:FROM|IN) \\(((?:''[^'']*'')+|-?[0-9.]+|true|false)') AS bound
          FROM pg_catalog.pg_partition_ancestors(${table}) AS p (relid)
          JOIN pg_catalog.pg_class q ON q.oid = p.relid AND q.relispartition
          JOIN pg_catalog.pg_inherits h ON h.inhrelid = q.oid
          JOIN pg_catalog.pg_partitioned_table m ON m.partrelid = h.inhparent AND m.partnatts = 1
          JOIN pg_catalog.pg_attribute c ON c.attrelid = m.partrelid AND c.attnum = m.partattrs[0]
         WHERE c.attname = a.attname LIMIT 1) AS k ON true
     WHERE a.attrelid = ${table} AND a.attnum > 0 AND NOT a.attisdropped AND a.attgenerated = ''`;
}

/**
 * Selects actions of ALTER TABLE that give each column the type that it has. These drop the statistics of the columns,
 * also those of expressions. PostgreSQL refuses them for columns of a partition key.
 */
function sameTypes(table: string): string {
  const isKey = `EXISTS (
    SELECT FROM ${partitionTree(table)} p
      JOIN pg_catalog.pg_partitioned_table m ON m.partrelid = p.relid
      JOIN pg_catalog.pg_attribute c ON c.attrelid = m.partrelid AND c.attnum = ANY (m.partattrs::int2[])
     WHERE c.attname = a.attname)`;
  return `
    SELECT pg_catalog.string_agg(pg_catalog.format('ALTER COLUMN %I TYPE %s', a.attname, pg_catalog.format_type(a.atttypid, a.atttypmod))
             || CASE WHEN l.oid IS NULL THEN '' ELSE pg_catalog.format(' COLLATE %I.%I', ln.nspname, l.collname) END, ', ' ORDER BY a.attnum)
             FILTER (WHERE NOT ${isKey}) AS columns,
           NOT pg_catalog.bool_or(${isKey}) AS is_complete
      FROM pg_catalog.pg_attribute a
      LEFT JOIN pg_catalog.pg_collation l ON l.oid = a.attcollation
      LEFT JOIN pg_catalog.pg_namespace ln ON ln.oid = l.collnamespace
     WHERE a.attrelid = ${table} AND a.attnum > 0 AND NOT a.attisdropped`;
}

/**
 * Selects SQL that enables the statistics that have the target 0, because ANALYZE keeps the old values of these, and
 * SQL that sets the target 0 again.
 */
function disabledTargets(table: string): string {
  return `
    SELECT pg_catalog.string_agg(t.sql || ' SET STATISTICS -1', '; ') AS raise_targets, pg_catalog.string_agg(t.sql || ' SET STATISTICS 0', '; ') AS reset_targets
      FROM (SELECT pg_catalog.format('ALTER TABLE ONLY %s ALTER COLUMN %I', a.attrelid::pg_catalog.regclass, a.attname) AS sql
              FROM pg_catalog.pg_attribute a
             WHERE a.attrelid = ${table} AND a.attnum > 0 AND NOT a.attisdropped AND a.attstattarget = 0
            UNION ALL
            SELECT pg_catalog.format('ALTER INDEX %s ALTER COLUMN %s', a.attrelid::pg_catalog.regclass, a.attnum)
              FROM indexes i JOIN pg_catalog.pg_attribute a ON a.attrelid = i.indexrelid
             WHERE i.indrelid = ${table} AND a.attstattarget = 0
            UNION ALL
            SELECT pg_catalog.format('ALTER STATISTICS %I.%I', e.stxnamespace::pg_catalog.regnamespace, e.stxname)
              FROM pg_catalog.pg_statistic_ext e WHERE e.stxrelid = ${table} AND e.stxstattarget = 0) AS t`;
}

/**
 * Tests whether ANALYZE of a materialized view may have kept statistics: all if the view is empty, and otherwise those
 * with the target 0 and those of partial indexes. A view accepts neither rows nor a change of its columns' types. Is
 * true for statistics that the role may not see. $1: the view's oid.
 */
export const KEEPS_OLD_STATISTICS = `
  SELECT NOT pg_catalog.has_table_privilege(c.oid, 'SELECT')
         OR EXISTS (SELECT FROM pg_catalog.pg_stats s
                     WHERE s.schemaname = n.nspname AND s.tablename = c.relname
                       AND (pg_catalog.pg_relation_size(c.oid) = 0
                            OR EXISTS (SELECT FROM pg_catalog.pg_attribute a
                                        WHERE a.attrelid = c.oid AND a.attname = s.attname AND a.attstattarget = 0)))
         OR EXISTS (SELECT FROM pg_catalog.pg_index i JOIN pg_catalog.pg_class x ON x.oid = i.indexrelid
                      JOIN pg_catalog.pg_stats s ON s.schemaname = n.nspname AND s.tablename = x.relname
                     WHERE i.indrelid = c.oid AND (pg_catalog.pg_relation_size(c.oid) = 0 OR ${LASTING_STATISTICS}))
         OR EXISTS (SELECT FROM pg_catalog.pg_statistic_ext e
                      JOIN pg_catalog.pg_stats_ext s ON s.statistics_schemaname = e.stxnamespace::pg_catalog.regnamespace::text
                       AND s.statistics_name = e.stxname
                     WHERE e.stxrelid = c.oid AND (pg_catalog.pg_relation_size(c.oid) = 0 OR e.stxstattarget = 0)) AS keeps
    FROM pg_catalog.pg_class c JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace WHERE c.oid = $1
`;
