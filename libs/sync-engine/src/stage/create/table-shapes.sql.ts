import { IS_USERS_TRIGGER, ownParts, relationsOf, withoutCasts } from '@understudy/postgres';

/**
 * Describes an expression of an object. If $6 is true, the description is its text without casts, brackets and spaces,
 * because a server can write them differently after it has read its own text. If $6 is false, the description has the
 * objects of users that the expression uses, because versions of PostgreSQL write some expressions differently.
 */
function expression(text: string, catalog: string, oid: string): string {
  return `CASE WHEN $6 THEN ${withoutCasts(text)}
    ELSE ARRAY(
      SELECT DISTINCT object.identity COLLATE "C" FROM pg_catalog.pg_depend dep
       CROSS JOIN LATERAL pg_catalog.pg_identify_object(dep.refclassid, dep.refobjid, dep.refobjsubid) object
       WHERE dep.classid = 'pg_catalog.${catalog}'::pg_catalog.regclass AND dep.objid = ${oid} AND dep.deptype IN ('a', 'n')
         -- Versions differ in the columns that a generated column depends on.
         AND dep.refobjid >= 16384 AND (dep.refobjsubid = 0 OR dep.classid <> 'pg_catalog.pg_attrdef'::pg_catalog.regclass) ORDER BY 1)::text END`;
}

const CHECK = expression('pg_catalog.pg_get_constraintdef(k.oid)', 'pg_constraint', 'k.oid');

/** The domains, enums and composite types of a column, also inside each other and inside arrays. `a`: the column. */
const TYPES_OF_COLUMN = `
  WITH RECURSIVE used (oid) AS (
    SELECT a.atttypid
    UNION
    SELECT inner_type.oid FROM used u JOIN pg_catalog.pg_type t ON t.oid = u.oid CROSS JOIN LATERAL (
      SELECT t.typbasetype UNION ALL SELECT t.typelem
       UNION ALL SELECT f.atttypid FROM pg_catalog.pg_attribute f WHERE f.attrelid = t.typrelid AND f.attnum > 0 AND NOT f.attisdropped
    ) AS inner_type (oid) WHERE inner_type.oid >= 16384
  )
  SELECT pg_catalog.json_agg(pg_catalog.json_build_array(ts.nspname, t.typname, t.typtype, t.typnotnull, t.typdefaultbin IS NOT NULL,
           ${expression('t.typdefault', 'pg_type', 't.oid')},
           (SELECT pg_catalog.json_agg(pg_catalog.json_build_array(k.conname, k.convalidated, ${CHECK}) ORDER BY k.conname)
              FROM pg_catalog.pg_constraint k WHERE k.contypid = t.oid AND k.contype = 'c'),
           ARRAY(SELECT e.enumlabel FROM pg_catalog.pg_enum e WHERE e.enumtypid = t.oid ORDER BY e.enumsortorder),
           ARRAY(SELECT f.attname || ' ' || pg_catalog.format_type(f.atttypid, f.atttypmod) FROM pg_catalog.pg_attribute f
                  WHERE f.attrelid = t.typrelid AND f.attnum > 0 AND NOT f.attisdropped ORDER BY f.attnum)) ORDER BY ts.nspname, t.typname)
    FROM used u JOIN pg_catalog.pg_type t ON t.oid = u.oid AND t.typtype IN ('d', 'e', 'c') JOIN pg_catalog.pg_namespace ts ON ts.oid = t.typnamespace`;

/** The parts of a table that it does not inherit from another table of $1 and $2. */
const OWN = ownParts(`
  SELECT t.oid FROM pg_catalog.pg_class t JOIN pg_catalog.pg_namespace ts ON ts.oid = t.relnamespace
   WHERE (ts.nspname, t.relname) IN (SELECT * FROM ROWS FROM (pg_catalog.unnest($1::text[]), pg_catalog.unnest($2::text[])))`);
