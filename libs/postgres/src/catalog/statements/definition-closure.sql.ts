import { partitionTree } from './partition-tree.sql.js';
import { callsBuiltInCode, operatesBuiltInCode } from './built-in-code.sql.js';
import { IS_USERS_TRIGGER, ownParts } from './foreign-keys.sql.js';
import { bodyOf, namedSequences } from './named-sequences.sql.js';

const isKept = (address: string): string => `${address} <> ALL ($2::text[])`;

/**
 * The objects of {@link DEFINITION_CLOSURE} as `closure`, and those that belong to the tables as `parts`. Before
 * PostgreSQL 15, the catalogs assign the expression of a generated column to the table.
 */
const CLOSURE = `
  WITH RECURSIVE tables AS (
    SELECT t.oid FROM unnest($1::oid[]) AS t (oid)
    UNION
    SELECT p.relid FROM unnest($1::oid[]) AS t (oid), ${partitionTree('t.oid')} p
  ), parts AS (
    SELECT classid, objid FROM (
    SELECT 'pg_class'::regclass::oid AS classid, oid AS objid FROM tables
    UNION SELECT 'pg_attrdef'::regclass, d.oid FROM pg_catalog.pg_attrdef d JOIN tables t ON t.oid = d.adrelid
    UNION SELECT 'pg_constraint'::regclass, c.oid FROM pg_catalog.pg_constraint c JOIN tables t ON t.oid = c.conrelid
    UNION SELECT 'pg_class'::regclass, i.indexrelid FROM pg_catalog.pg_index i JOIN tables t ON t.oid = i.indrelid
    UNION SELECT 'pg_trigger'::regclass, g.oid FROM pg_catalog.pg_trigger g JOIN tables t ON t.oid = g.tgrelid
           WHERE ${IS_USERS_TRIGGER}
    UNION SELECT 'pg_rewrite'::regclass, w.oid FROM pg_catalog.pg_rewrite w JOIN tables t ON t.oid = w.ev_class
    UNION SELECT 'pg_policy'::regclass, y.oid FROM pg_catalog.pg_policy y JOIN tables t ON t.oid = y.polrelid
    UNION SELECT 'pg_statistic_ext'::regclass, s.oid FROM pg_catalog.pg_statistic_ext s JOIN tables t ON t.oid = s.stxrelid
    UNION SELECT 'pg_class'::regclass, s.oid FROM pg_catalog.pg_class s
            JOIN pg_catalog.pg_depend d ON d.classid = 'pg_class'::regclass AND d.objid = s.oid
             AND d.refclassid = 'pg_class'::regclass AND d.deptype = 'i'
            JOIN tables t ON t.oid = d.refobjid WHERE s.relkind = 'S'
    ) AS part WHERE ${isKept("classid || ' ' || objid")}
  ), owned AS (
    SELECT 'pg_class'::regclass::oid AS classid, s.oid AS objid FROM pg_catalog.pg_class s
      JOIN pg_catalog.pg_depend d ON d.classid = 'pg_class'::regclass AND d.objid = s.oid
       AND d.refclassid = 'pg_class'::regclass AND d.deptype = 'a'
      JOIN tables t ON t.oid = d.refobjid WHERE s.relkind = 'S'
  ), closure AS (
    SELECT classid, objid FROM (SELECT * FROM parts UNION SELECT * FROM owned) AS seeds
    UNION
    SELECT n.classid, n.objid FROM closure c CROSS JOIN LATERAL (
      SELECT d.refclassid, d.refobjid FROM pg_catalog.pg_depend d
        LEFT JOIN pg_catalog.pg_class r ON d.refclassid = 'pg_class'::regclass AND r.oid = d.refobjid
        LEFT JOIN pg_catalog.pg_attribute a ON d.classid = 'pg_class'::regclass AND a.attrelid = d.objid
         AND a.attnum = d.objsubid AND a.attgenerated <> '' AND d.refclassid <> 'pg_type'::regclass
        LEFT JOIN pg_catalog.pg_attrdef e ON e.adrelid = a.attrelid AND e.adnum = a.attnum
       WHERE d.classid = c.classid AND d.objid = c.objid AND d.refobjid <> 0
         -- A part of a partition depends on the part of the partitioned table from which it is inherited.
         AND d.deptype NOT IN ('P', 'S')
         AND (r.oid IS NULL OR r.relkind IN ('S', 'c'))
         AND (e.oid IS NULL OR ${isKept("'pg_attrdef'::regclass::oid || ' ' || e.oid")})
      UNION ALL
      SELECT 'pg_class'::regclass, t.typrelid FROM pg_catalog.pg_type t
        JOIN pg_catalog.pg_class r ON r.oid = t.typrelid AND r.relkind = 'c'
       WHERE c.classid = 'pg_type'::regclass AND t.oid = c.objid
      UNION ALL
      SELECT 'pg_constraint'::regclass, k.oid FROM pg_catalog.pg_constraint k
       WHERE c.classid = 'pg_type'::regclass AND k.contypid = c.objid AND k.contypid <> 0
      UNION ALL
      SELECT 'pg_class'::regclass, named.oid FROM (
          SELECT pg_catalog.pg_get_expr(f.adbin, f.adrelid), r.relnamespace, NULL::text[]
            FROM pg_catalog.pg_attrdef f JOIN pg_catalog.pg_class r ON r.oid = f.adrelid
           WHERE c.classid = 'pg_attrdef'::regclass AND f.oid = c.objid
          UNION ALL
          SELECT pg_catalog.pg_get_expr(t.typdefaultbin, 0), t.typnamespace, NULL FROM pg_catalog.pg_type t
           WHERE c.classid = 'pg_type'::regclass AND t.oid = c.objid AND t.typdefaultbin IS NOT NULL
          UNION ALL
          SELECT ${bodyOf('p')}, p.pronamespace, p.proconfig FROM pg_catalog.pg_proc p JOIN pg_catalog.pg_language l ON l.oid = p.prolang
           WHERE c.classid = 'pg_proc'::regclass AND p.oid = c.objid AND p.oid >= 16384 AND l.lanname NOT IN ('c', 'internal')
        ) AS code (body, home, settings), LATERAL (${namedSequences('code.body', 'code.home', 'code.settings')}) AS named
    ) AS n (classid, objid)
  )
`;

