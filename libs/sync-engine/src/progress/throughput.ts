/** How far a job was at an instant. */
export interface Reading {
  readonly atMs: number;
  readonly rows: number;
  readonly bytes: number;
  /** In the unit of the remaining work. */
  readonly work: number;
}

export interface Pace {
  /** Whole numbers, at least 0. */
  readonly rowsPerSecond: number;
  readonly bytesPerSecond: number;
  /** At least 0 and at most a year; undefined when nothing moves or nothing is known. */
  readonly remainingMs?: number;
}

export const STANDING: Pace = { rowsPerSecond: 0, bytesPerSecond: 0 };

const MAX_REMAINING_MS = 365 * 24 * 60 * 60 * 1000;

/**
 * Pure. The pace from the first reading to the last, and how long the rest takes at that pace. A clock that stands or runs
 * backwards, or counts that fall, give no pace instead of a wrong one.
 * @param readings oldest first
 */
export function paceOf(readings: readonly Reading[], remainingWork: number): Pace {
  const first = readings[0];
  const last = readings.at(-1);
  if (first === undefined || last === undefined) return STANDING;
  const ms = last.atMs - first.atMs;
  if (!(ms > 0)) return STANDING;
  const perSecond = (count: number) => Math.min(Math.max(0, (count * 1000) / ms), Number.MAX_SAFE_INTEGER);
  const workPerMs = Math.max(0, (last.work - first.work) / ms);
  const remainingMs = Math.ceil(Math.max(0, remainingWork) / workPerMs); // Infinity or NaN when nothing moved
  return {
    rowsPerSecond: Math.round(perSecond(last.rows - first.rows)),
    bytesPerSecond: Math.round(perSecond(last.bytes - first.bytes)),
    ...(workPerMs > 0 && remainingMs <= MAX_REMAINING_MS ? { remainingMs } : {}),
  };
}

/** The readings that a pace is taken from: those of the last `windowMs`, and one before them. */
export function withReading(
  readings: readonly Reading[],
  next: Reading,
  windowMs: number,
): readonly Reading[] {
  const earlier = readings.filter(({ atMs }) => atMs < next.atMs); // a clock that was set back starts anew
  const firstInside = earlier.findIndex(({ atMs }) => next.atMs - atMs <= windowMs);
  const from = firstInside === -1 ? earlier.length - 1 : firstInside - 1;
  return [...earlier.slice(Math.max(0, from)), next];
}
