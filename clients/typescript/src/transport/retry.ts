import { runtime } from './runtime.js';

const REPEATED: ReadonlySet<number> = new Set([408, 429, 500, 502, 503, 504]);
const LONGEST_DELAY = 8;

/**
 * Returns whether an attempt with this status may be repeated. A 409 with `Retry-After` means that another request
 * with the same key is still running.
 */
export function isRepeatable(status: number, retryAfter: number | undefined): boolean {
  return REPEATED.has(status) || (status === 409 && retryAfter !== undefined);
}

/**
 * Returns the delay before the retry of number `retry` (from 0), in seconds: `Retry-After`, or a random time with
 * full jitter. Returns `undefined` if `retryAfter` is longer than `maxWait`.
 */
export function retryDelay(
  retry: number,
  retryAfter: number | undefined,
  { retryBase, maxWait }: { readonly retryBase: number; readonly maxWait: number },
): number | undefined {
  if (retryAfter !== undefined) return retryAfter <= maxWait ? retryAfter : undefined;
  return runtime.random() * Math.min(LONGEST_DELAY, retryBase * 2 ** retry);
}

const HTTP_DATE = /^(Mon|Tue|Wed|Thu|Fri|Sat|Sun), \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT$/;

/** Reads `Retry-After`, in seconds or as a date. Returns seconds, or `undefined` for any other text. */
export function readRetryAfter(text: string | null): number | undefined {
  if (text === null) return undefined;
  if (/^\d{1,20}$/.test(text)) return Number(text);
  if (!HTTP_DATE.test(text)) return undefined;
  const date = Date.parse(text);
  return Number.isNaN(date) ? undefined : Math.max(0, (date - runtime.now()) / 1000);
}
