import { randomUUID } from 'node:crypto';

import { parseExactNumber } from '@understudy/expression';

import { ApiError } from '../errors/api-error.js';
import { ExactNumber } from '../dto/exact-number.js';

export const MAX_BODY_BYTES = 1024 * 1024;
export const MAX_JSON_DEPTH = 64;

/**
 * Parses a request body. Keys such as `__proto__` become ordinary own properties, as in JSON.parse. A number
 * that a double would change becomes an ExactNumber.
 * @throws ApiError `bad_request` if the body is not UTF-8 JSON, `limit_exceeded` if it nests deeper than 64
 * levels
 */
export function parseJsonBody(bytes: Uint8Array): unknown {
  const text = decode(bytes);
  if (depthExceeds(text, MAX_JSON_DEPTH)) {
    throw new ApiError('limit_exceeded', `The body nests deeper than ${MAX_JSON_DEPTH} levels.`);
  }
  try {
    const parsed = JSON.parse(text) as unknown;
    return LONG_NUMBER.test(text) ? (parseExactly(text) ?? parsed) : parsed;
  } catch {
    // The parser's message quotes the body, so it is not passed on.
    throw new ApiError('bad_request', 'The body is not valid JSON.');
  }
}

/** A double holds any number with fewer than 16 digits and without an exponent. */
const LONG_NUMBER = /[\d.]{16,}|\d[eE]/;
const TEXT_OR_NUMBER = /"(?:[^"\\]|\\.)*"|-?\d[\d.eE+-]*/g;

/**
 * Replaces the numbers that a double would change, parses the text, and puts them in again.
 * @param text valid JSON
 * @returns undefined if there are no such numbers
 */
function parseExactly(text: string): unknown {
  const mark = randomUUID();
  const numbers = new Map<string, ExactNumber>();
  const marked = text.replace(TEXT_OR_NUMBER, (token) => {
    if (token.startsWith('"')) return token;
    const value = parseExactNumber(token);
    if (typeof value === 'number') return token;
    const name = `${mark} ${numbers.size}`;
    numbers.set(name, new ExactNumber(token, value));
    return `"${name}"`;
  });
  if (numbers.size === 0) return undefined;
  return JSON.parse(marked, (_, value: unknown) =>
    typeof value === 'string' ? (numbers.get(value) ?? value) : value,
  ) as unknown;
}

function decode(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw new ApiError('bad_request', 'The body is not valid UTF-8.');
  }
}

/**
 * Returns whether brackets outside strings nest deeper than `limit`. The result is meaningless for invalid
 * JSON, which the parser refuses afterwards.
 */
export function depthExceeds(text: string, limit: number): boolean {
  let depth = 0;
  let inString = false;
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (inString) {
      if (code === 0x5c) i++;
      else if (code === 0x22) inString = false;
    } else if (code === 0x22) inString = true;
    else if (code === 0x7b || code === 0x5b) {
      if (++depth > limit) return true;
    } else if (code === 0x7d || code === 0x5d) depth--;
  }
  return false;
}
