/**
 * Selects whether event triggers of the database can fire in this session. PostgreSQL does not fire them for the
 * definition of event triggers and of objects of the whole server.
 */
export const HAS_EVENT_TRIGGERS = `
  EXISTS (SELECT FROM pg_catalog.pg_event_trigger WHERE evtenabled <> 'D') AS has_event_triggers
`;

/**
 * Selects tables with a text that describes their definition: persistence, columns, CHECK constraints and parents. Two
 * tables with the same definition on two servers have the same text. It contains names and types, and no expressions.
 * $1, $2: the names of the schemas and of the tables.
 * $3: the parts that do not count, each as `<catalog oid> <object oid>`.
 * $4: whether triggers, rules, policies, row security and CHECK constraints that are not valid count.
 */
export const TABLE_SHAPES = `
  SELECT l.n::int AS n, pg_catalog.json_build_object(
      'persistence', c.relpersistence,
      'parents', (SELECT count(*) FROM pg_catalog.pg_inherits h WHERE h.inhrelid = c.oid),
      'columns', (SELECT pg_catalog.json_agg(pg_catalog.json_build_array(
                             a.attname, pg_catalog.format_type(a.atttypid, a.atttypmod), o.collname, a.attnotnull, a.attidentity,
                             -- pg_dump writes DEFAULT NULL where a partition lacks a default of its parent.
                             d.oid IS NOT NULL AND d.adbin::text !~ ':constisnull true', CASE WHEN d.oid IS NULL THEN '' ELSE a.attgenerated END) ORDER BY a.attname)
                    FROM pg_catalog.pg_attribute a
                    LEFT JOIN pg_catalog.pg_collation o ON o.oid = a.attcollation
                    LEFT JOIN pg_catalog.pg_attrdef d ON d.adrelid = a.attrelid AND d.adnum = a.attnum AND ${counts('pg_attrdef', 'd')}
                   WHERE a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped),
      'checks', (SELECT pg_catalog.json_agg(k.conname ORDER BY k.conname) FROM pg_catalog.pg_constraint k
                  WHERE k.conrelid = c.oid AND k.contype = 'c' AND (k.convalidated OR $4) AND ${counts('pg_constraint', 'k')}),
      'triggers', (SELECT pg_catalog.json_agg(g.tgname ORDER BY g.tgname) FROM pg_catalog.pg_trigger g
                    WHERE $4 AND g.tgrelid = c.oid AND NOT g.tgisinternal AND ${counts('pg_trigger', 'g')}),
      'rules', (SELECT pg_catalog.json_agg(w.rulename ORDER BY w.rulename) FROM pg_catalog.pg_rewrite w
                 WHERE $4 AND w.ev_class = c.oid AND ${counts('pg_rewrite', 'w')}),
      'policies', (SELECT pg_catalog.json_agg(y.polname ORDER BY y.polname) FROM pg_catalog.pg_policy y
                    WHERE $4 AND y.polrelid = c.oid AND ${counts('pg_policy', 'y')}),
      'row_security', pg_catalog.json_build_array($4 AND c.relrowsecurity, $4 AND c.relforcerowsecurity))::text AS shape
    FROM ROWS FROM (pg_catalog.unnest($1::text[]), pg_catalog.unnest($2::text[])) WITH ORDINALITY AS l (schema, "table", n)
    JOIN pg_catalog.pg_namespace s ON s.nspname = l.schema
    JOIN pg_catalog.pg_class c ON c.relnamespace = s.oid AND c.relname = l."table" AND c.relkind IN ('r', 'p')
`;

function counts(catalog: string, alias: string): string {
  return `'pg_catalog.${catalog}'::pg_catalog.regclass::oid || ' ' || ${alias}.oid <> ALL ($3::text[])`;
}

/**
 * Selects the tables of schemas that have something that could hide or pass on their rows. $1: the names of the
 * schemas, of which no table may have a trigger, a rule, row security, a publication or a parent elsewhere.
 */
export const TABLES_WITH_EXTRAS = `
  SELECT s.nspname AS schema, c.relname AS "table"
    FROM pg_catalog.pg_class c JOIN pg_catalog.pg_namespace s ON s.oid = c.relnamespace
   WHERE s.nspname = ANY ($1::text[]) AND c.relkind IN ('r', 'p')
     AND (c.relrowsecurity
          OR EXISTS (SELECT FROM pg_catalog.pg_trigger g WHERE g.tgrelid = c.oid AND NOT g.tgisinternal)
          OR EXISTS (SELECT FROM pg_catalog.pg_rewrite w WHERE w.ev_class = c.oid)
          OR EXISTS (SELECT FROM pg_catalog.pg_publication_rel r WHERE r.prrelid = c.oid)
          OR EXISTS (SELECT FROM pg_catalog.pg_inherits h JOIN pg_catalog.pg_class p ON p.oid = h.inhparent
                       JOIN pg_catalog.pg_namespace q ON q.oid = p.relnamespace
                      WHERE h.inhrelid = c.oid AND q.nspname <> ALL ($1::text[])))
   ORDER BY 1, 2
`;
