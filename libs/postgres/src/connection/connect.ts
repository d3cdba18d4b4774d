import { Client } from 'pg';
import type { ConnectionTarget } from './connection-url.js';
import { connectionError, DatabaseError } from '../errors/database-error.js';
import type { DatabaseSide } from '@understudy/sync-job';
import {
  CHANGE_SETTING,
  LIVENESS_SETTINGS,
  type PrivilegedSetting,
  SESSION_SETTINGS,
} from './session-settings.sql.js';
import type { ConnectionOptions } from 'node:tls';
import type { SslMode } from './encryption.js';

const CONNECT_TIMEOUT_MS = 15_000;
const KEEPALIVE_AFTER_MS = 20_000;

/**
 * Opens a connection with the session settings that all connections use.
 * @param side the side that the error reports
 * @param name the session's `application_name`
 * @throws DatabaseError if the connection fails
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
    // If the password were undefined, pg would use one from the environment or from ~/.pgpass of the agent's user.
    password: target.password ?? '',
    ssl: tlsOptions(target.sslMode),
    application_name: name,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    keepAlive: true,
    keepAliveInitialDelayMillis: KEEPALIVE_AFTER_MS,
  });
  // The next query reports a connection that breaks while idle. Without a listener, Node would end the process.
  client.on('error', () => undefined);
  try {
    await client.connect();
    await applySettings(client, side);
    // Some operating systems do not support this setting. Their servers then notice a dead client later.
    await client.query(LIVENESS_SETTINGS).catch(() => undefined);
    return client;
  } catch (cause) {
    await disconnect(client);
    throw cause instanceof DatabaseError ? cause : connectionError(cause, side);
  }
}

/**
 * Applies the session settings. With other values of the privileged settings, the server skips damaged rows in silence,
 * or does not fire triggers.
 * @throws DatabaseError setting_refused if the role may not change a privileged setting
 */
async function applySettings(client: Client, side: DatabaseSide): Promise<void> {
  const results = (await client.query(SESSION_SETTINGS)) as unknown as { rows: PrivilegedSetting[] }[];
  for (const { name, value } of results.at(-1)?.rows ?? []) {
    await client.query(CHANGE_SETTING, [name, value]).catch((cause: unknown) => {
      throw new DatabaseError('setting_refused', side, { cause });
    });
  }
}

/** Closes a connection in any state. The server rolls back an open transaction. Never throws. */
export async function disconnect(client: Client): Promise<void> {
  // If closing fails, the connection is already closed.
  await client.end().catch(() => undefined);
}

/** Returns the TLS options of pg for an `sslmode`. False means that the connection is not encrypted. */
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
