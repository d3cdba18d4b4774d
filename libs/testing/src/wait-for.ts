import { setTimeout as sleep } from 'node:timers/promises';

const POLL_MS = 50;

/** Polls until `probe` gives something truthy, for things that announce themselves by no event. A throw of `probe` ends it. */
export async function waitFor<T>(
  what: string,
  probe: () => Promise<T | undefined | false>,
  timeoutMs = 240_000,
): Promise<T> {
  const deadline = performance.now() + timeoutMs;
  for (;;) {
    const value = await probe();
    if (value !== undefined && value !== false) return value;
    if (performance.now() >= deadline) throw new Error(`waited ${timeoutMs} ms in vain for ${what}`);
    await sleep(POLL_MS);
  }
}
