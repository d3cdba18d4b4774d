import { quoteLiteral, type Client } from '@understudy/postgres';
import { SyncJobError } from '@understudy/sync-job';

// PostgreSQL makes them of two or three hexadecimal words; this one may have been read from a table.
const SNAPSHOT_ID = /^[0-9A-F]{1,8}(-[0-9A-F]{1,8}){1,3}$/;

/**
 * Begins a transaction that sees exactly what the snapshot's keeper sees.
 * @throws SyncJobError snapshot_lost when nobody holds it any more, connection_lost
 */
export async function joinSnapshot(client: Client, snapshotId: string): Promise<void> {
  if (!SNAPSHOT_ID.test(snapshotId)) throw lost(new Error('no id of a snapshot'));
  await begin(client, `SET TRANSACTION SNAPSHOT ${quoteLiteral(snapshotId)}`);
}

async function begin(client: Client, setSnapshot: string): Promise<void> {
  try {
    // One round trip; what fails in it leaves no transaction that matters.
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
