const SECOND_THOUGHT_MS = 1_000;

/**
 * Lets Ctrl-C and SIGTERM give work up in good order; one more, a second later, ends the process at once. Exit code 130.
 * (Ctrl-C comes twice when npm passes on what the terminal sent already.)
 */
export async function interruptible<T>(work: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const abort = new AbortController();
  let interruptedAt = 0;
  const interrupt = () => {
    if (abort.signal.aborted) {
      if (performance.now() - interruptedAt > SECOND_THOUGHT_MS) process.exit(130);
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
