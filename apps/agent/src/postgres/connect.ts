import { Client } from 'pg';
import type { ConnectionTarget } from '../policy/connection-target.js';
import { SyncJobError } from '../sync/sync-job-error.js';
import { connectionFailureCode } from './connection-failure.js';
import type { DatabaseSide } from './server-failure.js';
import { SESSION_SETTINGS } from './session-settings.sql.js';

const CONNECT_TIMEOUT_MS = 15_000;

/**
 * Opens a connection with the session settings of a copy.
 * @param name the session's `application_name`
 * @throws SyncJobError with the side
 */
export async function connect(
  target: ConnectionTarget,
  side: DatabaseSide,
  name = 'understudy-agent',
): Promise<Client> {
  const client = new Client({
    host: target.host,
    port: target.port,
    database: target.database,
    user: target.user,
    // Never undefined: pg would look for a password in the environment and in ~/.pgpass of the agent's user.
    password: target.password ?? '',
    ssl: target.ssl ?? false,
    application_name: name,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    keepAlive: true,
  });
  // A connection that breaks while no query runs is seen by the next query.
  client.on('error', () => undefined);
  try {
    await client.connect();
    await client.query(SESSION_SETTINGS);
    return client;
  } catch (cause) {
    await disconnect(client);
    throw new SyncJobError({ code: connectionFailureCode(cause), side }, { cause });
  }
}

/** Closes a connection in whatever state it is: an open transaction is rolled back by the server. Never throws. */
export async function disconnect(client: Client): Promise<void> {
  // A close that fails has closed.
  await client.end().catch(() => undefined);
}
