/**
 * Returns those of the given objects that another role could have planted: types, functions, operators, operator
 * classes, sequences, views, foreign tables, collations and objects of text search. Code of such an object, or code that
 * its owner adds later, would run with the privileges of the current role and see its rows. Array types count as their
 * elements.
 *
 * An object is trusted if a trusted role owns it, or the extension that it is a member of. It is also trusted in a
 * schema in which only trusted roles may create objects. Superusers, the owner of the database and the current role are
 * trusted. So are the members of these roles, and the roles of which the current role is a member.
 * $1: the addresses of objects that exist, as JSON.
 */
export const UNTRUSTED_OBJECTS = `
  WITH RECURSIVE database AS (
    SELECT datdba FROM pg_catalog.pg_database WHERE datname = pg_catalog.current_database()
  ), mine AS (
    SELECT oid FROM pg_catalog.pg_roles WHERE rolname = current_user
    UNION SELECT m.roleid FROM pg_catalog.pg_auth_members m JOIN mine ON m.member = mine.oid
  ), trusted AS (
    SELECT r.oid FROM pg_catalog.pg_roles r, database d
     WHERE r.rolsuper OR r.rolname = 'pg_database_owner' OR r.oid IN (SELECT oid FROM mine)
        OR pg_catalog.pg_has_role(r.oid, d.datdba, 'MEMBER') OR pg_catalog.pg_has_role(r.oid, current_user, 'MEMBER')
  ), closed AS (
    SELECT n.oid FROM pg_catalog.pg_namespace n
     WHERE n.nspowner IN (SELECT oid FROM trusted)
       AND NOT EXISTS (SELECT FROM pg_catalog.aclexplode(n.nspacl) a WHERE a.privilege_type = 'CREATE' AND a.grantee = 0)
       AND NOT EXISTS (SELECT FROM pg_catalog.pg_roles r
                        WHERE r.oid NOT IN (SELECT oid FROM trusted)
                          AND (pg_catalog.pg_has_role(r.oid, n.nspowner, 'MEMBER')
                            OR EXISTS (SELECT FROM pg_catalog.aclexplode(n.nspacl) a
                                        WHERE a.privilege_type = 'CREATE' AND a.grantee <> 0
                                          AND pg_catalog.pg_has_role(r.oid, a.grantee, 'MEMBER'))))
  ), owned AS (
    SELECT 'pg_type'::pg_catalog.regclass::oid AS classid, t.oid, t.typowner AS owner, t.typnamespace AS schema, t.typname::text AS name
      FROM pg_catalog.pg_type t WHERE NOT EXISTS (SELECT FROM pg_catalog.pg_type e WHERE e.typarray = t.oid)
    UNION ALL SELECT 'pg_proc'::pg_catalog.regclass, oid, proowner, pronamespace, proname FROM pg_catalog.pg_proc
    UNION ALL SELECT 'pg_operator'::pg_catalog.regclass, oid, oprowner, oprnamespace, oprname FROM pg_catalog.pg_operator
    UNION ALL SELECT 'pg_opclass'::pg_catalog.regclass, oid, opcowner, opcnamespace, opcname FROM pg_catalog.pg_opclass
    UNION ALL SELECT 'pg_opfamily'::pg_catalog.regclass, oid, opfowner, opfnamespace, opfname FROM pg_catalog.pg_opfamily
    UNION ALL SELECT 'pg_class'::pg_catalog.regclass, oid, relowner, relnamespace, relname FROM pg_catalog.pg_class WHERE relkind IN ('S', 'v', 'm', 'f')
    UNION ALL SELECT 'pg_collation'::pg_catalog.regclass, oid, collowner, collnamespace, collname FROM pg_catalog.pg_collation
    UNION ALL SELECT 'pg_ts_config'::pg_catalog.regclass, oid, cfgowner, cfgnamespace, cfgname FROM pg_catalog.pg_ts_config
    UNION ALL SELECT 'pg_ts_dict'::pg_catalog.regclass, oid, dictowner, dictnamespace, dictname FROM pg_catalog.pg_ts_dict
  ), given AS (
    SELECT (o.nr - 1)::int AS i, f.classid, f.objid
      FROM pg_catalog.jsonb_array_elements($1::jsonb) WITH ORDINALITY AS o (address, nr)
      CROSS JOIN LATERAL pg_catalog.pg_get_object_address(
        o.address ->> 'type', ARRAY(SELECT pg_catalog.jsonb_array_elements_text(o.address -> 'names')),
        ARRAY(SELECT pg_catalog.jsonb_array_elements_text(o.address -> 'args'))) AS f
  )
  SELECT g.i, g.classid::pg_catalog.regclass::text AS catalog, n.nspname::text AS schema, w.name,
         pg_catalog.pg_describe_object(g.classid, g.objid, 0) AS text
    FROM given g
    JOIN owned w ON w.classid = g.classid AND w.oid = g.objid
    JOIN pg_catalog.pg_namespace n ON n.oid = w.schema
   WHERE w.owner NOT IN (SELECT oid FROM trusted) AND w.schema NOT IN (SELECT oid FROM closed)
     AND NOT EXISTS (SELECT FROM pg_catalog.pg_depend d JOIN pg_catalog.pg_extension x ON x.oid = d.refobjid
                      WHERE d.classid = g.classid AND d.objid = g.objid AND d.deptype = 'e'
                        AND d.refclassid = 'pg_catalog.pg_extension'::pg_catalog.regclass
                        AND x.extowner IN (SELECT oid FROM trusted))
   ORDER BY g.i
`;
