import type { Client } from '../postgres/session.js';
import { quoteTable } from '../postgres/quote.js';
import type { TableName } from '../postgres/table-name.js';

/**
 * The source as of one instant: a REPEATABLE READ, READ ONLY transaction whose snapshot others can join. It lives as long
 * as the client's transaction; rows, training values and the dumped definition all come from it.
 */
export interface Snapshot {
  readonly client: Client;
  readonly id: string;
}

export async function openSnapshot(client: Client): Promise<Snapshot> {
  await client.query('BEGIN TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY');
  const { rows } = await client.query<{ id: string }>('SELECT pg_catalog.pg_export_snapshot() AS id');
  return { client, id: rows[0]?.id ?? '' };
}

/** From here on a TRUNCATE or a rewrite of the table, which a snapshot does not see through, has to wait. */
export async function holdTable(snapshot: Snapshot, name: TableName): Promise<void> {
  await snapshot.client.query(`LOCK TABLE ${quoteTable(name)} IN ACCESS SHARE MODE`);
}
