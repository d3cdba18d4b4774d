import type { Client } from 'pg';
import type { TableName } from '@understudy/sync-job';
import { computesSql, RUNS_SQL, type Code } from './computed-sql.js';
import { schemasAndNames } from './names.js';
import { quoteLiteral, quoteTable } from './quote.js';
import { releasingLocks } from '../connection/releasing-locks.js';
import { DEFINITION_CLOSURE } from './statements/definition-closure.sql.js';
import { bodyOf, namedSequences, pathOf } from './statements/named-sequences.sql.js';
import { relationsOf } from './statements/partition-tree.sql.js';

/** A sequence that tables depend on. */
export interface TableSequence extends TableName {
  readonly isReadable: boolean;
  /** Whether the role may alter the sequence. */
  readonly isOwned: boolean;
}

/** A sequence that the definitions of tables need. */
export interface NeededSequence extends TableSequence {
  /** Whether a function uses the sequence, so that columns do not show all values in use. */
  readonly isInFunction: boolean;
  /** Whether the tables need the sequence only through a function that the text of another function calls. */
  readonly isCalled: boolean;
}

/** A sequence with which others can write rows of a table. */
export interface WriterSequence extends TableSequence {
  /** The oid of the table. */
  readonly writes: string;
}

/** The state of a sequence. */
export interface SequencePosition {
  /** The value that the sequence returns next. It can be outside the bounds of an exhausted sequence. */
  readonly next: bigint;
  readonly increment: bigint;
  readonly min: bigint;
  readonly max: bigint;
}

/** Returns a text that identifies a sequence by its name, on any server. */
export function keyOfSequence({ schema, table }: TableName): string {
  return JSON.stringify([schema, table]);
}

/**
 * Reads the sequences that tables depend on: owned ones, those in defaults, and those that the texts of defaults and of
 * functions name.
 * @param oids the oids of the tables
 * @param omitted parts of the tables that are left out, as in {@link DEFINITION_CLOSURE}
 */
export async function readTableSequences(
  client: Client,
  oids: readonly string[],
  omitted: readonly string[] = [],
): Promise<readonly NeededSequence[]> {
  if (oids.length === 0 || !(await hasSequences(client))) return [];
  const { rows } = await client.query<NeededSequence>(
    `${FUNCTIONS}, used AS (
       SELECT named.oid FROM functions f, LATERAL (${namedSequences('f.body', 'f.pronamespace', 'f.proconfig')}) AS named
       UNION
       SELECT d.refobjid FROM functions f
         JOIN pg_catalog.pg_depend d ON d.classid = 'pg_catalog.pg_proc'::regclass AND d.objid = f.oid
          AND d.refclassid = 'pg_catalog.pg_class'::regclass
     )
     SELECT found.*, u.oid IS NOT NULL AS "isInFunction", c.oid IS NULL AS "isCalled"
       FROM (${SEQUENCES}) AS found LEFT JOIN used u ON u.oid = found.oid
       LEFT JOIN needed c ON c.oid = found.oid::text AND c.classid = 'pg_catalog.pg_class'::regclass::oid::text
      WHERE u.oid IS NOT NULL OR c.oid IS NOT NULL`,
    [oids, omitted],
  );
  return rows;
}

/**
 * Reads the sequences with which others can write rows of tables. Views of the tables use them in their defaults, rules
 * and functions of INSTEAD OF triggers. Functions use them if their text also names a table, a partition or such a view,
 * or if a trigger calls them. A function can use them through another one that its text names.
 * @param oids the oids of the tables
 */
export async function readWriterSequences(
  client: Client,
  oids: readonly string[],
): Promise<readonly WriterSequence[]> {
  if (oids.length === 0 || !(await hasSequences(client))) return [];
  const { rows } = await client.query<WriterSequence>(WRITER_SEQUENCES, [oids]);
  return rows;
}

/**
 * Finds out whether tables depend on a default or a function whose sequence cannot be known. Its name or the SQL that
 * calls nextval is computed, or several sequences have the name and the caller's search path decides.
 * @param oids the oids of the tables
 * @param omitted parts of the tables that are left out, as in {@link DEFINITION_CLOSURE}
 */
export async function hasDynamicSequence(
  client: Client,
  oids: readonly string[],
  omitted: readonly string[] = [],
): Promise<boolean> {
  if (oids.length === 0 || !(await hasSequences(client))) return false;
  const { rows } = await client.query<{ found: boolean; code: readonly Code[] }>(
    `${FUNCTIONS}, code (body, settings, language) AS (
       SELECT pg_catalog.pg_get_expr(f.adbin, f.adrelid), NULL::text[], 'sql' FROM needed c
         JOIN pg_catalog.pg_attrdef f ON f.oid::text = c.oid WHERE c.classid = 'pg_catalog.pg_attrdef'::regclass::oid::text
       UNION ALL
       SELECT pg_catalog.pg_get_expr(t.typdefaultbin, 0), NULL, 'sql' FROM needed c
         JOIN pg_catalog.pg_type t ON t.oid::text = c.oid WHERE c.classid = 'pg_catalog.pg_type'::regclass::oid::text
       UNION ALL SELECT body, proconfig, language FROM functions
     )
     SELECT EXISTS (SELECT FROM code WHERE body ~* $3) OR EXISTS (
       SELECT FROM code, LATERAL pg_catalog.regexp_matches(body, $4, 'gi') AS name
        WHERE ${pathOf('settings')} IS NULL
          AND (SELECT pg_catalog.count(*) FROM pg_catalog.pg_class s WHERE s.relkind = 'S'
                AND s.relname = (pg_catalog.parse_ident(name[2]))[1]::name) > 1) AS found,
       (SELECT coalesce(pg_catalog.json_agg(pg_catalog.json_build_object('language', language, 'body', body)), '[]')
          FROM code WHERE body ~* $5) AS code`,
    [oids, omitted, DYNAMIC_NAME, PLAIN_NAME, RUNS_SQL],
  );
  return rows.some(({ found, code }) => found || code.some(computesSql));
}

