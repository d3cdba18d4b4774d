/** A failed attempt. */
export interface FailedTry {
  /** The number of attempts, including this one. */
  readonly tries: number;
  readonly at: Date;
  /** A uniform random number from −1 to 1. */
  readonly jitter: number;
  /** The delay that the receiver requested with Retry-After. */
  readonly retryAfterMs?: number | undefined;
}

export const JITTER = 0.1;
/** The longest delay that a receiver can request. */
export const MAX_RETRY_AFTER_MS = 24 * 3_600_000;

/**
 * Returns when to retry: after the schedule's delay ± 10 %, or after the receiver's Retry-After if that is
 * later. Pure.
 * @param delaysMs the delays before each attempt, including the first
 * @returns undefined after the last attempt
 */
export function nextAttemptAt(
  { tries, at, jitter, retryAfterMs = 0 }: FailedTry,
  delaysMs: readonly number[],
): Date | undefined {
  const delayMs = delaysMs[tries];
  if (delayMs === undefined) return undefined;
  const scheduled = Math.round(delayMs * (1 + JITTER * jitter));
  return new Date(at.getTime() + Math.max(scheduled, Math.min(retryAfterMs, MAX_RETRY_AFTER_MS)));
}

/**
 * Parses a Retry-After header: seconds, or an HTTP date (RFC 9110, section 10.2.3).
 * @returns undefined if it is missing or invalid
 */
export function retryAfterMs(header: string | undefined, now: Date): number | undefined {
  const text = header?.trim() ?? '';
  if (/^\d{1,10}$/.test(text)) return Number(text) * 1000;
  // HTTP dates start with a weekday. Date.parse accepts other formats, too, which are refused here.
  if (!/^(Mon|Tue|Wed|Thu|Fri|Sat|Sun)/.test(text) || text.length > 40) return undefined;
  const at = Date.parse(text);
  return Number.isNaN(at) ? undefined : Math.max(0, at - now.getTime());
}
