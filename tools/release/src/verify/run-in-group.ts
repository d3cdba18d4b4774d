import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';

import { cleanUpOnExit } from '@understudy/local-system';

const POLL_MS = 50;
const END_WITHIN_MS = 5_000;

/**
 * Runs a program in a process group of its own. When the signal aborts, the program and all processes of its group
 * receive SIGTERM, and those that ignore it receive SIGKILL. If this process ends first, the group is killed, too.
 * The output of the program goes to stderr.
 * @returns the exit code; null if a signal ended the program
 */
export async function runInGroup(
  program: string,
  args: readonly string[],
  options: { readonly cwd: string; readonly env: NodeJS.ProcessEnv; readonly signal: AbortSignal },
): Promise<number | null> {
  const { cwd, env, signal } = options;
  const child = spawn(program, args, { cwd, env, detached: true, stdio: ['ignore', 2, 2] });
  const ended = once(child, 'exit');
  const { pid } = child;
  if (pid === undefined) await ended; // rejects with the reason
  const group = -Number(pid);
  const callOff = cleanUpOnExit([-group], []);
  const stop = () => void send(group, 'SIGTERM');
  signal.addEventListener('abort', stop, { once: true });
  if (signal.aborted) stop();
  try {
    const [code] = (await ended) as [number | null];
    return code;
  } finally {
    signal.removeEventListener('abort', stop);
    await endGroup(group);
    callOff();
  }
}

/** Ends the processes that the program has left in its group. A process that has ended counts until it is reaped. */
async function endGroup(group: number): Promise<void> {
  const deadline = performance.now() + END_WITHIN_MS;
  let exists = send(group, 'SIGTERM');
  while (exists && performance.now() < deadline) {
    await delay(POLL_MS);
    exists = send(group, 0);
  }
  if (exists) send(group, 'SIGKILL');
}

/** @returns whether the group has a process */
function send(group: number, signal: NodeJS.Signals | 0): boolean {
  try {
    return process.kill(group, signal);
  } catch {
    return false;
  }
}
