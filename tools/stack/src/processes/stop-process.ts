import { setTimeout as sleep } from 'node:timers/promises';
import { isRunning, type ProcessIdentity } from './process-identity.js';

export interface StopOptions {
  readonly signal?: NodeJS.Signals;
  /** How long it may take to end by itself before SIGKILL. */
  readonly graceMs?: number;
}

const POLL_MS = 20;

/**
 * Ends a process and its group: first politely, after `graceMs` with SIGKILL. Resolves when it is gone.
 * A process that has ended already, or whose number now belongs to another, is left alone.
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
    // It ended between the look and the signal, which is what was wanted.
  }
}
