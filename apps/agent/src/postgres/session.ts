import { Client } from 'pg';
import type { ConnectionTarget } from '../policy/connection-target.js';
import { connect, disconnect } from './connect.js';
import type { DatabaseSide } from './server-failure.js';

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
export async function killSession({ client, target, side, backendPid }: Session): Promise<void> {
  (client as unknown as { connection: { stream: { destroy(): void } } }).connection.stream.destroy();
  try {
    const messenger = await connect(target, side);
    await messenger.query('SELECT pg_terminate_backend($1)', [backendPid]).catch(() => undefined);
    await disconnect(messenger);
  } catch {
    // the server is away: so is the session
  }
}
