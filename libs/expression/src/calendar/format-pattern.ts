import { civilFromDays, DAY_MS } from './civil-date.js';
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
const TOKEN = /\[([^\]]*)\]|YYYY|YY|MMMM|MMM|MM|M|DD|D|dddd|ddd|HH|H|mm|ss|SSS/g;

/** Whether a pattern holds at least one token of a date. */
export function isDatePattern(pattern: string): boolean {
  return /YY|MM|DD|HH|mm|ss|ddd/.test(pattern);
}

/**
 * Writes an instant in UTC by tokens YYYY YY MMMM MMM MM M DD D dddd ddd HH H mm ss SSS; text in [brackets] and
 * every other character stands for itself. Names are English.
 */
export function formatPattern(ms: number, pattern: string): string {
  const days = Math.floor(ms / DAY_MS);
  const { year, month, day } = civilFromDays(days);
  const time = ms - days * DAY_MS;
  const monthName = MONTHS[month - 1] ?? '';
  const weekday = WEEKDAYS[(((days + 4) % 7) + 7) % 7] ?? ''; // 1970-01-01 was a Thursday
  const hour = Math.floor(time / 3_600_000);
  const values: ReadonlyMap<string, string> = new Map([
    ['YYYY', pad(year, 4)],
    ['YY', pad(year % 100, 2)],
    ['MMMM', monthName],
    ['MMM', monthName.slice(0, 3)],
    ['MM', pad(month, 2)],
    ['M', String(month)],
    ['DD', pad(day, 2)],
    ['D', String(day)],
    ['dddd', weekday],
    ['ddd', weekday.slice(0, 3)],
    ['HH', pad(hour, 2)],
    ['H', String(hour)],
    ['mm', pad(Math.floor(time / 60_000) % 60, 2)],
    ['ss', pad(Math.floor(time / 1000) % 60, 2)],
    ['SSS', pad(time % 1000, 3)],
  ]);
  return pattern.replace(
    TOKEN,
    (token, literal: string | undefined) => literal ?? values.get(token) ?? token,
  );
}
