/** A try that did not succeed. */
export interface FailedTry {
  /** How many were made, this one included. */
  readonly tries: number;
  readonly at: Date;
  /** Drawn uniformly from −1 to 1. */
  readonly jitter: number;
  /** How long the receiver asked to be left alone. */
  readonly retryAfterMs?: number | undefined;
}

export const JITTER = 0.1;
/** A receiver cannot put a delivery off for longer. */
export const MAX_RETRY_AFTER_MS = 24 * 3_600_000;

/**
 * When to try again: the schedule's delay ± 10 %, or what the receiver asked for when that is later. Pure.
 * @param delaysMs before each try, the first one included
 * @returns undefined after the last try
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
 * Reads a Retry-After header: seconds, or an HTTP date (RFC 9110, 10.2.3).
 * @returns undefined when there is none, or one that says nothing
 */
export function retryAfterMs(header: string | undefined, now: Date): number | undefined {
  const text = header?.trim() ?? '';
  if (/^\d{1,10}$/.test(text)) return Number(text) * 1000;
  // Dates begin with a weekday; what else Date would read is not one.
  if (!/^(Mon|Tue|Wed|Thu|Fri|Sat|Sun)/.test(text) || text.length > 40) return undefined;
  const at = Date.parse(text);
  return Number.isNaN(at) ? undefined : Math.max(0, at - now.getTime());
}
