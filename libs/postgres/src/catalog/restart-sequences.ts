import type { Client } from 'pg';
import { FEEDING_SEQUENCES } from './statements/feeding-sequences.sql.js';
import { quoteIdentifier, quoteTable } from './names.js';
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
  /** Whether the column contains numbers, so that they show which values of the sequence are in use. */
  readonly is_number: boolean;
}

/** Reads the sequences that feed columns of the tables, whose values are numbers or not. */
export async function readFeedingSequences(
  client: Client,
  tables: readonly TableName[],
): Promise<readonly FeedingSequence[]> {
  const { rows } = await client.query<FeedingSequence>(FEEDING_SEQUENCES, [tables.map(quoteTable)]);
  return rows;
}

/**
 * Moves the sequence of a table's numeric column one step beyond the greatest value in the column, or beyond the least
 * value if the sequence is descending. Ignores values outside the bounds of the sequence. It stays within its bounds and
 * never moves backwards. Uses ALTER SEQUENCE, because a rollback does not undo setval.
 */
export async function restartSequence(
  client: Client,
  table: TableName,
  sequence: FeedingSequence,
): Promise<void> {
  const { rows } = await client.query<{ next: string | null }>(nextValueSql(quoteTable(table), sequence), [
    quoteTable(sequence),
  ]);
  const next = rows[0]?.next ?? null;
  if (next !== null) await client.query(`ALTER SEQUENCE ${quoteTable(sequence)} RESTART WITH ${next}`);
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
  const known = sequences.filter((sequence) => positions.has(keyOfSequence(sequence)));
  const own = await readPositions(client, known);
  const behind: TableName[] = sequences.filter((sequence) => !positions.has(keyOfSequence(sequence)));
  for (const sequence of known) {
    const [there, here] = [positions.get(keyOfSequence(sequence)), own.get(keyOfSequence(sequence))];
    if (there === undefined) continue;
    const next = here === undefined ? undefined : laterPosition(there, here);
    if (here !== undefined && next === undefined) continue;
    if (next === undefined || !sequence.isOwned) behind.push(sequence);
    else await client.query(`ALTER SEQUENCE ${quoteTable(sequence)} RESTART WITH ${next}`);
  }
  return behind;
}

/** Returns the next value of the source within the bounds of this server's sequence, if it is later than its own. */
function laterPosition(there: SequencePosition, here: SequencePosition): bigint | undefined {
  const isAscending = here.increment > 0n;
  const bounded = there.next < here.min ? here.min : there.next > here.max ? here.max : there.next;
  const isLater = isAscending ? bounded > here.next : bounded < here.next;
  return isLater ? bounded : undefined;
}

/**
 * Returns a query for the next value of a sequence. The query returns null if the column has no value within the
 * sequence's bounds, or if the sequence is already beyond the column's values.
 */
function nextValueSql(table: string, sequence: TableName & { column: string }): string {
  const column = quoteIdentifier(sequence.column);
  return `
    SELECT CASE WHEN sign(q.seqincrement) * (m.last - s.last_value) > 0 OR (m.last = s.last_value AND NOT s.is_called)
                THEN greatest(q.seqmin, least(q.seqmax, m.last + q.seqincrement::numeric))::text END AS next
      FROM pg_catalog.pg_sequence q, ${quoteTable(sequence)} s, LATERAL (
             SELECT CASE WHEN q.seqincrement > 0 THEN floor(max(${column})::numeric) ELSE ceil(min(${column})::numeric) END AS last
               FROM ${table} WHERE ${column} BETWEEN q.seqmin AND q.seqmax
           ) m
     WHERE q.seqrelid = $1::regclass`;
}
