import { disconnect } from './connect.js';
import { DatabaseError } from '../errors/database-error.js';
import { openSession, type Session } from './session.js';

/**
 * A job needs sessions: settings, an advisory lock, a transaction that others join. A pooler that gives each transaction another
 * server process has none, and would lose them without a word. One that keeps a process for as long as the client is
 * connected is as good as none.
 * @throws DatabaseError pooler_unsupported
 */
export async function refusePooler(session: Session): Promise<void> {
  const { client, target, side, backendPid } = session;
  // A server names its process when it greets; a pooler makes a number up, as what stands behind it changes.
  if ((client as unknown as { processID: number }).processID === backendPid) return;
  for (let round = 0; round < ROUNDS; round++) {
    const other = await openSession(target, side);
    const { rows } = await client.query<{ pid: number }>('SELECT pg_catalog.pg_backend_pid() AS pid');
    await disconnect(other.client);
    const pid = rows[0]?.pid;
    // Another client had our process, or we have another one.
    if (other.backendPid === backendPid || pid !== backendPid) {
      throw new DatabaseError('pooler_unsupported', side);
    }
  }
}

/** Other clients of the pool may get in between. */
const ROUNDS = 3;
