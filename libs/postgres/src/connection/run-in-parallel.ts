/**
 * Runs tasks concurrently. If a task fails, the signal that the other tasks received is aborted. The promise resolves
 * or rejects after all tasks have ended.
 * @returns the results in the order of the tasks
 * @throws the reason of `signal` if the caller aborted it, else the first failure
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
