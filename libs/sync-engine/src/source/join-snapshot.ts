import { quoteLiteral, type Client } from '@understudy/postgres/session';
import { SyncJobError } from '@understudy/sync-job/failure';

// PostgreSQL's snapshot ids consist of two to four hexadecimal words. The id is checked, because it may come
// from the ledger.
const SNAPSHOT_ID = /^[0-9A-F]{1,8}(-[0-9A-F]{1,8}){1,3}$/;

/**
 * Begins a transaction that sees the same data as the transaction which exported the snapshot.
 * @throws SyncJobError snapshot_lost if no transaction holds the snapshot any more, connection_lost
 */
export async function joinSnapshot(client: Client, snapshotId: string): Promise<void> {
  if (!SNAPSHOT_ID.test(snapshotId)) throw lost(new Error('expected the id of an exported snapshot'));
  await begin(client, `SET TRANSACTION SNAPSHOT ${quoteLiteral(snapshotId)}`);
}

async function begin(client: Client, setSnapshot: string): Promise<void> {
  try {
    // One round trip. After an error the session is in a failed transaction, so every caller closes it.
    await client.query(`BEGIN TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY; ${setSnapshot}`);
  } catch (cause) {
    const { severity, code } = cause as { severity?: unknown; code?: unknown };
    const isServers = typeof severity === 'string' && typeof code === 'string' && !/^(08|57P)/.test(code);
    if (isServers) throw lost(cause);
    throw new SyncJobError({ code: 'connection_lost', side: 'source' }, { cause });
  }
}

function lost(cause: unknown): SyncJobError {
  return new SyncJobError({ code: 'snapshot_lost', side: 'source' }, { cause });
}