/**
 * Returns all catalog objects that the definitions of tables need. These are the parts of the tables and of
 * their partitions. They are also the types, domains, sequences, functions, extensions and schemas that the
 * parts depend on, and the sequences that the texts of defaults and functions name. Omits other tables and
 * views; the caller handles foreign keys to them. $1: the tables' oids. $2: parts of the tables that are left out, with
 * all objects that only they need, as `<catalog oid> <object oid>`.
 */
export const DEFINITION_CLOSURE = ` ${CLOSURE}
  SELECT c.classid::text AS classid, c.objid::text AS oid, p.objid IS NOT NULL AS is_part,
         EXISTS (SELECT FROM pg_catalog.pg_constraint k
                  WHERE c.classid = 'pg_constraint'::regclass AND k.oid = c.objid AND k.contype = 'n') AS is_not_null,
         a.type AS type, a.object_names AS names, a.object_args AS args
    FROM closure c
    LEFT JOIN parts p ON p.classid = c.classid AND p.objid = c.objid
    CROSS JOIN LATERAL pg_catalog.pg_identify_object_as_address(c.classid, c.objid, 0) AS a
   WHERE c.objid >= 16384
`;

/**
 * Returns the objects of {@link DEFINITION_CLOSURE} with the objects that each one uses. `runs_code` is true if the
 * object's own expressions call a function of PostgreSQL that counts as code ({@link callsBuiltInCode}), or the object is
 * an operator that calls one. The expression of a
 * generated column belongs to its default. The parameters are the same.
 */
