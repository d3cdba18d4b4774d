/**
 * How numbers are returned that a double cannot hold: integers beyond ±(2^53 - 1), and decimals that a double prints
 * with other digits. `string` returns the digits. `bigint` returns integers as `bigint`, and decimals as text. `number`
 * returns the nearest double, as `JSON.parse` does.
 */
export type LargeIntegers = 'string' | 'bigint' | 'number';

/** Parses JSON. @throws SyntaxError if the text is not JSON */
export type ParseJson = (text: string) => unknown;

/** A text or a number. The group is the colon after a key. */
const TOKEN = /(?:"[^"\\]*(?:\\[^][^"\\]*)*"|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?)(\s*:)?/g;
/** A text without such a part has only numbers that a double can hold. */
const MAY_BE_INEXACT = /(?:\d\.?){16}|\d[eE][+-]?\d{3}/;
/** A double never prints so many characters. The limit keeps the cost of each number small. */
const DIGITS_AT_MOST = 400;

/** Returns a parser of JSON that keeps the digits of numbers that a double cannot hold. */
export function jsonParser(largeIntegers: LargeIntegers): ParseJson {
  if (largeIntegers === 'number') return (text) => JSON.parse(text) as unknown;
  const parse = largeIntegers === 'string' ? parseWithTexts : parseWithBigints;
  return (text) => (MAY_BE_INEXACT.test(text) ? parse(text) : (JSON.parse(text) as unknown));
}

/** Encodes a value as JSON. A `bigint` becomes an integer. @throws TypeError if the value is circular */
export function encodeJson(value: unknown): string {
  try {
    return JSON.stringify(value);
  } catch {
    // The first letter of each text distinguishes texts from digits.
    const tagged = JSON.stringify(value, (_, item: unknown) => {
      if (typeof item === 'bigint') return `n${item}`;
      return typeof item === 'string' ? `s${item}` : item;
    });
    return tagged.replace(TOKEN, (token: string, colon?: string) => {
      if (colon !== undefined || !token.startsWith('"')) return token;
      return token.startsWith('"n') ? token.slice(2, -1) : `"${token.slice(2)}`;
    });
  }
}

function parseWithTexts(text: string): unknown {
  return JSON.parse(
    text.replace(TOKEN, (token: string, colon?: string) =>
      colon !== undefined || token.startsWith('"') || isExact(token) ? token : `"${token}"`,
    ),
  );
}

/** Puts a letter before each text, so that no text can imitate an integer. */
function parseWithBigints(text: string): unknown {
  const tagged = text.replace(TOKEN, (token: string, colon?: string) => {
    if (colon !== undefined) return token;
    if (token.startsWith('"')) return `"s${token.slice(1)}`;
    if (isExact(token)) return token;
    return isInteger(token) && token.length <= DIGITS_AT_MOST ? `"n${token}"` : `"s${token}"`;
  });
  return JSON.parse(tagged, (_, item: unknown) => {
    if (typeof item !== 'string') return item;
    return item.startsWith('n') ? BigInt(item.slice(1)) : item.slice(1);
  });
}

const isInteger = (token: string): boolean => !/[.eE]/.test(token);

/** Returns whether a double holds the number: the type of an integer depends only on its size. */
function isExact(token: string): boolean {
  const number = Number(token);
  if (isInteger(token)) return Number.isSafeInteger(number);
  return (
    token.length <= DIGITS_AT_MOST &&
    Number.isFinite(number) &&
    normalized(token) === normalized(String(number))
  );
}

/** Returns the same text for all spellings of a number. */
function normalized(token: string): string {
  const [, sign = '', whole = '', fraction = '', exponent = '0'] =
    /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/.exec(token) ?? [];
  const digits = `${whole}${fraction}`.replace(/^0+/, '');
  const significant = digits.replace(/0+$/, '');
  const shift = digits.length - significant.length - fraction.length;
  return significant === '' ? '0' : `${sign}${significant}e${Number(exponent) + shift}`;
}
