/**
 * Returns a function that reports the first progress of each phase immediately, and later progress at most once a
 * second. Progress that comes too early is dropped.
 * @param reporter must not reject
 */
export function throttledProgress<Phase, Counts>(
  reporter: { report(event: { type: 'progress'; phase: Phase; counts: Counts }): Promise<void> },
  now: () => number = () => performance.now(),
): (phase: Phase, counts: Counts) => Promise<void> {
  let reported: Phase | undefined;
  let sentAtMs = Number.NEGATIVE_INFINITY;
  return async (phase, counts) => {
    const nowMs = now();
    if (phase === reported && nowMs - sentAtMs < INTERVAL_MS) return;
    reported = phase;
    sentAtMs = nowMs;
    await reporter.report({ type: 'progress', phase, counts });
  };
}

const INTERVAL_MS = 1_000;
