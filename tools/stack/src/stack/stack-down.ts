import { stopProcess } from '../processes/stop-process.js';
import type { ProcessIdentity } from '../processes/process-identity.js';
import { stopPostgres } from '../services/postgres.js';
import { withStackLock } from './stack-lock.js';
import { stackFolder, type StackOptions } from './stack-options.js';
import { readState, writeState, type ProcessName, type StackState } from './stack-state.js';
import { existsSync } from 'node:fs';

/** Stops every process of the stack and waits until all are gone. Its data stays. Does nothing where nothing runs. */
export async function stackDown(options: StackOptions = {}): Promise<void> {
  const folder = stackFolder(options);
  if (!existsSync(folder)) return;
  await withStackLock(folder, options.say ?? (() => undefined), async () => {
    const state = readState(folder);
    if (!state) return;
    await uninterrupted(() => stopAll(state, () => true));
    writeState(folder, state);
  });
}

/** Who depends on a service goes before it. */
const ORDER: readonly ProcessName[][] = [['agent'], ['control-plane'], ['postgres', 'redis', 'nats']];

/** Stops the chosen processes and forgets them. */
export async function stopAll(
  state: StackState,
  chosen: (process: ProcessIdentity) => boolean,
): Promise<void> {
  for (const names of ORDER)
    await Promise.all(
      names.map(async (name) => {
        const process = state.processes[name];
        if (!process || !chosen(process)) return;
        await (name === 'postgres' ? stopPostgres(process) : stopProcess(process));
        state.processes = { ...state.processes, [name]: undefined };
      }),
    );
}

/** Ctrl-C comes twice when npm passes on what the terminal sent already: what is being stopped is stopped to the end. */
async function uninterrupted(work: () => Promise<void>): Promise<void> {
  const ignore = () => undefined;
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, ignore);
  try {
    await work();
  } finally {
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.off(signal, ignore);
  }
}
