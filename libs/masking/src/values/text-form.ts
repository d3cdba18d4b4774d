import { writeExactJson } from '@understudy/expression';

import { MaskingError } from '../compile/masking-errors.js';

/**
 * Returns a generated value as text that PostgreSQL can read, or null for NULL. Objects and arrays become
 * JSON.
 */
export function textForm(value: unknown): string | null {
  switch (typeof value) {
    case 'string':
      return value;
    case 'number':
    case 'bigint':
    case 'boolean':
      return String(value);
    case 'object':
      return value === null ? null : writeExactJson(value);
    default:
      return null;
  }
}

/**
 * Returns the first `max` code points of `text`, or the same string if it has no more. PostgreSQL counts
 * characters in the same way.
 */
export function cutToLength(text: string, max: number): string {
  if (text.length <= max) return text;
  let at = 0;
  for (let points = 0; points < max; points++) {
    if (at >= text.length) return text;
    at += (text.codePointAt(at) as number) > 0xffff ? 2 : 1;
  }
  return at >= text.length ? text : text.slice(0, at);
}

/**
 * Returns the JSON of a generated value. Text, numbers, booleans and null keep their type. A lone surrogate
 * becomes U+FFFD, as in a text column.
 * @throws MaskingError value_invalid
 */
export function jsonForm(value: unknown, column: string): string {
  switch (typeof value) {
    case 'string':
      if (value.includes('\0'))
        throw unstorable(column, 'the value holds U+0000, which PostgreSQL cannot store');
      return JSON.stringify(value.replace(/\p{Surrogate}/gu, '\ufffd'));
    case 'number':
      if (!Number.isFinite(value)) throw unstorable(column, 'the value is a number that JSON does not have');
      return String(value);
    case 'bigint':
    case 'boolean':
      return String(value);
    case 'object':
      return writeExactJson(value);
    default:
      return 'null';
  }
}

function unstorable(column: string, message: string): MaskingError {
  return new MaskingError('value_invalid', column, message);
}