const FOREIGN_KEY = `k.contype = 'f' AND ${OWN.key}`;
const REFERENCED = 'pg_catalog.jsonb_build_array(rs.nspname, r.relname)';

/** The options of the sequence that a column owns. `a`: the column. */
const SEQUENCE_OF_COLUMN = `
  SELECT pg_catalog.json_agg(pg_catalog.json_build_array(q.seqtypid::pg_catalog.regtype, q.seqincrement, q.seqmin, q.seqmax, q.seqcache, q.seqcycle)
                             ORDER BY q.seqincrement, q.seqmin, q.seqmax, q.seqcache, q.seqcycle)
    FROM pg_catalog.pg_depend o JOIN pg_catalog.pg_sequence q ON q.seqrelid = o.objid
   WHERE o.classid = 'pg_catalog.pg_class'::pg_catalog.regclass AND o.refclassid = 'pg_catalog.pg_class'::pg_catalog.regclass
     AND o.refobjid = a.attrelid AND o.refobjsubid = a.attnum AND o.deptype IN ('a', 'i')`;

/**
 * Selects tables with texts that describe their definition. Two tables with the same definition on two servers have the
 * same texts. They contain names, types and flags, labels of enums, options of owned sequences, and the descriptions of
 * expressions.
 * - `shape`: persistence, columns, CHECK constraints and partition key; with $4 also triggers that
 *   the table does not inherit from another table of the list, rules, policies and row security
 * - `order`: the columns in their order, because an exchange of two names exchanges the values. Omits columns inherited
 *   from other tables than partitioned ones, because pg_dump can move them
 * - `identity`: the kind of the replica identity
 * - `inherited`: parents, and the bound of a partition
 * - `parts`: indexes, keys and extended statistics
 * - `otherKeys`: foreign keys to other tables than those of $5
 * - `children`: partitions, and child tables by inheritance
 * - `around`: publications, and the foreign keys of other tables, also to its partitions and partitioned tables above it
 * - `disabled`: the keys whose internal triggers are disabled, so that the server does not check them
 *
 * $1, $2: the names of the schemas and of the tables.
 * $3: the parts that do not count, each as `<catalog oid> <object oid>`.
 * $4: whether parts count that pg_dump creates after the rows.
 * $5: the tables whose foreign keys are parts, each as a JSON array of schema and name.
 * $6: whether the texts are compared with those of a server of the same major version.
 */