export const DEFINITION_GRAPH = `
  ${CLOSURE}
  , edges AS (
    SELECT coalesce(e.tableoid, d.classid) AS classid, coalesce(e.oid, d.objid) AS objid, d.refclassid, d.refobjid
      FROM closure c
      JOIN pg_catalog.pg_depend d ON d.classid = c.classid AND d.objid = c.objid AND d.refobjid >= 16384
      LEFT JOIN pg_catalog.pg_attribute a ON d.classid = 'pg_class'::regclass AND a.attrelid = d.objid
       AND a.attnum = d.objsubid AND a.attgenerated <> '' AND d.refclassid <> 'pg_type'::regclass
      LEFT JOIN pg_catalog.pg_attrdef e ON e.adrelid = a.attrelid AND e.adnum = a.attnum
    UNION SELECT 'pg_type'::regclass, k.contypid, 'pg_constraint'::regclass, k.oid
            FROM closure c JOIN pg_catalog.pg_constraint k ON c.classid = 'pg_constraint'::regclass AND k.oid = c.objid
           WHERE k.contypid <> 0
    UNION SELECT 'pg_type'::regclass, t.oid, 'pg_class'::regclass, t.typrelid
            FROM closure c JOIN pg_catalog.pg_type t ON c.classid = 'pg_class'::regclass AND t.typrelid = c.objid
  ), uses AS (
    SELECT classid, objid, pg_catalog.array_agg(DISTINCT refclassid || ' ' || refobjid) AS uses FROM edges GROUP BY classid, objid
  )
  SELECT c.classid::text AS classid, c.objid::text AS oid, c.classid::regclass::text AS catalog,
         p.objid IS NOT NULL AS is_part, i.type AS kind, i.schema, i.identity,
         coalesce(i.name, h.proname, l.opcname, op.oprname, k.conname, g.tgname, w.rulename, y.polname, at.attname) AS name,
         k.contype AS constraint_type, coalesce(at.attgenerated <> '', false) AS is_generated, x.extname AS extension,
         coalesce((SELECT r.relid FROM pg_catalog.pg_partition_ancestors(o.oid) r WHERE r.relid = ANY ($1::oid[]) LIMIT 1),
                  o.oid)::oid::text AS of_table,
         coalesce(u.uses, '{}') AS uses,
         ${callsBuiltInCode(['k.conbin', 'y.polqual', 'y.polwithcheck', 'g.tgqual', 's.stxexprs'], ['f.adbin', 'dt.typdefaultbin'])}
           OR ${operatesBuiltInCode('op.oprcode')} AS runs_code,
         a.type AS type, a.object_names AS names, a.object_args AS args
    FROM closure c
    LEFT JOIN uses u ON u.classid = c.classid AND u.objid = c.objid
    LEFT JOIN parts p ON p.classid = c.classid AND p.objid = c.objid
    LEFT JOIN pg_catalog.pg_type dt ON c.classid = 'pg_type'::regclass AND dt.oid = c.objid
    LEFT JOIN pg_catalog.pg_proc h ON c.classid = 'pg_proc'::regclass AND h.oid = c.objid
    LEFT JOIN pg_catalog.pg_opclass l ON c.classid = 'pg_opclass'::regclass AND l.oid = c.objid
    LEFT JOIN pg_catalog.pg_operator op ON c.classid = 'pg_operator'::regclass AND op.oid = c.objid
    LEFT JOIN pg_catalog.pg_constraint k ON c.classid = 'pg_constraint'::regclass AND k.oid = c.objid
    LEFT JOIN pg_catalog.pg_trigger g ON c.classid = 'pg_trigger'::regclass AND g.oid = c.objid
    LEFT JOIN pg_catalog.pg_rewrite w ON c.classid = 'pg_rewrite'::regclass AND w.oid = c.objid
    LEFT JOIN pg_catalog.pg_policy y ON c.classid = 'pg_policy'::regclass AND y.oid = c.objid
    LEFT JOIN pg_catalog.pg_attrdef f ON c.classid = 'pg_attrdef'::regclass AND f.oid = c.objid
    LEFT JOIN pg_catalog.pg_attribute at ON at.attrelid = f.adrelid AND at.attnum = f.adnum
    LEFT JOIN pg_catalog.pg_index n ON c.classid = 'pg_class'::regclass AND n.indexrelid = c.objid
    LEFT JOIN pg_catalog.pg_statistic_ext s ON c.classid = 'pg_statistic_ext'::regclass AND s.oid = c.objid
    LEFT JOIN pg_catalog.pg_depend m ON m.classid = c.classid AND m.objid = c.objid AND m.deptype = 'e'
     AND m.refclassid = 'pg_extension'::regclass
    LEFT JOIN pg_catalog.pg_extension x ON x.oid = m.refobjid
    CROSS JOIN LATERAL (SELECT coalesce(nullif(k.conrelid, 0), g.tgrelid, w.ev_class, y.polrelid, f.adrelid, n.indrelid,
                                        s.stxrelid, CASE WHEN p.objid IS NOT NULL THEN c.objid END) AS oid) AS o
    CROSS JOIN LATERAL pg_catalog.pg_identify_object(c.classid, c.objid, 0) AS i
    CROSS JOIN LATERAL pg_catalog.pg_identify_object_as_address(c.classid, c.objid, 0) AS a
   WHERE c.objid >= 16384
   ORDER BY c.classid, c.objid
`;

/**
 * Returns the other relations that the policies of tables and their partitions read. $1: the tables' oids. $2: parts of
 * the tables that are left out, as in {@link DEFINITION_CLOSURE}.
 */
