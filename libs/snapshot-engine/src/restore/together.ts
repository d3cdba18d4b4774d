/**
 * Runs both at once. When one fails the other is told to stop, and waited for: nothing of them goes on when this has rejected.
 * @throws what failed first
 */
export async function together<A, B>(
  signal: AbortSignal,
  one: (signal: AbortSignal) => Promise<A>,
  other: (signal: AbortSignal) => Promise<B>,
): Promise<[A, B]> {
  const stop = new AbortController();
  const either = AbortSignal.any([signal, stop.signal]);
  const both = [one(either), other(either)] as const;
  try {
    return await Promise.all(both);
  } catch (error) {
    stop.abort(error);
    await Promise.allSettled(both);
    throw error;
  }
}
