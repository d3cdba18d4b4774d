/**
 * Returns the schemas of the search path with which rows are evaluated: for each table, and for tables that the
 * current role creates (`relation` is null). The path is the one that ALTER ROLE or ALTER DATABASE sets for the
 * table's owner, or else the server's default. `missing` lists those of the schemas that do not exist. $1: oids of
 * tables. $2: whether the path may contain shared schemas.
 *
 * A schema is shared if PUBLIC or another role may create objects in it, also through membership. These roles do not
 * count: superusers, the schema's owner, and roles that are members of the current role.
 */
export const EVALUATION_PATHS = `
  WITH database AS (
    SELECT oid, datdba FROM pg_catalog.pg_database WHERE datname = pg_catalog.current_database()
  ), me AS (
    SELECT oid FROM pg_catalog.pg_roles WHERE rolname = current_user
  ), owners AS (
    SELECT oid FROM me
    UNION SELECT relowner FROM pg_catalog.pg_class WHERE oid = ANY ($1::oid[])
  ), settings AS (
    SELECT o.oid, r.rolname, COALESCE(
             (SELECT pg_catalog.substr(c, 13) FROM pg_catalog.pg_db_role_setting s, database d, pg_catalog.unnest(s.setconfig) AS c
               WHERE s.setrole IN (o.oid, 0) AND s.setdatabase IN (d.oid, 0) AND pg_catalog.starts_with(c, 'search_path=')
               ORDER BY s.setrole = 0, s.setdatabase = 0 LIMIT 1),
             (SELECT CASE WHEN EXISTS (SELECT FROM pg_catalog.pg_db_role_setting s, me, pg_catalog.unnest(s.setconfig) AS c
                                        WHERE s.setrole = me.oid AND pg_catalog.starts_with(c, 'search_path='))
                          THEN g.boot_val ELSE g.reset_val END
                FROM pg_catalog.pg_settings g WHERE g.name = 'search_path')) AS path
      FROM owners o JOIN pg_catalog.pg_roles r ON r.oid = o.oid
  ), entries AS (
    SELECT s.oid, e.position,
           CASE WHEN e.parts[2] = '$user' OR e.parts[1] = '$user' THEN s.rolname
                ELSE COALESCE(pg_catalog.replace(e.parts[1], '""', '"'), pg_catalog.lower(e.parts[2])) END AS schema
      FROM settings s, pg_catalog.regexp_matches(s.path, '"((?:[^"]|"")*)"|([^",[:space:]]+)', 'g') WITH ORDINALITY AS e (parts, position)
  ), trusted AS (
    SELECT e.oid, e.position, e.schema, n.oid IS NULL AS is_missing
      FROM entries e LEFT JOIN pg_catalog.pg_namespace n ON n.nspname = e.schema
     WHERE e.schema <> 'pg_catalog' AND e.schema !~ '^pg_(toast_)?temp'
       AND (n.oid IS NULL OR $2::boolean OR NOT EXISTS (
         SELECT FROM pg_catalog.aclexplode(n.nspacl) a WHERE a.privilege_type = 'CREATE' AND a.grantee = 0
       ) AND NOT EXISTS (
         SELECT FROM pg_catalog.pg_roles r, me, database d
          WHERE NOT r.rolsuper AND NOT pg_catalog.pg_has_role(r.oid, me.oid, 'MEMBER')
            AND r.oid <> n.nspowner
            AND NOT (r.oid = d.datdba AND n.nspowner = 'pg_database_owner'::pg_catalog.regrole)
            AND (pg_catalog.pg_has_role(r.oid, n.nspowner, 'MEMBER')
              OR EXISTS (SELECT FROM pg_catalog.aclexplode(n.nspacl) a WHERE a.privilege_type = 'CREATE' AND a.grantee <> 0
                            AND pg_catalog.pg_has_role(r.oid, a.grantee, 'MEMBER')))
       ))
  ), paths AS (
    SELECT o.oid, ARRAY(SELECT t.schema::text FROM trusted t WHERE t.oid = o.oid ORDER BY t.position) AS schemas,
           ARRAY(SELECT t.schema::text FROM trusted t WHERE t.oid = o.oid AND t.is_missing) AS missing
      FROM owners o
  )
  SELECT c.oid::text AS relation, p.schemas, p.missing
    FROM pg_catalog.pg_class c JOIN paths p ON p.oid = c.relowner WHERE c.oid = ANY ($1::oid[])
  UNION ALL SELECT NULL, p.schemas, p.missing FROM paths p JOIN me ON me.oid = p.oid
`;
