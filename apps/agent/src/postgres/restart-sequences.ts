import type { Client } from 'pg';
import { FEEDING_SEQUENCES } from './feeding-sequences.sql.js';
import { quoteIdentifier, quoteTable } from './quote.js';
import type { TableName } from './table-name.js';

/**
 * Moves the sequences that feed a table's columns above the greatest value there, never back. By ALTER SEQUENCE and not by
 * setval, which would stay after a rollback.
 */
export async function restartSequences(client: Client, name: TableName): Promise<void> {
  const table = quoteTable(name);
  const sequences = await client.query<TableName & { column: string }>(FEEDING_SEQUENCES, [table]);
  for (const sequence of sequences.rows) {
    const column = quoteIdentifier(sequence.column);
    const { rows } = await client.query<{ next: string | null }>(
      `SELECT CASE WHEN m.greatest >= s.last_value AND (m.greatest > s.last_value OR NOT s.is_called)
                   THEN (m.greatest + 1)::text END AS next
         FROM (SELECT max(${column})::int8 AS greatest FROM ${table}) m, ${quoteTable(sequence)} s`,
    );
    const next = rows[0]?.next ?? null;
    if (next !== null) await client.query(`ALTER SEQUENCE ${quoteTable(sequence)} RESTART WITH ${next}`);
  }
}
