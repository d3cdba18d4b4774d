/**
 * Runs tasks concurrently. If one fails, the signal of the others is aborted. Every task has ended when this returns.
 * @returns the results in the order of the tasks
 * @throws the signal's reason if it was aborted, else the first failure
 */
export async function runInParallel<Results extends readonly unknown[]>(
  signal: AbortSignal,
  tasks: readonly [...{ [Index in keyof Results]: (signal: AbortSignal) => Promise<Results[Index]> }],
): Promise<Results> {
  const failing = new AbortController();
  const either = AbortSignal.any([signal, failing.signal]);
  const running = tasks.map((task) => task(either));
  try {
    return (await Promise.all(running)) as unknown as Results;
  } catch (error) {
    failing.abort(error);
    await Promise.allSettled(running);
    signal.throwIfAborted();
    throw error;
  }
}
