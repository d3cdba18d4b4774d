/**
 * Reads the properties of a database as a whole, not of its objects. $1: name of the database, $2: `OWN_PREFIX`, the
 * beginning of all settings of Understudy, which are not properties. PostgreSQL 17 renamed the column of the locale.
 */
export const READ_PROPERTIES = `
  SELECT d.oid::text AS oid,
         pg_catalog.json_build_object(
           'owner', pg_catalog.pg_get_userbyid(d.datdba), 'encoding', pg_catalog.pg_encoding_to_char(d.encoding),
           'collate', d.datcollate, 'ctype', d.datctype, 'localeProvider', coalesce(j ->> 'datlocprovider', 'c'),
           'locale', coalesce(j ->> 'datlocale', j ->> 'daticulocale'), 'icuRules', j ->> 'daticurules',
           'tablespace', (SELECT spcname FROM pg_catalog.pg_tablespace s WHERE s.oid = d.dattablespace AND spcname <> 'pg_default'),
           'connectionLimit', d.datconnlimit, 'comment', pg_catalog.shobj_description(d.oid, 'pg_database'),
           'grants', ARRAY(SELECT pg_catalog.jsonb_build_object(
                        'grantee', CASE a.grantee WHEN 0 THEN NULL ELSE pg_catalog.pg_get_userbyid(a.grantee) END,
                        'privilege', a.privilege_type, 'grantable', a.is_grantable)
                 FROM pg_catalog.aclexplode(COALESCE(d.datacl, pg_catalog.acldefault('d', d.datdba))) a),
           'settings', ARRAY(SELECT pg_catalog.jsonb_build_object(
                        'role', CASE s.setrole WHEN 0 THEN NULL ELSE pg_catalog.pg_get_userbyid(s.setrole) END,
                        'settings', ARRAY(SELECT c FROM pg_catalog.unnest(s.setconfig) c WHERE NOT pg_catalog.starts_with(c, $2)))
                 FROM pg_catalog.pg_db_role_setting s WHERE s.setdatabase = d.oid ORDER BY s.setrole)) AS properties
    FROM pg_catalog.pg_database d CROSS JOIN LATERAL pg_catalog.to_jsonb(d) j
   WHERE d.datname = $1
`;
