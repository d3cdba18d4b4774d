import { parseExactNumber } from './exact-number.js';

/** A number of a JSON text that has digits which no double and no integer of 1,000 digits keeps. */
export class RoundedNumber {
  constructor(readonly text: string) {}
}

/**
 * Parses JSON like `JSON.parse`, but rounds no number: an integer that a double would change becomes a bigint,
 * and another number that it would change becomes a RoundedNumber. Takes time linear in the text's length.
 * @throws SyntaxError as `JSON.parse`
 */
export function parseExactJson(text: string): unknown {
  const parsed = JSON.parse(text) as unknown;
  if (!LONG_NUMBER.test(text)) return parsed;
  const marked = markNumbers(text);
  if (marked === undefined) return parsed;
  return JSON.parse(marked, (_, value: unknown) => {
    if (typeof value !== 'string') return value;
    const content = value.slice(1);
    return value.startsWith(NUMBER) ? (parseExactNumber(content) ?? new RoundedNumber(content)) : content;
  }) as unknown;
}

/** Parses JSON like `JSON.parse`. @throws SyntaxError also if a double would change one of the numbers */
export function parseUnroundedJson(text: string): unknown {
  const value = parseExactJson(text);
  if (unkeptNumbers(value, false).length === 0) return value;
  throw new SyntaxError('a number would be rounded; write it with fewer digits, or as a text');
}

/**
 * Finds the numbers of a value that a receiver would have to round: RoundedNumbers and, unless it keeps them,
 * bigints.
 * @returns the keys and indexes that lead to each of them
 */
export function unkeptNumbers(
  value: unknown,
  keepsIntegers: boolean,
): readonly (readonly (string | number)[])[] {
  if (value instanceof RoundedNumber || (typeof value === 'bigint' && !keepsIntegers)) return [[]];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, member]) =>
    unkeptNumbers(member, keepsIntegers).map((keys) => [Array.isArray(value) ? Number(key) : key, ...keys]),
  );
}

/** Writes JSON like `JSON.stringify`, and bigints with their digits. Ignores `toJSON`. */
export function writeExactJson(value: unknown): string {
  if (typeof value === 'bigint') return String(value);
  if (Array.isArray(value)) return `[${value.map(writeExactJson).join(',')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null';
  const members = Object.entries(value).filter(([, member]) => member !== undefined);
  return `{${members.map(([key, member]) => `${JSON.stringify(key)}:${writeExactJson(member)}`).join(',')}}`;
}

/** A double holds any number with fewer than 16 digits and without an exponent. */
const LONG_NUMBER = /[\d.]{16,}|\d[eE]/;
const NUMBER_TOKEN = /-?\d[\d.eE+-]*/y;
/** The first characters of the texts of a marked JSON text: one for numbers, one for the texts of the source. */
const NUMBER = 'n';
const TEXT = 't';

/**
 * Writes numbers that a double would change as texts, and marks all texts that are no keys.
 * @param text valid JSON
 * @returns undefined if there are no such numbers
 */
function markNumbers(text: string): string | undefined {
  const pieces: string[] = [];
  let isChanged = false;
  let copied = 0;
  const replace = (from: number, to: number, by: string): void => {
    pieces.push(text.slice(copied, from), by);
    copied = to;
  };
  for (let at = 0; at < text.length;) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) {
      const end = endOfText(text, at);
      if (!isKey(text, end)) replace(at, at + 1, `"${TEXT}`);
      at = end;
      continue;
    }
    NUMBER_TOKEN.lastIndex = at;
    const token = code === MINUS || (code >= ZERO && code <= NINE) ? NUMBER_TOKEN.exec(text)?.[0] : undefined;
    if (token === undefined) {
      at++;
      continue;
    }
    if (typeof parseExactNumber(token) !== 'number') {
      replace(at, at + token.length, `"${NUMBER}${token}"`);
      isChanged = true;
    }
    at += token.length;
  }
  return isChanged ? pieces.join('') + text.slice(copied) : undefined;
}

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const MINUS = 0x2d;
const ZERO = 0x30;
const NINE = 0x39;

/** Returns the offset after the text that starts at `at`. A regular expression would overflow the stack. */
function endOfText(text: string, at: number): number {
  let end = at + 1;
  while (text.charCodeAt(end) !== QUOTE) end += text.charCodeAt(end) === BACKSLASH ? 2 : 1;
  return end + 1;
}

function isKey(text: string, end: number): boolean {
  let at = end;
  while (' \t\n\r'.includes(text.charAt(at)) && at < text.length) at++;
  return text.charAt(at) === ':';
}
