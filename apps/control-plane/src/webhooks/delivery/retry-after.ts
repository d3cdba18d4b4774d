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
