/* oxlint-disable no-restricted-globals -- Date parses and formats here; the clock is not read */
// ISO 8601: a date, or a date and a time with an offset.
export const INSTANT_FORM =
  /^(\d{4})-(\d{2})-(\d{2})(T\d{2}:\d{2}(:\d{2}(\.\d{1,9})?)?(Z|[+-]\d{2}:\d{2}))?$/;

export const INSTANT_EXPECTED = 'an ISO 8601 instant like 2026-01-31T00:00:00Z, years 1 to 9999';

/**
 * Parses an instant. @returns undefined for other texts and for days that do not exist, such as 30 February
 */
export function parseInstant(text: unknown): Date | undefined {
  const [, year, month, day] = (typeof text === 'string' ? INSTANT_FORM.exec(text) : null) ?? [];
  if (year === undefined || month === undefined || day === undefined || Number(year) < 1) return undefined;
  const date = new Date(String(text));
  const inMonth = new Date(`${year}-${month}-01T00:00:00Z`);
  inMonth.setUTCMonth(inMonth.getUTCMonth() + 1, 0);
  return Number.isNaN(date.getTime()) || Number(day) > inMonth.getUTCDate() ? undefined : date;
}

/** Returns the instant that relative dates refer to if a request does not set one. */
export function startOfUtcDay(now: Date): Date {
  return new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth(), now.getUTCDate()));
}