export const TABLE_SHAPES = `
  SELECT l.n::int AS n, pg_catalog.json_build_object(
      'persistence', c.relpersistence,
      'partitioning', CASE WHEN $6 THEN pg_catalog.pg_get_partkeydef(c.oid) END,
      'columns', (SELECT pg_catalog.json_agg(pg_catalog.json_build_array(
                             a.attname, pg_catalog.format_type(a.atttypid, a.atttypmod), os.nspname, o.collname, a.attnotnull, a.attidentity,
                             -- pg_dump writes DEFAULT NULL where a partition lacks a default of its parent.
                             CASE WHEN d.adbin::text !~ ':constisnull true' THEN ${expression('pg_catalog.pg_get_expr(d.adbin, d.adrelid)', 'pg_attrdef', 'd.oid')} END,
                             CASE WHEN d.oid IS NULL THEN '' ELSE a.attgenerated END,
                             CASE WHEN a.atttypid >= 16384 THEN (${TYPES_OF_COLUMN}) END,
                             (${SEQUENCE_OF_COLUMN})) ORDER BY a.attname)
                    FROM pg_catalog.pg_attribute a
                    LEFT JOIN pg_catalog.pg_collation o ON o.oid = a.attcollation
                    LEFT JOIN pg_catalog.pg_namespace os ON os.oid = o.collnamespace
                    LEFT JOIN pg_catalog.pg_attrdef d ON d.adrelid = a.attrelid AND d.adnum = a.attnum AND ${counts('pg_attrdef', 'd.oid')}
                   WHERE a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped),
      'checks', (SELECT pg_catalog.json_agg(pg_catalog.json_build_array(k.conname, k.convalidated, ${CHECK}) ORDER BY k.conname) FROM pg_catalog.pg_constraint k
                  WHERE k.conrelid = c.oid AND k.contype = 'c' AND (k.convalidated OR $4) AND ${counts('pg_constraint', 'k.oid')}),
      'triggers', (SELECT pg_catalog.json_agg(pg_catalog.json_build_array(
                             g.tgname, g.tgtype, fs.nspname, f.proname, g.tgenabled,
                             g.tgdeferrable, g.tginitdeferred, ${expression('pg_catalog.pg_get_triggerdef(g.oid)', 'pg_trigger', 'g.oid')}) ORDER BY g.tgname)
                     FROM pg_catalog.pg_trigger g JOIN pg_catalog.pg_proc f ON f.oid = g.tgfoid JOIN pg_catalog.pg_namespace fs ON fs.oid = f.pronamespace
                    WHERE $4 AND g.tgrelid = c.oid AND ${IS_USERS_TRIGGER} AND ${OWN.trigger} AND ${counts('pg_trigger', 'g.oid')}),
      'rules', (SELECT pg_catalog.json_agg(pg_catalog.json_build_array(w.rulename, w.ev_type, w.is_instead, w.ev_enabled,
                             ${expression('pg_catalog.pg_get_ruledef(w.oid)', 'pg_rewrite', 'w.oid')}) ORDER BY w.rulename)
                  FROM pg_catalog.pg_rewrite w WHERE $4 AND w.ev_class = c.oid AND ${counts('pg_rewrite', 'w.oid')}),
      'policies', (SELECT pg_catalog.json_agg(pg_catalog.json_build_array(y.polname, y.polcmd, y.polpermissive,
                             ARRAY(SELECT r.rolname FROM pg_catalog.pg_roles r WHERE r.oid = ANY (y.polroles) ORDER BY 1),
                             ${expression("pg_catalog.concat_ws(' CHECK ', pg_catalog.pg_get_expr(y.polqual, y.polrelid), pg_catalog.pg_get_expr(y.polwithcheck, y.polrelid))", 'pg_policy', 'y.oid')}) ORDER BY y.polname)
                    FROM pg_catalog.pg_policy y WHERE $4 AND y.polrelid = c.oid AND ${counts('pg_policy', 'y.oid')}),
      'row_security', pg_catalog.json_build_array($4 AND c.relrowsecurity, c.relforcerowsecurity))::text AS shape,
    ARRAY(SELECT a.attname::text FROM pg_catalog.pg_attribute a
           WHERE a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped AND (a.attinhcount = 0 OR c.relispartition) ORDER BY a.attnum) AS "order",
    CASE WHEN $4 OR c.relreplident <> 'i' THEN c.relreplident ELSE 'd' END AS identity,
    c.relispartition AS "isPartition",
    pg_catalog.json_build_object(
      'parents', (SELECT pg_catalog.json_agg(pg_catalog.json_build_array(ps.nspname, p.relname) ORDER BY h.inhseqno)
                    FROM pg_catalog.pg_inherits h JOIN pg_catalog.pg_class p ON p.oid = h.inhparent
                    JOIN pg_catalog.pg_namespace ps ON ps.oid = p.relnamespace WHERE h.inhrelid = c.oid),
      'bound', CASE WHEN $6 THEN pg_catalog.pg_get_expr(c.relpartbound, c.oid) END)::text AS inherited,
    ARRAY(
      SELECT pg_catalog.concat_ws(' ', 'index', x.relname, i.indisunique, i.indexprs IS NOT NULL, i.indpred IS NOT NULL,
                                  ${expression('pg_catalog.pg_get_indexdef(x.oid)', 'pg_class', 'x.oid')})
        FROM pg_catalog.pg_index i JOIN pg_catalog.pg_class x ON x.oid = i.indexrelid
       WHERE i.indrelid = c.oid AND (i.indisvalid OR c.relkind = 'p') AND ${counts('pg_class', 'x.oid')}
      UNION ALL
      ${keys(`k.contype IN ('p', 'u', 'x') OR ${FOREIGN_KEY} AND ${REFERENCED} = ANY ($5::jsonb[])`)}
      UNION ALL
      SELECT pg_catalog.concat_ws(' ', 'statistics', t.stxname, ${expression('pg_catalog.pg_get_statisticsobjdef(t.oid)', 'pg_statistic_ext', 't.oid')}) FROM pg_catalog.pg_statistic_ext t WHERE t.stxrelid = c.oid AND ${counts('pg_statistic_ext', 't.oid')}
      ORDER BY 1
    ) AS parts,
    ARRAY(${keys(`${FOREIGN_KEY} AND ${REFERENCED} <> ALL ($5::jsonb[])`)} ORDER BY 1) AS "otherKeys",
    ARRAY(SELECT pg_catalog.concat_ws('.', pg_catalog.quote_ident(ds.nspname), pg_catalog.quote_ident(d.relname)) FROM pg_catalog.pg_inherits h
            JOIN pg_catalog.pg_class d ON d.oid = h.inhrelid JOIN pg_catalog.pg_namespace ds ON ds.oid = d.relnamespace
           WHERE h.inhparent = c.oid ORDER BY 1) AS children,
    ARRAY(SELECT 'publication ' || b.pubname FROM pg_catalog.pg_publication_tables b WHERE b.schemaname = s.nspname AND b.tablename = c.relname
          UNION ALL
          SELECT pg_catalog.concat_ws(' ', 'key', k.conrelid::pg_catalog.regclass, k.conname, pg_catalog.pg_get_constraintdef(k.oid))
            FROM pg_catalog.pg_constraint k JOIN (${relationsOf('ARRAY[c.oid]')}) AS t ON t.relation = k.confrelid WHERE k.contype = 'f' AND k.conparentid = 0 ORDER BY 1) AS around,
    ARRAY(SELECT DISTINCT k.conname::text FROM pg_catalog.pg_trigger g JOIN pg_catalog.pg_constraint k ON k.oid = g.tgconstraint AND k.contype <> 't'
           WHERE c.oid IN (g.tgrelid, g.tgconstrrelid) AND g.tgenabled NOT IN ('O', 'A') ORDER BY 1) AS disabled
    FROM ROWS FROM (pg_catalog.unnest($1::text[]), pg_catalog.unnest($2::text[])) WITH ORDINALITY AS l (schema, "table", n)
    JOIN pg_catalog.pg_namespace s ON s.nspname = l.schema
    JOIN pg_catalog.pg_class c ON c.relnamespace = s.oid AND c.relname = l."table" AND c.relkind IN ('r', 'p')
`;

