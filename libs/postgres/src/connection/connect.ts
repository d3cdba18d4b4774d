import { Client } from 'pg';
import type { ConnectionTarget } from './connection-url.js';
import { connectionError } from '../errors/database-error.js';
import type { DatabaseSide } from '@understudy/sync-job';
import { LIVENESS_SETTINGS, SESSION_SETTINGS } from './session-settings.sql.js';
import type { ConnectionOptions } from 'node:tls';
import type { SslMode } from './encryption.js';

const CONNECT_TIMEOUT_MS = 15_000;
const KEEPALIVE_AFTER_MS = 20_000;

/**
 * Opens a connection with the session settings of a copy.
 * @param name the session's `application_name`
 * @throws DatabaseError with the side
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
    ssl: tlsOptions(target.sslMode),
    application_name: name,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    keepAlive: true,
    keepAliveInitialDelayMillis: KEEPALIVE_AFTER_MS,
  });
  // A connection that breaks while no query runs is seen by the next query.
  client.on('error', () => undefined);
  try {
    await client.connect();
    await client.query(SESSION_SETTINGS);
    // Refused by servers on systems without the call it needs: they notice a dead client later.
    await client.query(LIVENESS_SETTINGS).catch(() => undefined);
    return client;
  } catch (cause) {
    await disconnect(client);
    throw connectionError(cause, side);
  }
}

/** Closes a connection in whatever state it is: an open transaction is rolled back by the server. Never throws. */
export async function disconnect(client: Client): Promise<void> {
  // A close that fails has closed.
  await client.end().catch(() => undefined);
}

/** What pg is told, by `sslmode`; false: not encrypted. */
export function tlsOptions(mode: SslMode | undefined): ConnectionOptions | false {
  switch (mode) {
    case undefined:
      return false;
    case 'require':
      return { rejectUnauthorized: false };
    case 'verify-ca':
      return { checkServerIdentity: () => undefined };
    case 'verify-full':
      return {};
  }
}
