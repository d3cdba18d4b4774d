import type { Client } from 'pg';
import { FEEDING_SEQUENCES } from './statements/feeding-sequences.sql.js';
import { quoteIdentifier, quoteTable } from './quote.js';
import {
  keyOfSequence,
  readPositions,
  type SequencePosition,
  type TableSequence,
} from './table-sequences.js';
import type { TableName } from '@understudy/sync-job';

/** A sequence that gives a column its values. */
export interface FeedingSequence extends TableName {
  /** The index of the column's table. */
  readonly position: number;
  readonly column: string;
  /** Whether the column's values show which values of the sequence are in use. */
  readonly is_number: boolean;
  readonly increment: string;
  readonly min: string;
  readonly max: string;
}

/** Reads the sequences that feed columns of the tables. */
export async function readFeedingSequences(
  client: Client,
  tables: readonly TableName[],
): Promise<readonly FeedingSequence[]> {
  const { rows } = await client.query<FeedingSequence>(FEEDING_SEQUENCES, [tables.map(quoteTable)]);
  return rows;
}

/**
 * Moves the sequence of a table's numeric column one step beyond the greatest value in the column, or beyond the least
 * value if the sequence is descending. Ignores values outside the bounds of the sequence. Never moves it backwards. Does
 * not move it if it has no value beyond those of the column, because a single row with the last value does that, too.
 * @returns whether the column's values leave the sequence a value
 */
export async function restartSequence(
  client: Client,
  table: TableName,
  sequence: FeedingSequence,
): Promise<boolean> {
  const { rows } = await client.query<{ next: string; leaves_room: boolean }>(
    `SELECT v.next, v.leaves_room FROM (${nextValueSql(table, sequence)}) AS v, ${quoteTable(sequence)} s
      WHERE ${sequence.increment} * (v.last - s.last_value) > 0 OR (v.last = s.last_value AND NOT s.is_called)`,
  );
  const [row] = rows;
  if (row?.leaves_room) await client.query(`ALTER SEQUENCE ${quoteTable(sequence)} RESTART WITH ${row.next}`);
  return row?.leaves_room ?? true;
}

/** Finds out whether the values of a column leave its sequence a value. The sequence may be one of another server. */
export async function leavesRoom(
  client: Client,
  table: TableName,
  sequence: FeedingSequence,
): Promise<boolean> {
  const { rows } = await client.query(
    `SELECT FROM (${nextValueSql(table, sequence)}) AS v WHERE NOT v.leaves_room`,
  );
  return rows.length === 0;
}

/**
 * Moves sequences to the given positions of the source. Sequences stay within their bounds and never move backwards.
 * @param sequences sequences of this server
 * @param positions the positions on the source, by {@link keyOfSequence}
 * @returns the sequences that are still behind: there is no position, or only the owner may move the sequence
 */
export async function advanceSequences(
  client: Client,
  sequences: readonly TableSequence[],
  positions: ReadonlyMap<string, SequencePosition>,
): Promise<readonly TableName[]> {
  const { moves, behind } = await planMoves(client, sequences, positions);
  for (const { sequence, next, bounds } of moves) await moveTo(client, sequence, next, bounds);
  return behind;
}

/** Finds the sequences that {@link advanceSequences} would leave behind. */
export async function findSequencesBehind(
  client: Client,
  sequences: readonly TableSequence[],
  positions: ReadonlyMap<string, SequencePosition>,
): Promise<readonly TableName[]> {
  return (await planMoves(client, sequences, positions)).behind;
}

async function planMoves(
  client: Client,
  sequences: readonly TableSequence[],
  positions: ReadonlyMap<string, SequencePosition>,
): Promise<{ readonly moves: readonly Move[]; readonly behind: readonly TableName[] }> {
  const known = sequences.filter((sequence) => positions.has(keyOfSequence(sequence)));
  const own = await readPositions(client, known);
  const moves: Move[] = [];
  const behind: TableName[] = sequences.filter((sequence) => !positions.has(keyOfSequence(sequence)));
  for (const sequence of known) {
    const [there, here] = [positions.get(keyOfSequence(sequence)), own.get(keyOfSequence(sequence))];
    if (there === undefined) continue;
    const next = here === undefined ? undefined : laterPosition(there, here);
    if (here !== undefined && next === undefined) continue;
    if (here === undefined || next === undefined || !sequence.isOwned) behind.push(sequence);
    else moves.push({ sequence, next, bounds: here });
  }
  return { moves, behind };
}

interface Move {
  readonly sequence: TableName;
  readonly next: bigint;
  readonly bounds: Bounds;
}

type Bounds = Pick<SequencePosition, 'min' | 'max'>;

/**
 * Sets the next value of a sequence. If the value is outside the bounds, the sequence is exhausted: it then fails, or
 * begins again if it has CYCLE. In a transaction, a rollback undoes setval here, because ALTER SEQUENCE has given the
 * sequence new storage in the same transaction.
 */
async function moveTo(
  client: Client,
  sequence: TableName,
  next: bigint,
  { min, max }: Bounds,
): Promise<void> {
  const value = next < min ? min : next > max ? max : next;
  const name = quoteTable(sequence);
  await client.query(`ALTER SEQUENCE ${name} RESTART WITH ${value}`);
  if (value !== next) await client.query('SELECT pg_catalog.setval($1, $2)', [name, value.toString()]);
}

/** Returns the next value of the source if it is later than that of this server's sequence, also if it is out of bounds. */
function laterPosition(there: SequencePosition, here: SequencePosition): bigint | undefined {
  // A sequence begins at a bound. If the source is not there yet, this sequence is not behind.
  const isBefore = here.increment > 0n ? there.next < here.min : there.next > here.max;
  const isExhausted = here.next < here.min || here.next > here.max;
  const isLater = here.increment > 0n ? there.next > here.next : there.next < here.next;
  return isLater && !isBefore && !isExhausted ? there.next : undefined;
}

/** Returns a query for the next value of a sequence beyond those of a column, which can be outside its bounds. */
function nextValueSql(table: TableName, { column, increment, min, max }: FeedingSequence): string {
  const value = `copied.${quoteIdentifier(column)}`;
  const last = BigInt(increment) > 0n ? `floor(max(${value})::numeric)` : `ceil(min(${value})::numeric)`;
  return `
    SELECT m.last, m.last + ${increment} AS next, m.last + ${increment} BETWEEN ${min} AND ${max} AS leaves_room
      FROM (SELECT ${last} AS last FROM ${quoteTable(table)} copied WHERE ${value} BETWEEN ${min} AND ${max}) AS m`;
}
