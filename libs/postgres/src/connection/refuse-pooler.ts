import { disconnect } from './connect.js';
import { DatabaseError } from '../errors/database-error.js';
import { type Client, openSession, type Session } from './session.js';

/**
 * Rejects a connection through a transaction pooler. A job needs sessions, for settings, an advisory lock and a shared
 * snapshot. A pooler that changes the server process between transactions would silently lose them. A session pooler,
 * which keeps one process for each client, is accepted.
 *
 * A transaction pooler gives an idle server process to the next client that needs one. It prefers either the process
 * that was used last, which then answers another client, or the one that has been idle longest, which then answers the
 * session's next statement.
 * @throws DatabaseError with the code `pooler_unsupported`
 */
export async function refusePooler(session: Session): Promise<void> {
  const { client, target, side, backendPid } = session;
  // A server sends its process id at the start. A pooler invents one, because the process behind it changes.
  if ((client as unknown as { processID: number }).processID === backendPid) return;
  for (let round = 0; round < ROUNDS; round++) {
    const other = await openSession(target, side);
    // With two server processes in turn, each second statement has the same process.
    const pids = [await currentPid(client), await currentPid(client)];
    await disconnect(other.client);
    // Either another client uses our server process, or our session has moved to another server process.
    if (other.backendPid === backendPid || pids.some((pid) => pid !== backendPid)) {
      throw new DatabaseError('pooler_unsupported', side);
    }
  }
}

async function currentPid(client: Client): Promise<number | undefined> {
  const { rows } = await client.query<{ pid: number }>('SELECT pg_catalog.pg_backend_pid() AS pid');
  return rows[0]?.pid;
}

/** The number of checks. One check may miss a pooler that gives the same server process to our session again. */
const ROUNDS = 3;
