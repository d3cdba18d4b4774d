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
/** All tokens of a date pattern. */
const TOKENS = /YYYY|YY|MMMM|MMM|MM|M|DD|D|dddd|ddd|HH|H|mm|ss|SSS/g;
const ONE_TOKEN = new RegExp(`^(?:${TOKENS.source})$`);

/** Returns whether a run of equal letters is a token. */
export function isToken(letters: string): boolean {
  return ONE_TOKEN.test(letters);
}

/** Returns whether a text is a date pattern. It is one if it contains a token other than M, D, H and SSS. */
export function isDatePattern(pattern: string): boolean {
  return /YY|MM|DD|HH|mm|ss|ddd/.test(pattern);
}

/**
 * Formats an instant in UTC. The tokens are YYYY, YY, MMMM, MMM, MM, M, DD, D, dddd, ddd, HH, H, mm, ss and
 * SSS. Text in [brackets] and all other characters are copied, also letters (see `mistakeInPattern`).
 * Names are English. Takes time linear in the pattern's length.
 */
export function formatPattern(ms: number, pattern: string): string {
  const days = Math.floor(ms / DAY_MS);
  const time = ms - days * DAY_MS;
  const date = civilFromDays(days);
  let written = '';
  for (const { kind, text } of piecesOf(pattern)) {
    written +=
      kind === 'letters' ? text.replace(TOKENS, (token) => writeToken(token, date, days, time)) : text;
  }
  return written;
}

export interface Piece {
  readonly kind: 'letters' | 'bracketed' | 'other';
  readonly text: string;
}

const EQUAL_LETTERS = /(\p{L})\1*/uy;

/** Splits a pattern into runs of equal letters, the texts in brackets without them, and single other characters. */
export function* piecesOf(pattern: string): Generator<Piece> {
  const lastClose = pattern.lastIndexOf(']');
  let at = 0;
  while (at < pattern.length) {
    if (pattern.charAt(at) === '[' && at < lastClose) {
      const close = pattern.indexOf(']', at);
      yield { kind: 'bracketed', text: pattern.slice(at + 1, close) };
      at = close + 1;
      continue;
    }
    EQUAL_LETTERS.lastIndex = at;
    const letters = EQUAL_LETTERS.exec(pattern)?.[0];
    const text = letters ?? String.fromCodePoint(pattern.codePointAt(at) ?? 0);
    yield { kind: letters === undefined ? 'other' : 'letters', text };
    at += text.length;
  }
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
