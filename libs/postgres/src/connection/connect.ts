import { Client } from 'pg';
import type { ConnectionTarget } from './connection-url.js';
import { connectionError, DatabaseError } from '../errors/database-error.js';
import { recordErrors } from '../errors/error-side.js';
import type { DatabaseSide } from '@understudy/sync-job';
import {
  CHANGE_SETTING,
  LIVENESS_SETTINGS,
  type PrivilegedSetting,
  SESSION_SETTINGS,
} from './session-settings.sql.js';
import { startRunningTimer } from './running-timer.js';
import type { Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { ConnectionOptions } from 'node:tls';
import type { SslMode } from './encryption.js';

const CONNECT_TIMEOUT_MS = 15_000;
const KEEPALIVE_AFTER_MS = 20_000;
const EXHAUSTED_FOR_MS = 2_000;
const PAUSE_MS = 50;

/**
 * Opens a connection with the session settings that all connections use. A server counts a session until its process
 * has ended. If no session is left, this function therefore tries again for two seconds.
 * @param side the side that the error reports
 * @param name the session's `application_name`
 * @param signal ends the attempt
 * @param settle the first statements of the session
 * @throws DatabaseError if the connection fails; `sessions_exhausted` if there is no session within 15 seconds
 */
export async function connect(
  target: ConnectionTarget,
  side: DatabaseSide,
  name = 'understudy-agent',
  signal?: AbortSignal,
  settle: (client: Client) => Promise<unknown> = (client) => applySettings(client, side),
): Promise<Client> {
  const until = performance.now() + EXHAUSTED_FOR_MS;
  let refusal: DatabaseError | undefined;
  for (;;) {
    try {
      return await connectOnce(target, side, name, signal, settle);
    } catch (error) {
      if (!isRefusal(error)) throw refusal ?? error;
      refusal = error;
      if (signal?.aborted === true || performance.now() >= until) throw error;
      await sleep(PAUSE_MS);
    }
  }
}

/** Returns whether the server itself gave no session. */
function isRefusal(error: unknown): error is DatabaseError {
  if (!(error instanceof DatabaseError)) return false;
  return error.sessionLimit !== undefined && error.sessionLimit !== 'pool_size';
}

async function connectOnce(
  target: ConnectionTarget,
  side: DatabaseSide,
  name: string,
  signal: AbortSignal | undefined,
  settle: (client: Client) => Promise<unknown>,
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
    keepAlive: true,
    keepAliveInitialDelayMillis: KEEPALIVE_AFTER_MS,
  });
  // The next query reports a connection that breaks while idle. Without a listener, Node would end the process.
  client.on('error', () => undefined);
  recordErrors(client, side);
  const socket = () => (client as unknown as { connection: { stream: Socket } }).connection.stream;
  let isStopped = false;
  const stop = () => {
    isStopped = true;
    socket().destroy();
  };
  const cancel = startRunningTimer(CONNECT_TIMEOUT_MS, stop);
  signal?.addEventListener('abort', stop);
  try {
    signal?.throwIfAborted();
    await client.connect();
    await settle(client);
    return client;
  } catch (cause) {
    // A pooler accepts a client at once, but its first statement waits for a session.
    const isWaiting = isStopped && socket().bytesRead > 0;
    await disconnect(client);
    if (isWaiting) throw new DatabaseError('sessions_exhausted', side, { cause, sessionLimit: 'pool_size' });
    throw cause instanceof DatabaseError ? cause : connectionError(cause, side);
  } finally {
    cancel();
    signal?.removeEventListener('abort', stop);
  }
}

/**
 * Applies the session settings. With other values of the privileged settings, the server skips damaged rows in silence,
 * or does not fire triggers.
 * @throws DatabaseError setting_refused if the role may not change a privileged setting
 */
export async function applySettings(client: Client, side: DatabaseSide): Promise<void> {
  await restoreSettings(client, side);
  // Some operating systems do not support this setting. Their servers then notice a dead client later.
  await client.query(LIVENESS_SETTINGS).catch(() => undefined);
}

/**
 * Applies the session settings to a session that has them already, in case its statements have changed them. May be
 * called in a transaction.
 * @throws DatabaseError setting_refused
 */
export async function restoreSettings(client: Client, side: DatabaseSide): Promise<void> {
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
