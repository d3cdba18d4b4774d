import { constants } from 'node:os';

const SIGNALS = ['SIGINT', 'SIGTERM'] as const;

/** Ctrl-C or SIGTERM; what was begun has been put back. */
export class Interrupted extends Error {
  constructor(readonly exitCode: number) {
    super('interrupted');
    this.name = 'Interrupted';
  }
}

/**
 * Runs work that has something to put back when the user ends it: the first Ctrl-C (or SIGTERM) aborts the signal and the
 * work is waited for; the second ends the process at once.
 * @throws Interrupted when the work failed after the signal; otherwise as `work`
 */
export async function interruptible<T>(work: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const abort = new AbortController();
  const handle = (name: (typeof SIGNALS)[number]): void => {
    const exitCode = 128 + constants.signals[name];
    if (abort.signal.aborted) process.exit(exitCode);
    abort.abort(new Interrupted(exitCode));
  };
  for (const name of SIGNALS) process.on(name, handle);
  try {
    return await work(abort.signal);
  } catch (error) {
    throw abort.signal.aborted ? abort.signal.reason : error;
  } finally {
    for (const name of SIGNALS) process.off(name, handle);
  }
}
