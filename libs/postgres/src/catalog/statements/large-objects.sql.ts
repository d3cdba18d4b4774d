/** Whether the role may ask for {@link HAS_LARGE_OBJECTS}: everybody may, unless somebody has revoked it. */
export const MAY_SEE_LARGE_OBJECTS =
  "SELECT has_table_privilege('pg_catalog.pg_largeobject_metadata', 'SELECT') AS allowed";

/** Of the whole database: large objects belong to no table. */
export const HAS_LARGE_OBJECTS = 'SELECT EXISTS (SELECT FROM pg_catalog.pg_largeobject_metadata) AS found';

/** $1: oids of tables. Columns of type oid, of arrays of it, and of domains over either, such as `lo`: what a large object is named in. */
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
