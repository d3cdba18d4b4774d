import type { Client } from 'pg';
import type { TableName } from '@understudy/sync-job';
import { quoteLiteral, quoteTable } from './names.js';
import { DEFINITION_CLOSURE } from './statements/definition-closure.sql.js';
import { namedSequences } from './statements/named-sequences.sql.js';

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
  if (oids.length === 0) return [];
  const { rows } = await client.query<NeededSequence>(
    `WITH needed AS (${DEFINITION_CLOSURE}), functions AS (
       SELECT p.oid, p.prosrc, p.pronamespace FROM needed c JOIN pg_catalog.pg_proc p ON p.oid::text = c.oid
        WHERE c.classid = 'pg_catalog.pg_proc'::regclass::oid::text
     ), used AS (
       SELECT named.oid FROM functions f, LATERAL (${namedSequences('f.prosrc', 'f.pronamespace')}) AS named
       UNION
       SELECT d.refobjid FROM functions f
         JOIN pg_catalog.pg_depend d ON d.classid = 'pg_catalog.pg_proc'::regclass AND d.objid = f.oid
     )
     SELECT found.*, EXISTS (SELECT FROM used u WHERE u.oid = found.oid) AS "isInFunction"
       FROM (${SEQUENCES}) AS found JOIN needed c ON c.oid = found.oid::text AND c.classid = 'pg_catalog.pg_class'::regclass::oid::text`,
    [oids, omitted],
  );
  return rows;
}

/**
 * Finds out whether a default or a function that tables depend on computes the name of a sequence, so that the sequence
 * cannot be known.
 * @param oids the oids of the tables
 * @param omitted parts of the tables that are left out, as in {@link DEFINITION_CLOSURE}
 */
export async function hasDynamicSequence(
  client: Client,
  oids: readonly string[],
  omitted: readonly string[] = [],
): Promise<boolean> {
  if (oids.length === 0) return false;
  const { rows } = await client.query<{ found: boolean }>(
    `SELECT EXISTS (
       SELECT FROM (${DEFINITION_CLOSURE}) AS c
        WHERE c.classid = 'pg_catalog.pg_attrdef'::regclass::oid::text
              AND (SELECT pg_catalog.pg_get_expr(f.adbin, f.adrelid) FROM pg_catalog.pg_attrdef f WHERE f.oid::text = c.oid) ~* $3
           OR c.classid = 'pg_catalog.pg_proc'::regclass::oid::text
              AND (SELECT p.prosrc FROM pg_catalog.pg_proc p WHERE p.oid::text = c.oid) ~* $3) AS found`,
    [oids, omitted, DYNAMIC_NAME],
  );
  return rows[0]?.found === true;
}

/** Matches a call whose argument does not begin with a string literal. */
const DYNAMIC_NAME = String.raw`\m(nextval|setval)\s*\(\s*(\(\s*)*[^'\s(]`;

/** Finds those of the named sequences that exist on a server. */
export async function findSequences(
  client: Client,
  names: readonly TableName[],
): Promise<readonly TableSequence[]> {
  if (names.length === 0) return [];
  const { rows } = await client.query<TableSequence>(
    `${SEQUENCES} JOIN ROWS FROM (pg_catalog.unnest($1::text[]), pg_catalog.unnest($2::text[])) AS wanted (schema, name) ON wanted.schema = n.nspname AND wanted.name = s.relname`,
    [names.map(({ schema }) => schema), names.map(({ table }) => table)],
  );
  return rows;
}

/** Reads the positions of the readable ones of the sequences, by {@link keyOfSequence}. */
export async function readPositions(
  client: Client,
  sequences: readonly TableSequence[],
): Promise<ReadonlyMap<string, SequencePosition>> {
  const readable = sequences.filter(({ isReadable }) => isReadable);
  if (readable.length === 0) return new Map();
  const states = readable.map(
    (
      sequence,
      i,
    ) => `SELECT ${i} AS i, p.last_value::numeric + CASE WHEN p.is_called THEN q.seqincrement ELSE 0 END AS next,
        q.seqincrement AS increment, q.seqmin AS min, q.seqmax AS max
      FROM ${quoteTable(sequence)} p, pg_catalog.pg_sequence q WHERE q.seqrelid = ${quoteLiteral(quoteTable(sequence))}::regclass`,
  );
  const { rows } = await client.query<Record<'next' | 'increment' | 'min' | 'max', string> & { i: number }>(
    states.join(' UNION ALL '),
  );
  return new Map(
    rows.flatMap(({ i, ...state }) => {
      const sequence = readable[i];
      if (sequence === undefined) return [];
      const { next, increment, min, max } = state;
      const position = {
        next: BigInt(next),
        increment: BigInt(increment),
        min: BigInt(min),
        max: BigInt(max),
      };
      return [[keyOfSequence(sequence), position] as const];
    }),
  );
}

const SEQUENCES = `
  SELECT s.oid, n.nspname AS schema, s.relname AS table,
         pg_catalog.has_schema_privilege(n.oid, 'USAGE') AND pg_catalog.has_sequence_privilege(s.oid, 'SELECT') AS "isReadable",
         pg_catalog.pg_has_role(s.relowner, 'USAGE') AS "isOwned"
    FROM pg_catalog.pg_class s JOIN pg_catalog.pg_namespace n ON n.oid = s.relnamespace AND s.relkind = 'S'
`;
