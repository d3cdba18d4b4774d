import { constants } from 'node:os';

const SIGNALS = ['SIGINT', 'SIGTERM'] as const;

/** Thrown after Ctrl-C or SIGTERM, when the interrupted work has cleaned up. */
export class Interrupted extends Error {
  constructor(readonly exitCode: number) {
    super('interrupted');
    this.name = 'Interrupted';
  }
}

/**
 * Runs work that must clean up if the user ends it. The first Ctrl-C or SIGTERM aborts the AbortSignal, and
 * the function waits for the work. A second Ctrl-C or SIGTERM ends the process immediately.
 * @throws Interrupted if the work fails after the first Ctrl-C or SIGTERM. If the work fails without such a
 *   signal, rethrows the work's error.
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