export const RELATIONS_OF_POLICIES = `
  ${CLOSURE}
  SELECT DISTINCT d.refclassid::text AS classid, d.refobjid::text AS oid, false AS is_part,
         a.type AS type, a.object_names AS names, a.object_args AS args
    FROM parts p
    JOIN pg_catalog.pg_depend d ON d.classid = p.classid AND d.objid = p.objid AND d.refclassid = 'pg_class'::regclass
    CROSS JOIN LATERAL pg_catalog.pg_identify_object_as_address(d.refclassid, d.refobjid, 0) AS a
   WHERE p.classid = 'pg_policy'::regclass AND d.refobjid >= 16384 AND d.refobjid <> ALL (SELECT oid FROM tables)
`;

/**
 * Returns which functions are members of extensions, and which can only compute a value: immutable functions, and those
 * that SQL cannot call. $1: the functions as texts of `regprocedure`, $2: the names of the extensions.
 */
export const ARE_MEMBERS = `
  SELECT x.oid IS NOT NULL AS member,
         coalesce(p.provolatile = 'i' OR 'pg_catalog.internal'::pg_catalog.regtype = ANY (p.proargtypes), false) AS pure
    FROM unnest($1::text[], $2::text[]) WITH ORDINALITY AS f (identity, extension, nr)
    LEFT JOIN pg_catalog.pg_proc p ON p.oid = pg_catalog.to_regprocedure(f.identity)
    LEFT JOIN pg_catalog.pg_depend d ON d.classid = 'pg_proc'::regclass AND d.objid = p.oid AND d.deptype = 'e'
     AND d.refclassid = 'pg_extension'::regclass
    LEFT JOIN pg_catalog.pg_extension x ON x.oid = d.refobjid AND x.extname = f.extension
   ORDER BY nr
`;

/** Returns those of the given types that the current transaction has created or changed. $1: oids. */
export const TYPES_OF_TRANSACTION = `
  SELECT oid::text AS oid FROM pg_catalog.pg_type WHERE oid = ANY ($1::oid[]) AND pg_catalog.age(xmin) <= 0
`;

const WITH_PARTITIONS = `
  SELECT p.relid FROM pg_catalog.unnest($2::oid[]) AS listed (oid), ${partitionTree('listed.oid')} p
   UNION ALL SELECT pg_catalog.unnest($2::oid[])`;

/**
 * Returns the foreign keys of tables and their partitions that reference a table outside the job. $1: the oids of the
 * tables, $2: the oids of all tables in the job.
 */
export const FOREIGN_KEYS_ELSEWHERE = `
  SELECT k.oid::text AS oid, t.oid::text AS table, n.nspname AS referenced_schema, r.relname AS referenced_table
    FROM unnest($1::oid[]) AS t (oid)
    JOIN pg_catalog.pg_constraint k ON k.conrelid = t.oid
      OR k.conrelid IN (SELECT p.relid FROM ${partitionTree('t.oid')} p)
    JOIN pg_catalog.pg_class r ON r.oid = k.confrelid
    JOIN pg_catalog.pg_namespace n ON n.oid = r.relnamespace
   WHERE k.contype = 'f' AND k.confrelid <> ALL ($2::oid[])
     AND ${ownParts(WITH_PARTITIONS).key}
     AND NOT EXISTS (SELECT FROM pg_catalog.pg_partition_ancestors(k.confrelid) a WHERE a.relid = ANY ($2::oid[]))
`;

/**
 * Returns the tables and views that pg_dump must leave out, by schema. pg_dump locks each table that it does not leave
 * out, and waits for locks on the tables of each view. It keeps only the given tables and their partitions, without those
 * that the role may not lock. $1: oids.
 */
export const TABLES_TO_LEAVE_OUT = `
  SELECT n.nspname AS schema, pg_catalog.array_agg(c.relname::text ORDER BY c.relname) AS tables
    FROM pg_catalog.pg_class c JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace
   WHERE c.relkind IN ('r', 'p', 'v', 'm') AND n.nspname <> 'information_schema' AND n.nspname !~ '^pg_'
     AND NOT (has_schema_privilege(n.oid, 'USAGE') AND has_table_privilege(c.oid, 'SELECT')
              AND c.oid IN (SELECT t.relid FROM pg_catalog.unnest($1::oid[]) AS listed (oid), ${partitionTree('listed.oid')} t
                            UNION ALL SELECT pg_catalog.unnest($1::oid[])))
   GROUP BY n.nspname
`;
