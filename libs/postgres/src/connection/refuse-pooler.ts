import { disconnect } from './connect.js';
import { DatabaseError } from '../errors/database-error.js';
import { openSession, type Session } from './session.js';

/**
 * Rejects a connection through a transaction pooler. A job needs sessions, for settings, an advisory lock and a shared
 * snapshot. A pooler that changes the server process between transactions would silently lose them. A session pooler,
 * which keeps one process for each client, is accepted.
 * @throws DatabaseError with the code `pooler_unsupported`
 */
export async function refusePooler(session: Session): Promise<void> {
  const { client, target, side, backendPid } = session;
  // A server sends its process id at the start. A pooler invents one, because the process behind it changes.
  if ((client as unknown as { processID: number }).processID === backendPid) return;
  for (let round = 0; round < ROUNDS; round++) {
    const other = await openSession(target, side);
    const { rows } = await client.query<{ pid: number }>('SELECT pg_catalog.pg_backend_pid() AS pid');
    await disconnect(other.client);
    const pid = rows[0]?.pid;
    // Either another client uses our server process, or our session has moved to another server process.
    if (other.backendPid === backendPid || pid !== backendPid) {
      throw new DatabaseError('pooler_unsupported', side);
    }
  }
}

/** The number of checks. One check may miss a pooler that gives the same server process to our session again. */
const ROUNDS = 3;
