import { setTimeout as sleep } from 'node:timers/promises';
import { isRunning, type ProcessIdentity } from './process-identity.js';

export interface StopOptions {
  readonly signal?: NodeJS.Signals;
  /** Time between the first signal and SIGKILL. */
  readonly graceMs?: number;
}

const POLL_MS = 20;

/**
 * Sends `signal` to a process, and SIGKILL to its whole group if it has not ended after `graceMs`. Resolves
 * when the process has ended, or 5 s after SIGKILL. Does nothing if the process has already ended, even if
 * its id now belongs to another process.
 */
export async function stopProcess(
  identity: ProcessIdentity | null | undefined,
  { signal = 'SIGTERM', graceMs = 10_000 }: StopOptions = {},
): Promise<void> {
  if (!identity || !isRunning(identity)) return;
  send(identity.pid, signal);
  if (await gone(identity, graceMs)) return;
  send(-identity.pid, 'SIGKILL');
  send(identity.pid, 'SIGKILL');
  await gone(identity, 5_000);
}

async function gone(identity: ProcessIdentity, withinMs: number): Promise<boolean> {
  const deadline = performance.now() + withinMs;
  while (isRunning(identity)) {
    if (performance.now() >= deadline) return false;
    await sleep(POLL_MS);
  }
  return true;
}

function send(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch {
    // The process ended between the check and the signal.
  }
}
