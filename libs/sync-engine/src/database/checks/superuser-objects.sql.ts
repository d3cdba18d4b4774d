/** The first oid of objects that initdb did not create. */
export const FIRST_USERS_OID = 16_384;

/**
 * Lists the objects of a database that only a superuser can create, without the members of extensions and the
 * constructors of range types. `kind` is that of a named object in a failure.
 */
export const SUPERUSER_OBJECTS = `
  SELECT o.kind, o.schema, o.name, o.classid::oid || ' ' || o.oid AS address FROM (
    SELECT 'function' AS kind, 'pg_catalog.pg_proc'::regclass AS classid, p.oid, n.nspname AS schema, p.proname AS name
      FROM pg_catalog.pg_proc p JOIN pg_catalog.pg_namespace n ON n.oid = p.pronamespace JOIN pg_catalog.pg_language l ON l.oid = p.prolang
     WHERE p.prokind <> 'a' AND NOT l.lanpltrusted OR p.proleakproof OR p.prosupport <> 0
    UNION ALL
    SELECT 'type', 'pg_catalog.pg_type'::regclass, t.oid, n.nspname, t.typname
      FROM pg_catalog.pg_type t JOIN pg_catalog.pg_namespace n ON n.oid = t.typnamespace
     WHERE t.typtype = 'b' AND t.typcategory <> 'A'
    UNION ALL
    SELECT 'operator_class', 'pg_catalog.pg_opclass'::regclass, c.oid, n.nspname, c.opcname
      FROM pg_catalog.pg_opclass c JOIN pg_catalog.pg_namespace n ON n.oid = c.opcnamespace
    UNION ALL
    SELECT 'operator_class', 'pg_catalog.pg_opfamily'::regclass, f.oid, n.nspname, f.opfname
      FROM pg_catalog.pg_opfamily f JOIN pg_catalog.pg_namespace n ON n.oid = f.opfnamespace
    UNION ALL
    SELECT 'other', 'pg_catalog.pg_ts_parser'::regclass, p.oid, n.nspname, p.prsname
      FROM pg_catalog.pg_ts_parser p JOIN pg_catalog.pg_namespace n ON n.oid = p.prsnamespace
    UNION ALL
    SELECT 'other', 'pg_catalog.pg_ts_template'::regclass, t.oid, n.nspname, t.tmplname
      FROM pg_catalog.pg_ts_template t JOIN pg_catalog.pg_namespace n ON n.oid = t.tmplnamespace
    UNION ALL
    SELECT 'other', 'pg_catalog.pg_event_trigger'::regclass, e.oid, NULL, e.evtname FROM pg_catalog.pg_event_trigger e
    UNION ALL
    SELECT 'publication', 'pg_catalog.pg_publication'::regclass, p.oid, NULL, p.pubname FROM pg_catalog.pg_publication p
     WHERE p.puballtables OR EXISTS (
             SELECT FROM pg_catalog.pg_depend d
              WHERE d.classid = pg_catalog.to_regclass('pg_catalog.pg_publication_namespace')
                AND d.refclassid = 'pg_catalog.pg_publication'::regclass AND d.refobjid = p.oid)
    UNION ALL
    SELECT 'other', 'pg_catalog.pg_am'::regclass, a.oid, NULL, a.amname FROM pg_catalog.pg_am a
    UNION ALL
    SELECT 'other', 'pg_catalog.pg_foreign_data_wrapper'::regclass, w.oid, NULL, w.fdwname FROM pg_catalog.pg_foreign_data_wrapper w
  ) o
   WHERE o.oid >= ${FIRST_USERS_OID}
     AND NOT EXISTS (SELECT FROM pg_catalog.pg_depend d WHERE d.classid = o.classid AND d.objid = o.oid AND d.deptype IN ('e', 'i'))
   ORDER BY o.kind, o.schema, o.name
`;
