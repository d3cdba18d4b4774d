import { civilFromDays, DAY_MS, type CivilDate } from './civil-date.js';
import { pad } from './instant.js';

const MONTHS = [
  'January',
  'February',
  'March',
  'April',
  'May',
  'June',
  'July',
  'August',
  'September',
  'October',
  'November',
  'December',
];
const WEEKDAYS = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'];
const TOKEN = /YYYY|YY|MMMM|MMM|MM|M|DD|D|dddd|ddd|HH|H|mm|ss|SSS/y;

/** Returns whether a text is a date pattern. It is one if it contains a token other than M, D, H and SSS. */
export function isDatePattern(pattern: string): boolean {
  return /YY|MM|DD|HH|mm|ss|ddd/.test(pattern);
}

/**
 * Formats an instant in UTC. The tokens are YYYY, YY, MMMM, MMM, MM, M, DD, D, dddd, ddd, HH, H, mm, ss and
 * SSS. Text in [brackets] and all other characters are copied. Names are English. Takes time linear in the
 * pattern's length.
 */
export function formatPattern(ms: number, pattern: string): string {
  const days = Math.floor(ms / DAY_MS);
  const time = ms - days * DAY_MS;
  const date = civilFromDays(days);
  const lastClose = pattern.lastIndexOf(']');
  let written = '';
  let at = 0;
  while (at < pattern.length) {
    if (pattern.charAt(at) === '[' && at < lastClose) {
      const close = pattern.indexOf(']', at);
      written += pattern.slice(at + 1, close);
      at = close + 1;
      continue;
    }
    TOKEN.lastIndex = at;
    const token = TOKEN.exec(pattern)?.[0] ?? pattern.charAt(at);
    written += writeToken(token, date, days, time);
    at += token.length;
  }
  return written;
}

function writeToken(token: string, { year, month, day }: CivilDate, days: number, time: number): string {
  switch (token) {
    case 'YYYY':
      return pad(year, 4);
    case 'YY':
      return pad(year % 100, 2);
    case 'MMMM':
      return MONTHS[month - 1] ?? '';
    case 'MMM':
      return (MONTHS[month - 1] ?? '').slice(0, 3);
    case 'MM':
      return pad(month, 2);
    case 'M':
      return String(month);
    case 'DD':
      return pad(day, 2);
    case 'D':
      return String(day);
    case 'dddd':
      return weekday(days);
    case 'ddd':
      return weekday(days).slice(0, 3);
    case 'HH':
      return pad(Math.floor(time / 3_600_000), 2);
    case 'H':
      return String(Math.floor(time / 3_600_000));
    case 'mm':
      return pad(Math.floor(time / 60_000) % 60, 2);
    case 'ss':
      return pad(Math.floor(time / 1000) % 60, 2);
    case 'SSS':
      return pad(time % 1000, 3);
    default:
      return token;
  }
}

function weekday(days: number): string {
  return WEEKDAYS[(((days + 4) % 7) + 7) % 7] ?? ''; // 1970-01-01 was a Thursday
}
