/**
 * Lists the texts of a database that can contain literals: functions, views, rules, defaults, constraints, triggers,
 * policies, indexes, comments and labels of enums. Omits the objects of extensions.
 */
export const DEFINITIONS = `
  WITH texts AS (
    SELECT 'pg_catalog.pg_proc'::regclass AS classid, p.oid, 0 AS part, pg_catalog.pg_get_functiondef(p.oid) AS text
      FROM pg_catalog.pg_proc p WHERE p.prokind <> 'a'
    UNION ALL
    SELECT 'pg_catalog.pg_class'::regclass, c.oid, 0, pg_catalog.pg_get_viewdef(c.oid) FROM pg_catalog.pg_class c WHERE c.relkind IN ('v', 'm')
    UNION ALL
    SELECT 'pg_catalog.pg_rewrite'::regclass, r.oid, 0, pg_catalog.pg_get_ruledef(r.oid) FROM pg_catalog.pg_rewrite r WHERE r.rulename <> '_RETURN'
    UNION ALL
    SELECT 'pg_catalog.pg_class'::regclass, d.adrelid, d.adnum, pg_catalog.pg_get_expr(d.adbin, d.adrelid) FROM pg_catalog.pg_attrdef d
    UNION ALL
    SELECT 'pg_catalog.pg_constraint'::regclass, k.oid, 0, pg_catalog.pg_get_constraintdef(k.oid) FROM pg_catalog.pg_constraint k WHERE k.contype IN ('c', 'x')
    UNION ALL
    SELECT 'pg_catalog.pg_type'::regclass, t.oid, 0, t.typdefault FROM pg_catalog.pg_type t WHERE t.typtype = 'd'
    UNION ALL
    SELECT 'pg_catalog.pg_trigger'::regclass, t.oid, 0, pg_catalog.pg_get_triggerdef(t.oid) FROM pg_catalog.pg_trigger t WHERE NOT t.tgisinternal
    UNION ALL
    SELECT 'pg_catalog.pg_policy'::regclass, p.oid, 0,
           pg_catalog.concat_ws(' ', pg_catalog.pg_get_expr(p.polqual, p.polrelid), pg_catalog.pg_get_expr(p.polwithcheck, p.polrelid))
      FROM pg_catalog.pg_policy p
    UNION ALL
    SELECT 'pg_catalog.pg_class'::regclass, i.indexrelid, 0, pg_catalog.pg_get_indexdef(i.indexrelid)
      FROM pg_catalog.pg_index i WHERE i.indexprs IS NOT NULL OR i.indpred IS NOT NULL
    UNION ALL
    SELECT d.classoid::regclass, d.objoid, d.objsubid, d.description FROM pg_catalog.pg_description d
    UNION ALL
    SELECT 'pg_catalog.pg_type'::regclass, e.enumtypid, 0, e.enumlabel FROM pg_catalog.pg_enum e
  )
  SELECT i.type || ' ' || i.identity AS name, t.text
    FROM texts t CROSS JOIN LATERAL pg_catalog.pg_identify_object(t.classid, t.oid, t.part) i
   WHERE t.oid >= 16384 AND t.text IS NOT NULL
     AND NOT EXISTS (SELECT FROM pg_catalog.pg_depend d WHERE d.classid = t.classid AND d.objid = t.oid AND d.deptype = 'e')
   ORDER BY name
`;
