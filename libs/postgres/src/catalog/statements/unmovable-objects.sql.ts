/**
 * Returns the objects that cannot be created in a hidden schema and moved later, with their schema if they
 * have one. $1: catalog oids, $2: object oids.
 *
 * These are extensions, range types and objects without a schema. The members of an extension and the
 * constructor functions of a range type always belong to the superuser. Only the owner
 * of an object can move it. An object without a schema is visible immediately.
 */
export const UNMOVABLE_OBJECTS = `
  SELECT o.classid::int8::text AS classid, o.oid::int8::text AS oid, n.nspname AS schema, coalesce(e.extrelocatable, false) AS relocatable
    FROM unnest($1::oid[], $2::oid[]) AS o (classid, oid)
    LEFT JOIN pg_catalog.pg_extension e ON o.classid = 'pg_catalog.pg_extension'::regclass AND e.oid = o.oid
    LEFT JOIN pg_catalog.pg_range g ON o.classid = 'pg_catalog.pg_type'::regclass AND g.rngtypid = o.oid
    LEFT JOIN pg_catalog.pg_type t ON t.oid = g.rngtypid
    LEFT JOIN pg_catalog.pg_namespace n ON n.oid = coalesce(e.extnamespace, t.typnamespace)
   WHERE NOT EXISTS (SELECT FROM pg_catalog.pg_depend d WHERE d.classid = o.classid AND d.objid = o.oid AND d.deptype = 'e')
     AND (e.oid IS NOT NULL OR g.rngtypid IS NOT NULL
          OR o.classid IN ('pg_catalog.pg_language'::regclass, 'pg_catalog.pg_am'::regclass, 'pg_catalog.pg_cast'::regclass,
                           'pg_catalog.pg_foreign_data_wrapper'::regclass, 'pg_catalog.pg_foreign_server'::regclass))
`;
