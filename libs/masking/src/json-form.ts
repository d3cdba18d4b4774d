import { MaskingError } from './masking-errors.js';

/**
 * The JSON of a produced value: text, numbers, booleans and null as such. A surrogate without its pair becomes U+FFFD, as in a
 * column of text.
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
      return JSON.stringify(value);
    default:
      return 'null';
  }
}

function unstorable(column: string, message: string): MaskingError {
  return new MaskingError('value_invalid', column, message);
}
