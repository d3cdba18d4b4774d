/**
 * Runs two works at once. When one fails, the other is told by its signal, and waited for.
 * @throws the first failure, or the signal's reason
 */
export async function bothOrFirstFailure(
  signal: AbortSignal,
  works: readonly ((signal: AbortSignal) => Promise<void>)[],
): Promise<void> {
  const failing = new AbortController();
  const either = AbortSignal.any([signal, failing.signal]);
  await Promise.all(
    works.map((work) =>
      work(either).catch((error: unknown) => {
        failing.abort(error); // only the first is kept
      }),
    ),
  );
  signal.throwIfAborted();
  failing.signal.throwIfAborted();
}
