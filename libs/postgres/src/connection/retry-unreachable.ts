import { setTimeout as sleep } from 'node:timers/promises';

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