/** Planning the queries of this file takes longer than most tables need to be copied. */
async function hasSequences(client: Client): Promise<boolean> {
  const { rows } = await client.query("SELECT FROM pg_catalog.pg_class WHERE relkind = 'S' LIMIT 1");
  return rows.length > 0;
}

const CASTS = String.raw`(\s*::\s*[\w ."]+)*\s*`;
/** A string literal, also inside one or two others. */
const QUOTED_NAME = `"([^"']|""|'')+"`;
const LITERAL = String.raw`\s*('[^'|,]+'|'([[:alpha:]_][[:alnum:]_$]*[.])?${QUOTED_NAME}'|'${QUOTED_NAME}[.]${QUOTED_NAME}'|''[^'|,]+''|''''[^'|,]+'''')${CASTS}`;
const IN_PARENTHESES = String.raw`\s*\(${LITERAL}\)${CASTS}`;
/** Matches a call whose first argument is anything but one string literal, with or without casts and parentheses. */
const DYNAMIC_NAME = String.raw`\m(nextval|setval)"?\s*\((?!(${LITERAL}|${IN_PARENTHESES}|\s*\(${IN_PARENTHESES}\)${CASTS})[),])`;
/** Matches a call with a name without a schema. */
const PLAIN_NAME = String.raw`\m(nextval|setval)"?\s*\([\s(]*'+("[^"]+"|[[:alpha:]_][[:alnum:]_$]*)'`;

/**
 * The objects that tables need as `needed`, and the functions that they run as `functions`. These are the functions
 * of `needed`, and those that the text of a function calls, with or without a schema. The parameters are those of
 * {@link DEFINITION_CLOSURE}.
 */
const FUNCTIONS = `
  WITH RECURSIVE needed AS (${DEFINITION_CLOSURE}), reached AS (
    SELECT p.oid FROM needed c JOIN pg_catalog.pg_proc p ON p.oid::text = c.oid
     WHERE c.classid = 'pg_catalog.pg_proc'::regclass::oid::text
    UNION
    SELECT f.oid FROM reached r
      JOIN pg_catalog.pg_proc p ON p.oid = r.oid
      JOIN pg_catalog.pg_language l ON l.oid = p.prolang AND l.lanname NOT IN ('c', 'internal')
     CROSS JOIN LATERAL pg_catalog.regexp_matches(${bodyOf('p')},
             '(?:("(?:[^"]|"")+"|[[:alpha:]_][[:alnum:]_$]*)[[:space:]]*[.][[:space:]]*)?("(?:[^"]|"")+"|[[:alpha:]_][[:alnum:]_$]*)[[:space:]]*[(]', 'g') AS call
      JOIN pg_catalog.pg_proc f ON f.proname = (pg_catalog.parse_ident(call[2]))[1]::name AND f.oid >= 16384
      JOIN pg_catalog.pg_namespace n ON n.oid = f.pronamespace
       AND (call[1] IS NULL OR n.nspname = (pg_catalog.parse_ident(call[1]))[1])
  ), functions AS (
    SELECT p.oid, ${bodyOf('p')} AS body, p.pronamespace, p.proconfig, l.lanname::text AS language FROM reached r JOIN pg_catalog.pg_proc p ON p.oid = r.oid
      JOIN pg_catalog.pg_language l ON l.oid = p.prolang AND l.lanname NOT IN ('c', 'internal')
  )
`;

/** Finds those of the named sequences that exist on a server. */
export async function findSequences(
  client: Client,
  names: readonly TableName[],
): Promise<readonly TableSequence[]> {
  if (names.length === 0) return [];
  const { rows } = await client.query<TableSequence>(
    `${SEQUENCES} JOIN ROWS FROM (pg_catalog.unnest($1::text[]), pg_catalog.unnest($2::text[])) AS wanted (schema, name) ON wanted.schema = n.nspname AND wanted.name = s.relname`,
    schemasAndNames(names),
  );
  return rows;
}

/**
 * Reads the positions of the readable ones of the sequences, by {@link keyOfSequence}. Reads them in batches, and holds no
 * lock on a batch afterwards.
 */
