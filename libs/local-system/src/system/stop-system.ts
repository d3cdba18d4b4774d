import { stopProcess } from '../processes/stop-process.js';
import type { ProcessIdentity } from '../processes/process-identity.js';
import { stopPostgres } from '../services/postgres.js';
import { readState, writeState, type ProcessName, type SystemState } from './system-state.js';

/**
 * Stops every process of the system and waits until all have ended. The data is kept. Does nothing if no process
 * runs. The caller holds the lock of the folder.
 */
export async function stopSystem(folder: string): Promise<void> {
  const state = readState(folder);
  if (!state) return;
  await uninterrupted(() => stopAll(folder, state, () => true));
}

/** Order in which processes are stopped: first those that depend on others. */
const ORDER: readonly ProcessName[][] = [['agent'], ['control-plane'], ['postgres', 'redis', 'nats']];

/** Stops the selected processes and removes them from the state. */
export async function stopAll(
  folder: string,
  state: SystemState,
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
  try {
    writeState(folder, state);
  } catch {
    // The disk may be full. The file then lists ended processes, and the next command checks whether they run.
  }
}

/**
 * Ignores interrupts until the work is done, because all processes must still be stopped. The terminal and
 * npm both send the Ctrl-C of the user, so this process receives it twice.
 */
async function uninterrupted(work: () => Promise<void>): Promise<void> {
  const ignore = () => undefined;
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, ignore);
  try {
    await work();
  } finally {
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.off(signal, ignore);
  }
}
