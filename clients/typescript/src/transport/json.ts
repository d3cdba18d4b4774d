/**
 * How numbers are returned that a double cannot hold. `string` returns the digits of each number that a double prints
 * with another value. Large integers that a double prints exactly stay numbers, so a column of large ids can contain
 * both. `bigint` returns each integer beyond ±(2^53 - 1) as `bigint`, and such decimals as text. `number` returns the
 * nearest double, as `JSON.parse` does.
 */
export type LargeIntegers = 'string' | 'bigint' | 'number';

/** Reads and writes the JSON of requests and responses. */
export interface JsonCodec {
  /** @throws SyntaxError if the text is not JSON */
  readonly parse: ParseJson;
  readonly stringify: (value: unknown) => string;
}

/** Parses JSON. @throws SyntaxError if the text is not JSON */
export type ParseJson = (text: string) => unknown;

/** The first character of a text, or a number. */
const TOKEN = /"|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/g;
const COLON = /\s*:/y;
const QUOTE = 34;
const BACKSLASH = 92;
/** A text without such a part has only numbers that a double can hold. */
const MAY_BE_INEXACT = /(?:\d\.?){16}|\d[eE][+-]?\d{3}/;
/** A double never prints so many characters. The limit keeps the cost of each number small. */
const MAX_DIGITS = 400;

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
    return replaceTokens(tagged, (token) => {
      if (!token.startsWith('"')) return token;
      return token.startsWith('"n') ? token.slice(2, -1) : `"${token.slice(2)}`;
    });
  }
}

function parseWithTexts(text: string): unknown {
  return JSON.parse(
    replaceTokens(text, (token) => (token.startsWith('"') || isPrintedBack(token) ? token : `"${token}"`)),
  );
}

/** Puts a letter before each text, so that no text can imitate an integer. */
function parseWithBigints(text: string): unknown {
  const tagged = replaceTokens(text, (token) => {
    if (token.startsWith('"')) return `"s${token.slice(1)}`;
    if (!isInteger(token)) return isPrintedBack(token) ? token : `"s${token}"`;
    if (Number.isSafeInteger(Number(token))) return token;
    return token.length <= MAX_DIGITS ? `"n${token}"` : `"s${token}"`;
  });
  const root = [JSON.parse(tagged) as unknown];
  // A recursive function, such as the reviver of JSON.parse, could not read deep values.
  const left: Record<string, unknown>[] = [root as never];
  for (let each = left.pop(); each !== undefined; each = left.pop())
    for (const [key, item] of Object.entries(each))
      if (typeof item === 'string') each[key] = item.startsWith('n') ? BigInt(item.slice(1)) : item.slice(1);
      else if (typeof item === 'object' && item !== null) left.push(item as Record<string, unknown>);
  return root[0];
}

/**
 * Replaces each text and each number, except the keys of objects. Needs linear time. A regular expression for a whole
 * text would overflow the stack if the text has millions of escapes.
 */
function replaceTokens(text: string, replace: (token: string) => string): string {
  const parts: string[] = [];
  let from = 0;
  TOKEN.lastIndex = 0;
  for (let found = TOKEN.exec(text); found !== null; found = TOKEN.exec(text)) {
    const start = found.index;
    const end = found[0] === '"' ? endOfText(text, start) : TOKEN.lastIndex;
    COLON.lastIndex = end;
    const isKey = COLON.test(text);
    if (!isKey) {
      parts.push(text.slice(from, start), replace(text.slice(start, end)));
      from = end;
    }
    TOKEN.lastIndex = isKey ? COLON.lastIndex : end;
  }
  return parts.join('') + text.slice(from);
}

function endOfText(text: string, start: number): number {
  for (let at = start + 1; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) return at + 1;
    if (code === BACKSLASH) at++;
  }
  return text.length;
}

const isInteger = (token: string): boolean => !/[.eE]/.test(token);

/** Returns whether a double prints the number with the same value. */
function isPrintedBack(token: string): boolean {
  const number = Number(token);
  return (
    token.length <= MAX_DIGITS && Number.isFinite(number) && normalized(token) === normalized(String(number))
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
