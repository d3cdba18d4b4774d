/** Tests whether the role has the privilege for {@link HAS_LARGE_OBJECTS}. By default, every role has it. */
export const MAY_SEE_LARGE_OBJECTS =
  "SELECT has_table_privilege('pg_catalog.pg_largeobject_metadata', 'SELECT') AS allowed";

/** Tests whether the database has any large objects. They belong to no table. */
export const HAS_LARGE_OBJECTS = 'SELECT EXISTS (SELECT FROM pg_catalog.pg_largeobject_metadata) AS found';

/**
 * Returns the columns that may reference large objects: columns of type oid, arrays of oid, and domains over them such
 * as `lo`. $1: the tables' oids.
 */
export const OID_COLUMNS = `
  WITH RECURSIVE base AS (
    SELECT a.attrelid, a.attnum, a.attname, t.oid AS type, t.typtype, t.typbasetype, t.typelem
      FROM pg_catalog.pg_attribute a JOIN pg_catalog.pg_type t ON t.oid = a.atttypid
     WHERE a.attrelid = ANY ($1::oid[]) AND a.attnum > 0 AND NOT a.attisdropped
    UNION ALL
    SELECT b.attrelid, b.attnum, b.attname, t.oid, t.typtype, t.typbasetype, t.typelem
      FROM base b JOIN pg_catalog.pg_type t ON t.oid IN (b.typbasetype, CASE WHEN b.typtype = 'b' THEN b.typelem END)
  )
  SELECT attrelid::text AS table, attname AS column FROM base
   WHERE type = 'pg_catalog.oid'::regtype
   ORDER BY attrelid, attnum
`;
