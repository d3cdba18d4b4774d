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
const TOKENS = /YYYY|YY|MMMM|MMM|MM|M|DD|D|dddd|ddd|HH|H|mm|ss|SSS/g;
const ONE_TOKEN = new RegExp(`^(?:${TOKENS.source})$`);

/** Returns whether a text is a date pattern. It is one if it contains a token other than M, D, H and SSS. */
export function isDatePattern(pattern: string): boolean {
  return /YY|MM|DD|HH|mm|ss|ddd/.test(pattern);
}

/** Spellings for letters that stand for a part of a date in other pattern languages. */
const SPELLINGS: ReadonlyMap<string, string> = new Map([
  ['y', 'YYYY for the year'],
  ['Y', 'YYYY for the year'],
  ['u', 'YYYY for the year'],
  ['d', 'DD for the day of the month'],
  ['m', 'MM for the month or mm for the minutes'],
  ['h', 'HH for the hours from 00 to 23'],
  ['k', 'HH for the hours from 00 to 23'],
  ['s', 'ss for the seconds'],
  ['S', 'SSS for the milliseconds'],
  ['E', 'ddd or dddd for the day of the week'],
  ['L', 'MM, MMM or MMMM for the month'],
  ['M', 'MM, MMM or MMMM for the month'],
  ['D', 'DD for the day of the month'],
  ['H', 'HH for the hours from 00 to 23'],
]);

/**
 * Finds letters of a pattern that are neither tokens nor in brackets. Equal letters in a row are one token or none:
 * other patterns give a meaning to runs such as DDD and SSSSSS.
 * @returns a message with the spelling to use, or undefined if there are none
 */
export function strayLetters(pattern: string): string | undefined {
  let letters = '';
  for (const { kind, text } of piecesOf(pattern)) {
    if (kind === 'letters' && !ONE_TOKEN.test(text)) letters += text;
    else if (letters !== '') break;
  }
  if (letters === '') return undefined;
  const spelling = SPELLINGS.get(letters.charAt(0));
  const shown = letters.slice(0, LONGEST_SHOWN);
  return (
    `"${shown}" is no token of a date pattern; write ${spelling === undefined ? '' : `${spelling}, or `}` +
    `[${shown}] for the letters`
  );
}

const LONGEST_SHOWN = 32;

/**
 * Formats an instant in UTC. The tokens are YYYY, YY, MMMM, MMM, MM, M, DD, D, dddd, ddd, HH, H, mm, ss and
 * SSS. Text in [brackets] and all other characters are copied, also letters (see `strayLetters`).
 * Names are English. Takes time linear in the
 * pattern's length.
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

interface Piece {
  readonly kind: 'letters' | 'bracketed' | 'other';
  readonly text: string;
}

const EQUAL_LETTERS = /(\p{L})\1*/uy;

/** Splits a pattern into runs of equal letters, the texts in brackets without them, and single other characters. */
function* piecesOf(pattern: string): Generator<Piece> {
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
