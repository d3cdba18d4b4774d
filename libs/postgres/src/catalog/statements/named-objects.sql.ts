import { callsBuiltInCode } from './built-in-code.sql.js';
import { partitionTree } from './partition-tree.sql.js';

/**
 * Finds an object by its name, with or without its schema, as PostgreSQL prints it in messages. Prefers an object whose
 * whole name matches. $1: the name. $2: the kind, or null.
 */
export const NAMED_OBJECT = `
  SELECT o.kind, o.schema, o.name FROM (
    SELECT 'type' AS kind, n.nspname AS schema, t.typname AS name FROM pg_catalog.pg_type t JOIN pg_catalog.pg_namespace n ON n.oid = t.typnamespace
    UNION ALL SELECT 'relation', n.nspname, c.relname FROM pg_catalog.pg_class c JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace WHERE c.relkind NOT IN ('i', 'I', 't', 'c')
    UNION ALL SELECT 'function', n.nspname, p.proname FROM pg_catalog.pg_proc p JOIN pg_catalog.pg_namespace n ON n.oid = p.pronamespace
    UNION ALL SELECT 'collation', n.nspname, c.collname FROM pg_catalog.pg_collation c JOIN pg_catalog.pg_namespace n ON n.oid = c.collnamespace
    UNION ALL SELECT 'operator_class', n.nspname, c.opcname FROM pg_catalog.pg_opclass c JOIN pg_catalog.pg_namespace n ON n.oid = c.opcnamespace
    UNION ALL SELECT 'schema', NULL, nspname FROM pg_catalog.pg_namespace
    UNION ALL SELECT 'extension', NULL, extname FROM pg_catalog.pg_extension
  ) AS o
   WHERE ($2::text IS NULL OR o.kind = $2) AND $1 IN (o.name::text, o.schema::text || '.' || o.name::text)
   ORDER BY $1 = o.name::text AND o.schema IS NOT NULL, o.kind = 'relation', o.schema LIMIT 1
`;

/**
 * Finds the function that a message names by its signature or only by its name. Signatures are resolved with the search
 * path in force. $1: the text.
 */
export const FUNCTION_IN_MESSAGE = `
  SELECT n.nspname AS schema, p.proname AS name
    FROM pg_catalog.pg_proc p JOIN pg_catalog.pg_namespace n ON n.oid = p.pronamespace
   WHERE CASE WHEN $1 LIKE '%(%)' THEN p.oid = pg_catalog.to_regprocedure($1) ELSE p.proname = $1 END
   ORDER BY n.nspname = 'pg_catalog', pg_catalog.pg_function_is_visible(p.oid) DESC LIMIT 1
`;

/**
 * The expressions that the server evaluates when rows are written, by the root table, and the types that call functions.
 * Partitioned tables above the root count with their keys. `called` has the functions and operators that these use, and
 * operator classes of users. It includes the default classes of the columns' types, with which ANALYZE and functions of
 * PostgreSQL compare values. $1: the tables' oids.
 */
const EVALUATED = `
  WITH RECURSIVE tables AS (
    SELECT t.oid AS root, t.oid FROM pg_catalog.unnest($1::oid[]) AS t (oid)
    UNION SELECT t.oid, p.relid FROM pg_catalog.unnest($1::oid[]) AS t (oid), ${partitionTree('t.oid')} p
  ), types AS (
    SELECT t.root, a.atttypid AS oid FROM tables t JOIN pg_catalog.pg_attribute a ON a.attrelid = t.oid AND a.attnum > 0 AND NOT a.attisdropped
    UNION
    SELECT s.root, n.oid FROM types s JOIN pg_catalog.pg_type y ON y.oid = s.oid
     CROSS JOIN LATERAL (
       SELECT y.typbasetype AS oid WHERE y.typbasetype <> 0
       UNION ALL SELECT y.typelem WHERE y.typelem <> 0
       UNION ALL SELECT r.rngtypid FROM pg_catalog.pg_range r WHERE r.rngmultitypid = y.oid
       UNION ALL SELECT r.rngsubtype FROM pg_catalog.pg_range r WHERE r.rngtypid = y.oid
       UNION ALL SELECT a.atttypid FROM pg_catalog.pg_attribute a WHERE y.typrelid <> 0 AND a.attrelid = y.typrelid AND a.attnum > 0 AND NOT a.attisdropped
     ) AS n
  ), expressions AS (
    SELECT root, 'pg_catalog.pg_class'::regclass AS classid, oid AS objid FROM tables
    UNION SELECT t.oid, 'pg_catalog.pg_class'::regclass, a.relid FROM pg_catalog.unnest($1::oid[]) AS t (oid), pg_catalog.pg_partition_ancestors(t.oid) AS a (relid)
    UNION SELECT t.root, 'pg_catalog.pg_constraint'::regclass, c.oid FROM tables t JOIN pg_catalog.pg_constraint c ON c.conrelid = t.oid
    UNION SELECT s.root, 'pg_catalog.pg_type'::regclass, s.oid FROM types s JOIN pg_catalog.pg_range r ON r.rngtypid = s.oid
    UNION SELECT s.root, 'pg_catalog.pg_constraint'::regclass, c.oid FROM types s JOIN pg_catalog.pg_constraint c ON c.contypid = s.oid
    UNION SELECT t.root, 'pg_catalog.pg_attrdef'::regclass, d.oid FROM tables t JOIN pg_catalog.pg_attrdef d ON d.adrelid = t.oid
            JOIN pg_catalog.pg_attribute a ON a.attrelid = d.adrelid AND a.attnum = d.adnum AND a.attgenerated <> ''
    UNION SELECT t.root, 'pg_catalog.pg_class'::regclass, i.indexrelid FROM tables t JOIN pg_catalog.pg_index i ON i.indrelid = t.oid
    UNION SELECT t.root, 'pg_catalog.pg_statistic_ext'::regclass, s.oid FROM tables t JOIN pg_catalog.pg_statistic_ext s ON s.stxrelid = t.oid
  ), of_extensions AS (
    SELECT classid, objid FROM pg_catalog.pg_depend WHERE deptype = 'e'
  ), called AS (
    SELECT e.root, d.refclassid AS classid, d.refobjid AS objid
      FROM expressions e JOIN pg_catalog.pg_depend d ON d.classid = e.classid AND d.objid = e.objid
     WHERE d.refobjid >= 16384
       AND (d.refclassid IN ('pg_catalog.pg_proc'::regclass, 'pg_catalog.pg_operator'::regclass)
            OR d.refclassid = 'pg_catalog.pg_opclass'::regclass AND (d.refclassid, d.refobjid) NOT IN (SELECT classid, objid FROM of_extensions))
    UNION
    SELECT s.root, 'pg_catalog.pg_opclass'::regclass, o.oid
      FROM types s JOIN pg_catalog.pg_opclass o ON o.opcintype = s.oid AND o.opcdefault AND o.oid >= 16384
     WHERE ('pg_catalog.pg_opclass'::regclass, o.oid) NOT IN (SELECT classid, objid FROM of_extensions)
  )
`;

