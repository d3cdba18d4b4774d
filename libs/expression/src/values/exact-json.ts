import { decimalText, isExactDecimal } from './exact-decimal.js';
import { doubleOf, type ExactNumber, exponentOf, parseExactNumber } from './exact-number.js';

/** A number of a JSON text that has more digits than an exact number may have, and no double. */
export class RoundedNumber {
  constructor(readonly text: string) {}
}

/** The message about a RoundedNumber. */
export const ROUNDED =
  'this number would be rounded; write it with at most 1000 digits and no exponent, or as a text';

/**
 * The largest sum of the exponents of a document's exact numbers. Each adds as many zeros to what is stored and
 * written.
 */
const MAX_ADDED_ZEROS = 100_000;

/** Reads the numbers of one document. */
export class NumberReader {
  private room = MAX_ADDED_ZEROS;

  /**
   * Parses a number without rounding it.
   * @returns a RoundedNumber if the number has more than 1,000 digits, or if its exponent would add too many zeros to
   * the document
   */
  read(text: string): ExactNumber | RoundedNumber {
    const added = Math.abs(exponentOf(text));
    if (added > this.room) return doubleOf(text) ?? new RoundedNumber(text);
    const value = parseExactNumber(text) ?? new RoundedNumber(text);
    if (typeof value !== 'number') this.room -= added;
    return value;
  }
}

/**
 * Parses JSON like `JSON.parse`, but rounds no number. An integer that a double would change becomes a bigint,
 * and a decimal an ExactDecimal. A number of more than 1,000 digits becomes a RoundedNumber, and so does one whose
 * exponent would add too many zeros to the document. Takes time linear in the text's length.
 * @throws SyntaxError as `JSON.parse`
 */
export function parseExactJson(text: string): unknown {
  const parsed = [JSON.parse(text) as unknown];
  if (!LONG_NUMBER.test(text)) return parsed[0];
  const marked = markNumbers(text);
  if (marked === undefined) return parsed[0];
  parsed.pop(); // for a large text, both values may need more than the heap
  const numbers = new NumberReader();
  return JSON.parse(marked, (_, value: unknown) => {
    if (typeof value !== 'string') return value;
    const content = value.slice(1);
    return value.startsWith(NUMBER) ? numbers.read(content) : content;
  }) as unknown;
}

/** Parses JSON as `parseExactJson` does. @throws SyntaxError also if it has a number of more than 1,000 digits */
export function parseKeptJson(text: string): unknown {
  const value = parseExactJson(text);
  if (roundedNumbers(value).length === 0) return value;
  throw new SyntaxError(ROUNDED);
}

/** Parses JSON as `parseKeptJson` does. @returns undefined for a text that a user has not finished */
export function readKeptJson(text: string): unknown {
  try {
    return parseKeptJson(text);
  } catch {
    return undefined; // the page that shows the text reports its faults
  }
}

/** Finds the RoundedNumbers of a value. @returns the keys and indexes that lead to each of them */
export function roundedNumbers(value: unknown): readonly (readonly (string | number)[])[] {
  if (value instanceof RoundedNumber) return [[]];
  if (typeof value !== 'object' || value === null || !hasRoundedNumber(value)) return [];
  return Object.entries(value).flatMap(([key, member]) =>
    roundedNumbers(member).map((keys) => [Array.isArray(value) ? Number(key) : key, ...keys]),
  );
}

function hasRoundedNumber(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return value instanceof RoundedNumber || Object.values(value).some(hasRoundedNumber);
}

/**
 * Writes JSON like `JSON.stringify`, and bigints and ExactDecimals with their digits.
 * @param space the indentation of members, if the text is for readers
 */
export function writeExactJson(value: unknown, space = ''): string {
  try {
    return JSON.stringify(value, undefined, space) ?? 'null';
  } catch (error) {
    // JSON.stringify refuses bigints. It is many times faster than `write`, and most values have none.
    if (error instanceof TypeError) return write(value, space, '\n') ?? 'null';
    throw error;
  }
}

/** Returns whether a value contains a number that `JSON.stringify` would refuse. */
export function hasExactNumbers(value: unknown): boolean {
  if (typeof value === 'bigint' || isExactDecimal(value)) return true;
  return typeof value === 'object' && value !== null && Object.values(value).some(hasExactNumbers);
}

/** @returns undefined for a value that JSON has not */
function write(value: unknown, space: string, line: string): string | undefined {
  if (typeof value === 'bigint') return String(value);
  if (isExactDecimal(value)) return decimalText(value);
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  if ('toJSON' in value && typeof value.toJSON === 'function') return JSON.stringify(value);
  const inner = line + space;
  const isArray = Array.isArray(value);
  const members = isArray
    ? value.map((item: unknown) => write(item, space, inner) ?? 'null')
    : Object.entries(value).flatMap(([key, member]) => {
        const json = write(member, space, inner);
        return json === undefined ? [] : [`${JSON.stringify(key)}:${space && ' '}${json}`];
      });
  const [open, close] = isArray ? '[]' : '{}';
  if (space === '' || members.length === 0) return `${open}${members.join(',')}${close}`;
  return `${open}${inner}${members.join(`,${inner}`)}${line}${close}`;
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
    if (doubleOf(token) === undefined) {
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
