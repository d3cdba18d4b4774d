import type { Client } from 'pg';
import { FEEDING_SEQUENCES } from './statements/feeding-sequences.sql.js';
import { quoteIdentifier, quoteTable } from './names.js';
import type { TableName } from '@understudy/sync-job';

/**
 * Moves the sequences of a table's columns one step beyond the greatest value in the column, or beyond the least value
 * if the sequence is descending. Sequences stay within their bounds and never move backwards. Uses ALTER SEQUENCE,
 * because a rollback does not undo setval.
 */
export async function restartSequences(client: Client, name: TableName): Promise<void> {
  const table = quoteTable(name);
  const sequences = await client.query<TableName & { column: string }>(FEEDING_SEQUENCES, [table]);
  for (const sequence of sequences.rows) {
    const { rows } = await client.query<{ next: string | null }>(nextValueSql(table, sequence), [
      quoteTable(sequence),
    ]);
    const next = rows[0]?.next ?? null;
    if (next !== null) await client.query(`ALTER SEQUENCE ${quoteTable(sequence)} RESTART WITH ${next}`);
  }
}

/**
 * Returns a query for the next value of a sequence. The query returns null if the column is empty, or
 * if the sequence is already beyond the column's values.
 */
function nextValueSql(table: string, sequence: TableName & { column: string }): string {
  const column = quoteIdentifier(sequence.column);
  return `
    SELECT CASE WHEN sign(q.seqincrement) * (m.last - s.last_value) > 0 OR (m.last = s.last_value AND NOT s.is_called)
                THEN greatest(q.seqmin, least(q.seqmax, m.last + q.seqincrement::numeric))::text END AS next
      FROM pg_catalog.pg_sequence q, ${quoteTable(sequence)} s, LATERAL (
             SELECT (CASE WHEN q.seqincrement > 0 THEN max(${column}) ELSE min(${column}) END)::numeric AS last FROM ${table}
           ) m
     WHERE q.seqrelid = $1::regclass`;
}