export async function readPositions(
  client: Client,
  sequences: readonly TableSequence[],
): Promise<ReadonlyMap<string, SequencePosition>> {
  const readable = sequences.filter(({ isReadable }) => isReadable);
  const positions = new Map<string, SequencePosition>();
  for (let from = 0; from < readable.length; from += BATCH) {
    const batch = readable.slice(from, from + BATCH);
    const states = batch.map(
      (
        sequence,
        i,
      ) => `SELECT ${i} AS i, p.last_value::numeric + CASE WHEN p.is_called THEN q.seqincrement ELSE 0 END AS next,
        q.seqincrement AS increment, q.seqmin AS min, q.seqmax AS max
      FROM ${quoteTable(sequence)} p, pg_catalog.pg_sequence q WHERE q.seqrelid = ${quoteLiteral(quoteTable(sequence))}::regclass`,
    );
    const { rows } = await releasingLocks(client, () =>
      client.query<Record<'next' | 'increment' | 'min' | 'max', string> & { i: number }>(
        states.join(' UNION ALL '),
      ),
    );
    for (const { i, next, increment, min, max } of rows)
      positions.set(keyOfSequence(batch[i] as TableSequence), {
        next: BigInt(next),
        increment: BigInt(increment),
        min: BigInt(min),
        max: BigInt(max),
      });
  }
  return positions;
}

const BATCH = 50;

const SEQUENCES = `
  SELECT s.oid, n.nspname AS schema, s.relname AS table,
         pg_catalog.has_schema_privilege(n.oid, 'USAGE') AND pg_catalog.has_sequence_privilege(s.oid, 'SELECT') AS "isReadable",
         pg_catalog.pg_has_role(s.relowner, 'USAGE') AS "isOwned"
    FROM pg_catalog.pg_class s JOIN pg_catalog.pg_namespace n ON n.oid = s.relnamespace AND s.relkind = 'S'
`;

/** $1: the oids of the tables. */
const WRITER_SEQUENCES = `
  WITH RECURSIVE written (root, oid) AS (
    SELECT listed, relation FROM (${relationsOf('$1::oid[]')}) AS r WHERE is_inside
    UNION
    SELECT w.root, r.ev_class FROM written w
      JOIN pg_catalog.pg_depend d ON d.refclassid = 'pg_catalog.pg_class'::regclass AND d.refobjid = w.oid
       AND d.classid = 'pg_catalog.pg_rewrite'::regclass
      JOIN pg_catalog.pg_rewrite r ON r.oid = d.objid
  ), body (oid, name, text) AS (
    SELECT p.oid, p.proname, ${bodyOf('p')} FROM pg_catalog.pg_proc p
      JOIN pg_catalog.pg_language l ON l.oid = p.prolang AND l.lanname NOT IN ('c', 'internal')
     WHERE p.oid >= 16384
  ), running (oid, name, feeding) AS (
    SELECT oid, name, oid FROM body WHERE text ~* 'nextval'
    UNION
    SELECT b.oid, b.name, r.feeding FROM running r
      JOIN body b ON pg_catalog.strpos(pg_catalog.lower(b.text), pg_catalog.lower(r.name)) > 0
     WHERE EXISTS (
       SELECT FROM pg_catalog.regexp_matches(pg_catalog.lower(b.text), '("[^"]+"|[[:alnum:]_$]+)[[:space:]]*[(]', 'g') AS call
        WHERE pg_catalog.btrim(call[1], '"') = pg_catalog.lower(r.name))
  ), code (root, body, home, settings) AS (
    SELECT w.root, pg_catalog.pg_get_expr(f.adbin, f.adrelid), v.relnamespace, NULL::text[] FROM written w
      JOIN pg_catalog.pg_class v ON v.oid = w.oid AND v.relkind = 'v'
      JOIN pg_catalog.pg_attrdef f ON f.adrelid = v.oid
    UNION ALL
    SELECT w.root, pg_catalog.pg_get_ruledef(r.oid), v.relnamespace, NULL FROM written w
      JOIN pg_catalog.pg_class v ON v.oid = w.oid
      JOIN pg_catalog.pg_rewrite r ON r.ev_class = v.oid AND r.ev_type <> '1'
    UNION ALL
    SELECT w.root, f.text, p.pronamespace, p.proconfig FROM running r
      JOIN body b ON b.oid = r.oid JOIN body f ON f.oid = r.feeding JOIN pg_catalog.pg_proc p ON p.oid = r.feeding
     CROSS JOIN written w JOIN pg_catalog.pg_class c ON c.oid = w.oid
     WHERE EXISTS (SELECT FROM pg_catalog.pg_trigger g WHERE g.tgrelid = w.oid AND g.tgfoid = r.oid) 
        OR c.relname = ANY (pg_catalog.regexp_split_to_array(pg_catalog.lower(b.text), '[^[:alnum:]_$]+'))
        OR pg_catalog.strpos(b.text, pg_catalog.format('"%s"', c.relname)) > 0
  )
  SELECT DISTINCT found.*, code.root::text AS writes FROM code
   CROSS JOIN LATERAL (${namedSequences('code.body', 'code.home', 'code.settings')}) AS named
    JOIN (${SEQUENCES}) AS found ON found.oid = named.oid
`;