/** Selects the constraints of table `c` that meet a condition. */
function keys(condition: string): string {
  return `SELECT pg_catalog.concat_ws(' ', 'key', k.conname, k.contype,
               CASE k.contype WHEN 'x' THEN ${CHECK} ELSE pg_catalog.pg_get_constraintdef(k.oid) END)
        FROM pg_catalog.pg_constraint k
        LEFT JOIN pg_catalog.pg_class r ON r.oid = k.confrelid
        LEFT JOIN pg_catalog.pg_namespace rs ON rs.oid = r.relnamespace
       WHERE k.conrelid = c.oid AND ${counts('pg_constraint', 'k.oid')}
         AND (${condition})`;
}

function counts(catalog: string, oid: string): string {
  return `'pg_catalog.${catalog}'::pg_catalog.regclass::oid || ' ' || ${oid} <> ALL ($3::text[])`;
}

/**
 * Selects the tables of schemas that have something that could run code, hide their rows or pass them on. $1: the names of
 * the schemas, of which no table may have a trigger, a rule, row security, extended statistics, a publication or a parent
 * elsewhere. The tables of staged rows may also have no index.
 */
export const TABLES_WITH_EXTRAS = `
  SELECT s.nspname AS schema, c.relname AS "table"
    FROM pg_catalog.pg_class c JOIN pg_catalog.pg_namespace s ON s.oid = c.relnamespace
   WHERE s.nspname = ANY ($1::text[]) AND c.relkind IN ('r', 'p')
     AND (c.relrowsecurity
          OR EXISTS (SELECT FROM pg_catalog.pg_trigger g WHERE g.tgrelid = c.oid AND NOT g.tgisinternal)
          OR EXISTS (SELECT FROM pg_catalog.pg_rewrite w WHERE w.ev_class = c.oid)
          OR EXISTS (SELECT FROM pg_catalog.pg_statistic_ext t WHERE t.stxrelid = c.oid)
          OR (s.nspname, c.relname) IN (SELECT b.schemaname, b.tablename FROM pg_catalog.pg_publication_tables b)
          OR c.relname ~ '^rows_[0-9]+$' AND EXISTS (SELECT FROM pg_catalog.pg_index i WHERE i.indrelid = c.oid)
          OR EXISTS (SELECT FROM pg_catalog.pg_inherits h JOIN pg_catalog.pg_class p ON p.oid = h.inhparent
                       JOIN pg_catalog.pg_namespace q ON q.oid = p.relnamespace
                      WHERE h.inhrelid = c.oid AND q.nspname <> ALL ($1::text[])))
   ORDER BY 1, 2
`;

