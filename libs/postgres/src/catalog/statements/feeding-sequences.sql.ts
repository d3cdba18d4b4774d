/**
 * Returns the sequences that give a table's columns their values: owned sequences (serial, identity) and sequences in a
 * default. $1: the table's quoted name.
 */
export const FEEDING_SEQUENCES = `
  SELECT DISTINCT n.nspname AS schema, s.relname AS table, a.attname AS column
    FROM pg_catalog.pg_class s
    JOIN pg_catalog.pg_namespace n ON n.oid = s.relnamespace
    JOIN (
      SELECT d.objid AS sequence, d.refobjsubid AS attnum FROM pg_catalog.pg_depend d
       WHERE d.classid = 'pg_catalog.pg_class'::regclass AND d.refclassid = 'pg_catalog.pg_class'::regclass
         AND d.refobjid = $1::regclass AND d.deptype IN ('a', 'i') AND d.refobjsubid > 0
      UNION
      SELECT d.refobjid, f.adnum FROM pg_catalog.pg_attrdef f
        JOIN pg_catalog.pg_depend d ON d.classid = 'pg_catalog.pg_attrdef'::regclass AND d.objid = f.oid
         AND d.refclassid = 'pg_catalog.pg_class'::regclass
       WHERE f.adrelid = $1::regclass AND d.refobjid <> $1::regclass
    ) AS fed ON fed.sequence = s.oid
    JOIN pg_catalog.pg_attribute a ON a.attrelid = $1::regclass AND a.attnum = fed.attnum
    JOIN pg_catalog.pg_type t ON t.oid = a.atttypid
   WHERE s.relkind = 'S' AND t.typname IN ('int2', 'int4', 'int8')
`;
