import type { Client } from '../postgres/session.js';
import { quoteLiteral, quoteTable } from '../postgres/quote.js';
import type { TableName } from '../postgres/table-name.js';

/**
 * The source as of one instant: a REPEATABLE READ, READ ONLY transaction whose snapshot others can join. It lives as long
 * as the client's transaction; rows, training values and the dumped definition all come from it.
 */
export interface Snapshot {
  readonly client: Client;
  readonly id: string;
  /** The id of the snapshot that it is a copy of. */
  readonly joined?: string;
}

/** @param importId of a snapshot to join; @returns undefined when its transaction has ended */
export async function joinSnapshot(client: Client, importId: string): Promise<Snapshot | undefined> {
  await client.query(BEGIN);
  try {
    await client.query(`SET TRANSACTION SNAPSHOT ${quoteLiteral(importId)}`);
    return { client, id: await exportSnapshot(client), joined: importId };
  } catch {
    // Gone; a connection that is broken shows in the next statement.
    await client.query('ROLLBACK');
    return undefined;
  }
}

export async function openSnapshot(client: Client): Promise<Snapshot> {
  await client.query(BEGIN);
  return { client, id: await exportSnapshot(client) };
}

const BEGIN = 'BEGIN TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY';

async function exportSnapshot(client: Client): Promise<string> {
  const { rows } = await client.query<{ id: string }>('SELECT pg_catalog.pg_export_snapshot() AS id');
  return rows[0]?.id ?? '';
}

/** From here on a TRUNCATE or a rewrite of the table, which a snapshot does not see through, has to wait. */
export async function holdTable(snapshot: Snapshot, name: TableName): Promise<void> {
  await snapshot.client.query(`LOCK TABLE ${quoteTable(name)} IN ACCESS SHARE MODE`);
}
