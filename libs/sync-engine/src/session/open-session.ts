import { type Client, type ConnectionTarget, connect, openSession, type Session } from '@understudy/postgres';
import { type DatabaseSide, SyncJobError } from '@understudy/sync-job';
import { guard } from './guard.js';
import { setTimeout as sleep } from 'node:timers/promises';

/** Opens a session of a job. @param name the session's `application_name` @throws SyncJobError with the side */
export function openJobSession(
  target: ConnectionTarget,
  side: DatabaseSide,
  name?: string,
): Promise<Session> {
  return guard({ side }, () => openSession(target, side, name));
}

/** Opens a connection that nobody has to end from outside. @throws SyncJobError with the side */
export function openJobClient(target: ConnectionTarget, side: DatabaseSide, name?: string): Promise<Client> {
  return guard({ side }, () => connect(target, side, name));
}

/** A server that crashed has its log to replay; one that fails over needs as long. */
const PATIENCE_MS = 60_000;
const PAUSE_MS = 1_000;

/**
 * Opens a session as `open` does, and tries again while nobody answers. For attempts after the first: the server was there, and a restart of
 * it must not use up all attempts within seconds.
 * @throws what `open` throws, or the signal's reason
 */
export async function openPatiently(
  open: () => Promise<Session>,
  now: () => number,
  signal: AbortSignal,
): Promise<Session> {
  const until = now() + PATIENCE_MS;
  for (;;) {
    try {
      return await open();
    } catch (error) {
      const isAway = error instanceof SyncJobError && AWAY.has(error.failure.code);
      if (!isAway || now() >= until) throw error;
      await sleep(PAUSE_MS, undefined, { signal }).catch(() => signal.throwIfAborted());
    }
  }
}

const AWAY = new Set(['connection_failed', 'connection_lost']);
