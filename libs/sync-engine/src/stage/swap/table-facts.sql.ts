/** Returns SQL that converts access rights to a form that does not depend on the order of the grants. */
const rights = (acl: string) => `
  (SELECT pg_catalog.jsonb_agg(pg_catalog.to_jsonb(a) ORDER BY pg_catalog.to_jsonb(a)) FROM pg_catalog.aclexplode(${acl}) AS a)`;

/**
 * Computes a digest of each table's definition. Two tables with the same digest differ only in their oids and
 * rows. Requires an empty search path. The tables must be in their real schemas. $1: oids of tables, which must not be
 * partitioned.
 */
export const TABLE_FACTS = `
  WITH facts (root, fact) AS (
    SELECT c.oid, pg_catalog.jsonb_build_array('table', c.relnamespace, c.relname, c.relkind, c.relpersistence, c.relowner, c.relam, c.reltablespace,
             c.relreplident, c.relrowsecurity, c.relforcerowsecurity, c.reloptions, t.reloptions, c.reloftype,
             ${rights("coalesce(c.relacl, pg_catalog.acldefault('r', c.relowner))")}, pg_catalog.obj_description(c.oid, 'pg_class'))
      FROM pg_catalog.pg_class c LEFT JOIN pg_catalog.pg_class t ON t.oid = c.reltoastrelid WHERE c.oid = ANY ($1::oid[])
    UNION ALL
    SELECT a.attrelid, pg_catalog.jsonb_build_array('column', pg_catalog.row_number() OVER (PARTITION BY a.attrelid ORDER BY a.attnum), a.attname,
             a.atttypid, a.atttypmod, a.attcollation, a.attnotnull, a.attstattarget, a.attstorage, a.attcompression, a.attoptions, a.attidentity,
             a.attgenerated, a.attislocal, a.attinhcount, pg_catalog.pg_get_expr(f.adbin, f.adrelid), ${rights('a.attacl')},
             pg_catalog.col_description(a.attrelid, a.attnum))
      FROM pg_catalog.pg_attribute a LEFT JOIN pg_catalog.pg_attrdef f ON f.adrelid = a.attrelid AND f.adnum = a.attnum
     WHERE a.attrelid = ANY ($1::oid[]) AND a.attnum > 0 AND NOT a.attisdropped
    UNION ALL
    SELECT k.conrelid, pg_catalog.jsonb_build_array('constraint', k.conname, k.contype, pg_catalog.pg_get_constraintdef(k.oid), k.condeferrable,
             k.condeferred, k.convalidated, k.connoinherit, k.conislocal, pg_catalog.obj_description(k.oid, 'pg_constraint'))
      FROM pg_catalog.pg_constraint k WHERE k.conrelid = ANY ($1::oid[])
    UNION ALL
    SELECT i.indrelid, pg_catalog.jsonb_build_array('index', x.relname, pg_catalog.pg_get_indexdef(i.indexrelid), x.reloptions, x.reltablespace, i.indisvalid,
             i.indisclustered, i.indisreplident, i.indimmediate, pg_catalog.obj_description(x.oid, 'pg_class'),
             ARRAY(SELECT a.attstattarget FROM pg_catalog.pg_attribute a WHERE a.attrelid = x.oid ORDER BY a.attnum))
      FROM pg_catalog.pg_index i JOIN pg_catalog.pg_class x ON x.oid = i.indexrelid WHERE i.indrelid = ANY ($1::oid[])
    UNION ALL
    SELECT g.tgrelid, pg_catalog.jsonb_build_array('trigger', g.tgname, pg_catalog.pg_get_triggerdef(g.oid), g.tgenabled,
             pg_catalog.obj_description(g.oid, 'pg_trigger'))
      FROM pg_catalog.pg_trigger g WHERE g.tgrelid = ANY ($1::oid[]) AND NOT g.tgisinternal
    UNION ALL
    SELECT w.ev_class, pg_catalog.jsonb_build_array('rule', w.rulename, pg_catalog.pg_get_ruledef(w.oid), w.ev_enabled,
             pg_catalog.obj_description(w.oid, 'pg_rewrite'))
      FROM pg_catalog.pg_rewrite w WHERE w.ev_class = ANY ($1::oid[])
    UNION ALL
    SELECT y.polrelid, pg_catalog.jsonb_build_array('policy', y.polname, y.polcmd, y.polpermissive,
             ARRAY(SELECT r FROM pg_catalog.unnest(y.polroles) AS r ORDER BY r), pg_catalog.pg_get_expr(y.polqual, y.polrelid),
             pg_catalog.pg_get_expr(y.polwithcheck, y.polrelid), pg_catalog.obj_description(y.oid, 'pg_policy'))
      FROM pg_catalog.pg_policy y WHERE y.polrelid = ANY ($1::oid[])
    UNION ALL
    SELECT s.stxrelid, pg_catalog.jsonb_build_array('statistics', pg_catalog.pg_get_statisticsobjdef(s.oid), s.stxstattarget, s.stxowner,
             pg_catalog.obj_description(s.oid, 'pg_statistic_ext'))
      FROM pg_catalog.pg_statistic_ext s WHERE s.stxrelid = ANY ($1::oid[])
    UNION ALL
    SELECT d.refobjid, pg_catalog.jsonb_build_array('sequence', a.attname, d.deptype, c.relnamespace, c.relname, c.relowner, c.relpersistence,
             pg_catalog.to_jsonb(s) - 'seqrelid', ${rights("coalesce(c.relacl, pg_catalog.acldefault('s', c.relowner))")},
             pg_catalog.obj_description(c.oid, 'pg_class'))
      FROM pg_catalog.pg_depend d
      JOIN pg_catalog.pg_attribute a ON a.attrelid = d.refobjid AND a.attnum = d.refobjsubid
      JOIN pg_catalog.pg_class c ON c.oid = d.objid AND c.relkind = 'S'
      JOIN pg_catalog.pg_sequence s ON s.seqrelid = c.oid
     WHERE d.classid = 'pg_catalog.pg_class'::pg_catalog.regclass AND d.refclassid = 'pg_catalog.pg_class'::pg_catalog.regclass
       AND d.refobjid = ANY ($1::oid[]) AND d.deptype IN ('a', 'i')
  )
  SELECT root::text AS oid,
         pg_catalog.encode(pg_catalog.sha256(pg_catalog.convert_to(pg_catalog.string_agg(fact::text, E'\\n' ORDER BY fact::text), 'UTF8')), 'hex') AS digest
    FROM facts GROUP BY root
`;

/**
 * Selects the extended statistics of tables. pg_dump may omit these statistics if it dumps only selected
 * tables. $1: oids of the tables.
 */
export const STATISTICS_OF = `
  SELECT pg_catalog.pg_get_statisticsobjdef(s.oid) AS definition, n.nspname AS schema, s.stxname AS table, s.stxstattarget AS target,
         o.rolname AS owner, pg_catalog.obj_description(s.oid, 'pg_statistic_ext') AS comment
    FROM pg_catalog.pg_statistic_ext s
    JOIN pg_catalog.pg_namespace n ON n.oid = s.stxnamespace
    JOIN pg_catalog.pg_roles o ON o.oid = s.stxowner
   WHERE s.stxrelid = ANY ($1::oid[])
   ORDER BY s.oid
`;
