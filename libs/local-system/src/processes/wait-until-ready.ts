import { setTimeout as sleep } from 'node:timers/promises';

export interface ReadyOptions {
  readonly timeoutMs?: number;
  readonly exited?: AbortSignal;
}

const POLL_MS = 50;

/**
 * Calls `probe` until it resolves.
 * @throws Error after `timeoutMs`, or when `exited` is aborted. The `cause` of the error is the last error of
 *   `probe`
 */
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
        throw new Error(`no response within ${Math.round(timeoutMs / 1000)} s; last failure: ${message}`, {
          cause,
        });
    }
    await sleep(POLL_MS);
  }
}
