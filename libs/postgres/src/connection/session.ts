import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'pg';
import type { ConnectionTarget } from './connection-url.js';
import { applySettings, connect, disconnect } from './connect.js';
import { DatabaseError } from '../errors/database-error.js';
import type { DatabaseSide } from '@understudy/sync-job';

export type { Client };

/** An open connection, with the facts that are needed to terminate it through another connection. */
export interface Session {
  readonly client: Client;
  readonly target: ConnectionTarget;
  readonly side: DatabaseSide;
  readonly backendPid: number;
}

/**
 * Opens a connection.
 * @param name the session's `application_name`
 * @param signal ends the attempt
 */
export async function openSession(
  target: ConnectionTarget,
  side: DatabaseSide,
  name?: string,
  signal?: AbortSignal,
): Promise<Session> {
  return withBackend(await connect(target, side, name, signal), { target, side });
}

/** Applies the session settings to a connection that was opened without them. @throws as {@link connect} does */
export async function asSession(client: Client, of: Pick<Session, 'target' | 'side'>): Promise<Session> {
  await applySettings(client, of.side);
  return withBackend(client, of);
}

async function withBackend(
  client: Client,
  { target, side }: Pick<Session, 'target' | 'side'>,
): Promise<Session> {
  const { rows } = await client.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
  return { client, target, side, backendPid: rows[0]?.pid ?? 0 };
}

/**
 * Terminates a session immediately, through another connection. A server notices a closed socket only when it reads or
 * writes, so a session that builds an index could keep its locks for hours. Never throws: if the server cannot be
 * reached, it notices the closed socket later.
 */
export function killSession(session: Session): Promise<void> {
  return killSessions([session]);
}

/**
 * Terminates several sessions, with one additional connection for each database. Waits up to five seconds for
 * each session to end. Never throws, even if a server cannot be reached.
 */
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
    const client = await connect(first.target, first.side);
    await client.query('SET ROLE NONE');
    await client
      .query('SELECT pg_catalog.pg_terminate_backend(pid, $2) FROM pg_catalog.unnest($1::int4[]) AS pid', [
        sessions.map(({ backendPid }) => backendPid),
        TERMINATED_WITHIN_MS,
      ])
      .catch(() => undefined);
    await disconnect(client);
  } catch {
    // The server cannot be reached, so its sessions end when it notices the closed sockets.
  }
}

function socketOf(client: Client): { destroy(): void } {
  return (client as unknown as { connection: { stream: { destroy(): void } } }).connection.stream;
}

const TERMINATED_WITHIN_MS = 5_000;

/** The time in which a crashed server usually replays its log, or a failover ends. */
const RETRY_FOR_MS = 60_000;
const PAUSE_MS = 1_000;

export interface UnreachableServer {
  /** Returns whether the server may be reachable later. */
  readonly isUnreachable: (error: unknown) => boolean;
  readonly now: () => number;
  readonly signal: AbortSignal;
}

/**
 * Opens a session, and tries again for a minute while the server is unreachable. Each attempt after the first one uses
 * this function, so that a restart of the server does not use up all attempts within seconds.
 * @throws the last error of `open`, or the signal's reason
 */
export async function retryUnreachable<Opened>(
  open: () => Promise<Opened>,
  { isUnreachable, now, signal }: UnreachableServer,
): Promise<Opened> {
  const until = now() + RETRY_FOR_MS;
  for (;;) {
    try {
      return await open();
    } catch (error) {
      if (!isUnreachable(error) || now() >= until) throw error;
      await sleep(PAUSE_MS, undefined, { signal }).catch(() => signal.throwIfAborted());
    }
  }
}

/** Returns whether a server that gave this error may be reachable, or have a session left, some time later. */
export function isUnreachable(error: unknown): error is DatabaseError {
  return error instanceof DatabaseError && UNREACHABLE.has(error.code);
}

const UNREACHABLE = new Set<string>(['connection_failed', 'connection_lost', 'sessions_exhausted']);
