import { Client } from 'pg';
import type { ConnectionTarget } from './connection-url.js';
import { connect, disconnect } from './connect.js';
import type { DatabaseSide } from '@understudy/sync-job';

export type { Client };

/** An open connection with what it takes to end it from outside. */
export interface Session {
  readonly client: Client;
  readonly target: ConnectionTarget;
  readonly side: DatabaseSide;
  readonly backendPid: number;
}

/** @param name the session's `application_name` */
export async function openSession(
  target: ConnectionTarget,
  side: DatabaseSide,
  name?: string,
): Promise<Session> {
  const client = await connect(target, side, name);
  const { rows } = await client.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
  return { client, target, side, backendPid: rows[0]?.pid ?? 0 };
}

/**
 * Ends a session at once. A server notices a closed socket only when it next reads or writes; one that builds an index
 * would hold its locks for hours, so it is told. Never throws: what cannot be told will notice later.
 */
export function killSession(session: Session): Promise<void> {
  return killSessions([session]);
}

/** The same for many: one messenger a database. Resolves when the servers have ended them, or nothing more can be done. */
export async function killSessions(sessions: readonly Session[]): Promise<void> {
  const byTarget = new Map<ConnectionTarget, Session[]>();
  for (const session of sessions) {
    socketOf(session.client).destroy();
    byTarget.set(session.target, [...(byTarget.get(session.target) ?? []), session]);
  }
  await Promise.all([...byTarget.values()].map(terminate));
}

async function terminate(sessions: readonly Session[]): Promise<void> {
  const [first] = sessions;
  if (first === undefined) return;
  try {
    const messenger = await connect(first.target, first.side);
    await messenger
      .query('SELECT pg_catalog.pg_terminate_backend(pid, $2) FROM pg_catalog.unnest($1::int4[]) AS pid', [
        sessions.map(({ backendPid }) => backendPid),
        TERMINATED_WITHIN_MS,
      ])
      .catch(() => undefined);
    await disconnect(messenger);
  } catch {
    // the server is away: so are the sessions
  }
}

function socketOf(client: Client): { destroy(): void } {
  return (client as unknown as { connection: { stream: { destroy(): void } } }).connection.stream;
}

const TERMINATED_WITHIN_MS = 5_000;
