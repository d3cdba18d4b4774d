import { UnsatisfiableError } from '../errors.js';

/**
 * Requires a whole number from 1 to `most`.
 * @throws UnsatisfiableError that names the parameter
 */
export function checkCount(value: number, name: string, most: number): number {
  if (!Number.isInteger(value) || value < 1 || value > most) {
    throw new UnsatisfiableError(`${name} must be a whole number from 1 to ${most}`, name);
  }
  return value;
}

/**
 * Requires a text of at most `most` code points after NFC.
 * @throws UnsatisfiableError that names the parameter
 */
export function checkText(value: string, name: string, most: number): string {
  // A code point has at most two UTF-16 units, and NFC may halve the length of unusual texts. Longer texts
  // are refused without NFC.
  if (typeof value === 'string' && value.length <= most * 4) {
    const text = value.normalize('NFC');
    if (codePoints(text) <= most) return text;
  }
  throw new UnsatisfiableError(`${name} must be a text of at most ${most} characters`, name);
}

/** Returns the length of a text in code points. A lone surrogate counts as one. */
export function codePoints(text: string): number {
  let count = text.length;
  for (let i = 1; i < text.length; i += 1) {
    if ((text.charCodeAt(i) & 0xfc00) === 0xdc00 && (text.charCodeAt(i - 1) & 0xfc00) === 0xd800) count -= 1;
  }
  return count;
}
