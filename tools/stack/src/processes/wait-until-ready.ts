import { setTimeout as sleep } from 'node:timers/promises';

export interface ReadyOptions {
  readonly timeoutMs?: number;
  readonly exited?: AbortSignal;
}

const POLL_MS = 50;

/** Calls `probe` until it resolves. When the time is up, or the process has exited, throws with the last failure. */
export async function waitUntilReady(
  probe: () => Promise<void>,
  { timeoutMs = 60_000, exited }: ReadyOptions = {},
): Promise<void> {
  const deadline = performance.now() + timeoutMs;
  for (;;) {
    try {
      return await probe();
    } catch (cause) {
      const message = cause instanceof Error ? cause.message || cause.name : String(cause);
      if (exited?.aborted) throw new Error('it exited', { cause });
      if (performance.now() >= deadline)
        throw new Error(`no answer within ${Math.round(timeoutMs / 1000)} s; last: ${message}`, { cause });
    }
    await sleep(POLL_MS);
  }
}
