import { connect, disconnect } from './connect.js';
import { DatabaseError } from '../errors/database-error.js';
import type { Session, Client } from './session.js';

/** The state of a session, read through another connection. */
export type SessionState =
  | { readonly kind: 'blocked'; readonly backendPid: number; readonly by: readonly number[] }
  | { readonly kind: 'working'; readonly backendPid: number; readonly waitsFor?: string }
  /** The session waits for its client. */
  | { readonly kind: 'waiting'; readonly backendPid: number }
  /** The server gave no session to observe the other one. */
  | { readonly kind: 'unobserved'; readonly backendPid: number }
  /** The session's server process has ended, or the server cannot be reached. */
  | { readonly kind: 'gone'; readonly backendPid: number };

/** Reads the state of a session through a new connection. Never throws. */
export async function observeSession({ target, side, backendPid }: Session): Promise<SessionState> {
  try {
    const client = await connect(target, side);
    try {
      await client.query(`SET statement_timeout = '15s'`);
      const { rows } = await client.query<ActivityRow>(ACTIVITY, [backendPid]);
      return stateOf(backendPid, rows[0]);
    } finally {
      await disconnect(client);
    }
  } catch (error) {
    const isExhausted = error instanceof DatabaseError && error.code === 'sessions_exhausted';
    return { kind: isExhausted ? 'unobserved' : 'gone', backendPid };
  }
}

interface ActivityRow {
  readonly blockers: number[];
  readonly active: boolean;
  readonly wait: string | null;
}

function stateOf(backendPid: number, row: ActivityRow | undefined): SessionState {
  if (row === undefined) return { kind: 'gone', backendPid };
  if (row.blockers.length > 0) return { kind: 'blocked', backendPid, by: row.blockers };
  if (!row.active) return { kind: 'waiting', backendPid };
  return { kind: 'working', backendPid, ...(row.wait === null ? {} : { waitsFor: row.wait }) };
}

/**
 * Reads the activity of a server process. $1: the id of the process. During a COPY, PostgreSQL reports the
 * state `active` even if the process waits for its client.
 */
const ACTIVITY = `
  SELECT pg_catalog.pg_blocking_pids(pid) AS blockers,
         state = 'active' AND wait_event_type IS DISTINCT FROM 'Client' AS active,
         wait_event_type || '/' || wait_event AS wait
    FROM pg_catalog.pg_stat_activity
   WHERE pid = $1
`;

/**
 * Cancels the statement of a session if it has waited for one lock for longer than the given time, in milliseconds. Uses
 * a new connection. Never throws.
 * @returns whether it has cancelled the statement
 */
export async function cancelLockWait(
  { target, side, backendPid }: Session,
  afterMs: number,
): Promise<boolean> {
  try {
    const client = await connect(target, side);
    try {
      // The connection's role may differ from that of the session, which ALTER ROLE … SET role gives.
      const { rowCount } = await client
        .query('SET ROLE NONE')
        .then(() => client.query(CANCEL_LOCK_WAIT, [backendPid, afterMs]));
      return (rowCount ?? 0) > 0;
    } finally {
      await disconnect(client);
    }
  } catch {
    return false;
  }
}

const CANCEL_LOCK_WAIT = `
  SELECT pg_catalog.pg_cancel_backend(l.pid) FROM pg_catalog.pg_locks l
   WHERE l.pid = $1 AND NOT l.granted AND l.waitstart < pg_catalog.clock_timestamp() - $2 * interval '1 ms' LIMIT 1
`;

/** Returns the process ids of the sessions that block a session, from `pg_blocking_pids`. */
export async function blockingSessions(client: Client, backendPid: number): Promise<readonly number[]> {
  const { rows } = await client.query<{ pids: number[] }>('SELECT pg_catalog.pg_blocking_pids($1) AS pids', [
    backendPid,
  ]);
  return rows[0]?.pids ?? [];
}
