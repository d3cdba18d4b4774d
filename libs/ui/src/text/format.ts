/** A count with separators for thousands, for example `12,304`. */
export function formatCount(count: number | bigint): string {
  return COUNT.format(count);
}

/**
 * A number of bytes in units of 1024, for example `0 B`, `1.5 KiB`, `12 MiB`. Values below 10 have one decimal.
 *
 * @param bytes 0 or more.
 */
export function formatBytes(bytes: number): string {
  let value = bytes;
  let unit = 0;
  // 1,023.95 would be printed as "1,024 KiB", so the next unit begins a little earlier.
  while (value >= 1023.5 && unit < UNITS.length - 1) {
    value /= 1024;
    unit++;
  }
  const digits = unit > 0 && value < 9.95 ? 1 : 0;
  return `${value.toFixed(digits)} ${UNITS[unit]}`;
}

/**
 * A span of time with at most two units, for example `850 ms`, `4.2 s`, `3 min 20 s`, `2 h 5 min`, `3 d 4 h`.
 *
 * @param ms Milliseconds. A negative span, which clocks that differ can cause, reads as 0.
 */
export function formatDuration(ms: number): string {
  const span = Math.max(0, ms);
  if (span < 999.5) return `${Math.round(span)} ms`;
  if (span < 9_950) return `${(span / 1000).toFixed(1)} s`;
  const seconds = Math.round(span / 1000);
  if (seconds < 60) return `${seconds} s`;
  if (seconds < 3600) return twoUnits(seconds, 60, 'min', 's');
  const minutes = Math.round(seconds / 60);
  if (minutes < 1440) return twoUnits(minutes, 60, 'h', 'min');
  return twoUnits(Math.round(minutes / 60), 24, 'd', 'h');
}

/**
 * A time relative to now, for example `just now`, `5 minutes ago`, `in 3 days`. Null for more than 30 days, for which
 * a date is clearer.
 */
export function formatRelative(time: Date, now: Date): string | null {
  const seconds = Math.round((time.getTime() - now.getTime()) / 1000);
  const distance = Math.abs(seconds);
  if (distance < 10) return 'just now';
  if (distance < 60) return RELATIVE.format(seconds, 'second');
  if (distance < 3600) return RELATIVE.format(Math.trunc(seconds / 60), 'minute');
  if (distance < 86_400) return RELATIVE.format(Math.trunc(seconds / 3600), 'hour');
  if (distance < 30 * 86_400) return RELATIVE.format(Math.trunc(seconds / 86_400), 'day');
  return null;
}

/** A time in the user's zone and manner, for example `Nov 25, 2026, 11:34:30 PM`. */
export function formatLocal(time: Date): string {
  return LOCAL.format(time);
}

/** The day of a time in the user's zone and manner, for example `Nov 25, 2026`. */
export function formatDate(time: Date): string {
  return DATE.format(time);
}

/** A time in UTC to the second, for example `2026-11-25 23:34:30 UTC`. */
export function formatUtc(time: Date): string {
  return `${time.toISOString().slice(0, 19).replace('T', ' ')} UTC`;
}

function twoUnits(value: number, size: number, large: string, small: string): string {
  const rest = value % size;
  const whole = `${Math.floor(value / size)} ${large}`;
  return rest === 0 ? whole : `${whole} ${rest} ${small}`;
}

const UNITS = ['B', 'KiB', 'MiB', 'GiB', 'TiB', 'PiB'] as const;
const COUNT = new Intl.NumberFormat('en');
const DATE = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium' });
const LOCAL = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'medium' });
const RELATIVE = new Intl.RelativeTimeFormat('en', { numeric: 'always' });
