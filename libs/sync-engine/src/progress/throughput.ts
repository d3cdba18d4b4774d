/** The counts of a job at one instant. */
export interface ProgressSample {
  readonly atMs: number;
  readonly rows: number;
  readonly bytes: number;
  /** The work done so far, in bytes: see `workOf`. */
  readonly work: number;
}

export interface Throughput {
  /** A whole number, at least 0. */
  readonly rowsPerSecond: number;
  /** A whole number, at least 0. */
  readonly bytesPerSecond: number;
  /** From 0 to a year. Undefined if no work was done between the samples, or if the time exceeds a year. */
  readonly remainingMs?: number;
}

export const NO_THROUGHPUT: Throughput = { rowsPerSecond: 0, bytesPerSecond: 0 };

const MAX_REMAINING_MS = 365 * 24 * 60 * 60 * 1000;

/**
 * Computes the throughput from the first sample to the last, and the time that the remaining work takes at
 * this throughput. The throughput is zero if the clock stands still or runs backwards, or if the counts
 * decrease. Pure.
 * @param samples in ascending order of time
 * @param remainingWork in the unit of `work`
 */
export function throughputOf(samples: readonly ProgressSample[], remainingWork: number): Throughput {
  const first = samples[0];
  const last = samples.at(-1);
  if (first === undefined || last === undefined) return NO_THROUGHPUT;
  const ms = last.atMs - first.atMs;
  if (!(ms > 0)) return NO_THROUGHPUT;
  const perSecond = (count: number) => Math.min(Math.max(0, (count * 1000) / ms), Number.MAX_SAFE_INTEGER);
  const workPerMs = Math.max(0, (last.work - first.work) / ms);
  const remainingMs = Math.ceil(Math.max(0, remainingWork) / workPerMs); // Infinity or NaN if no work was done
  return {
    rowsPerSecond: Math.round(perSecond(last.rows - first.rows)),
    bytesPerSecond: Math.round(perSecond(last.bytes - first.bytes)),
    ...(workPerMs > 0 && remainingMs <= MAX_REMAINING_MS ? { remainingMs } : {}),
  };
}

/**
 * Adds a sample. Returns the samples of the last `windowMs` and the last sample before them, so that all
 * together span the whole window.
 */
export function withSample(
  samples: readonly ProgressSample[],
  next: ProgressSample,
  windowMs: number,
): readonly ProgressSample[] {
  const earlier = samples.filter(({ atMs }) => atMs < next.atMs); // if the clock was set back, the later samples are dropped
  const firstInside = earlier.findIndex(({ atMs }) => next.atMs - atMs <= windowMs);
  const from = firstInside === -1 ? earlier.length - 1 : firstInside - 1;
  return [...earlier.slice(Math.max(0, from)), next];
}