/** The parsed texts of the expressions. */
const TREES = `
  SELECT e.root, pg_catalog.concat_ws(' ', k.conbin, d.adbin, i.indexprs, i.indpred, s.stxexprs, p.partexprs) AS tree
    FROM expressions e
    LEFT JOIN pg_catalog.pg_constraint k ON e.classid = 'pg_catalog.pg_constraint'::regclass AND k.oid = e.objid
    LEFT JOIN pg_catalog.pg_attrdef d ON e.classid = 'pg_catalog.pg_attrdef'::regclass AND d.oid = e.objid
    LEFT JOIN pg_catalog.pg_index i ON e.classid = 'pg_catalog.pg_class'::regclass AND i.indexrelid = e.objid
    LEFT JOIN pg_catalog.pg_statistic_ext s ON e.classid = 'pg_catalog.pg_statistic_ext'::regclass AND s.oid = e.objid
    LEFT JOIN pg_catalog.pg_partitioned_table p ON e.classid = 'pg_catalog.pg_class'::regclass AND p.partrelid = e.objid`;

/**
 * Selects the tables that call functions of users or extensions when rows are written or analyzed. The calls are in
 * CHECK constraints, also of domains, in generated columns, in partition keys, in indexes, also of partitions, in ranges
 * and in statistics. A function of PostgreSQL that runs SQL counts, too, and so does an operator class of a user. `is_own`
 * is false if all these functions belong to extensions. $1: oids of tables.
 */
export const TABLES_THAT_CALL_FUNCTIONS = `
  ${EVALUATED}
  SELECT oid::text AS oid, pg_catalog.bool_or(is_own) AS is_own FROM (
    SELECT root AS oid, (classid, objid) NOT IN (SELECT classid, objid FROM of_extensions) AS is_own FROM called
    UNION
    SELECT e.root, true FROM (${TREES}) AS e WHERE ${callsBuiltInCode(['e.tree'], [])}
  ) AS calling
   GROUP BY oid
`;

/**
 * Returns the functions that are neither PostgreSQL's own nor members of extensions, and that the server calls when rows
 * are written, each with the oid of the table. Triggers are not included. $1: the tables' oids.
 */
export const FUNCTIONS_EVALUATED = `
  ${EVALUATED}, functions AS (
    SELECT c.root, c.objid AS oid FROM called c WHERE c.classid = 'pg_catalog.pg_proc'::regclass
    UNION SELECT c.root, o.oprcode FROM called c JOIN pg_catalog.pg_operator o ON c.classid = 'pg_catalog.pg_operator'::regclass AND o.oid = c.objid
    UNION SELECT c.root, p.amproc FROM called c JOIN pg_catalog.pg_opclass o ON c.classid = 'pg_catalog.pg_opclass'::regclass AND o.oid = c.objid
            JOIN pg_catalog.pg_amproc p ON p.amprocfamily = o.opcfamily AND p.amproclefttype = o.opcintype
  )
  SELECT DISTINCT f.root::text AS oid, a.type, a.object_names AS names, a.object_args AS args
    FROM functions f
   CROSS JOIN LATERAL pg_catalog.pg_identify_object_as_address('pg_catalog.pg_proc'::regclass, f.oid, 0) AS a
   WHERE f.oid >= 16384
`;