/**
 * Selects the tables of staged rows that do not have the columns and CHECK constraints of the existing table, in the same
 * order. If there is no existing table, they have only columns of the type text. $1: the quoted names of the tables of
 * staged rows. $2: the quoted names of the existing tables, or null. $3: the names of the columns, each as a JSON array.
 */
export const UNLIKE_EXISTING = `
  SELECT l.n::int - 1 AS n
    FROM ROWS FROM (pg_catalog.unnest($1::text[]), pg_catalog.unnest($2::text[]), pg_catalog.unnest($3::jsonb[]))
         WITH ORDINALITY AS l (staged, existing, columns, n)
   WHERE ${copiedParts('l.staged')} <> CASE WHEN l.existing IS NULL THEN ${textColumns('l.columns')} ELSE ${copiedParts('l.existing')} END
   ORDER BY l.n
`;

function copiedParts(name: string): string {
  return `ARRAY(
    SELECT pg_catalog.concat_ws(' ', 'column', a.attname, a.atttypid, a.atttypmod, a.attcollation, a.attnotnull,
             nullif(a.attgenerated, ''), CASE WHEN a.attgenerated <> '' THEN pg_catalog.pg_get_expr(d.adbin, d.adrelid) END)
      FROM pg_catalog.pg_attribute a LEFT JOIN pg_catalog.pg_attrdef d ON d.adrelid = a.attrelid AND d.adnum = a.attnum
     WHERE a.attrelid = ${name}::pg_catalog.regclass AND a.attnum > 0 AND NOT a.attisdropped ORDER BY a.attnum
    ) || ARRAY(
    -- A copy of an invalid constraint is valid.
    SELECT pg_catalog.concat_ws(' ', 'check', k.conname, pg_catalog.regexp_replace(pg_catalog.pg_get_constraintdef(k.oid), ' NOT VALID$', ''))
      FROM pg_catalog.pg_constraint k WHERE k.conrelid = ${name}::pg_catalog.regclass AND k.contype = 'c'
     ORDER BY 1)`;
}

function textColumns(columns: string): string {
  return `ARRAY(
    SELECT pg_catalog.concat_ws(' ', 'column', a.name, t.oid, -1, t.typcollation, false)
      FROM pg_catalog.jsonb_array_elements_text(${columns}) WITH ORDINALITY AS a (name, n)
      JOIN pg_catalog.pg_type t ON t.oid = 'pg_catalog.text'::pg_catalog.regtype ORDER BY a.n)`;
}
