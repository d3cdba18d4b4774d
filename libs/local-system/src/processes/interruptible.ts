const REPEAT_DELAY_MS = 1_000;

/**
 * Runs work. Ctrl-C, SIGTERM and SIGHUP set the exit code 130 and abort the signal of the work. During the
 * next second, further interrupts have no effect, because npm sends the Ctrl-C of the terminal a second time.
 * A later interrupt ends the process immediately.
 */
export async function interruptible<T>(work: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const abort = new AbortController();
  let interruptedAt = 0;
  const interrupt = () => {
    if (abort.signal.aborted) {
      if (performance.now() - interruptedAt > REPEAT_DELAY_MS) process.exit(130);
      return;
    }
    interruptedAt = performance.now();
    process.exitCode = 130;
    process.stderr.write('\nstopping …\n');
    abort.abort();
  };
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, interrupt);
  try {
    return await work(abort.signal);
  } finally {
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.off(signal, interrupt);
  }
}
