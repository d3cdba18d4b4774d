import { setTimeout as sleep } from 'node:timers/promises';
import type { Session } from '@understudy/postgres';
import { SyncJobError } from '@understudy/sync-job';

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
