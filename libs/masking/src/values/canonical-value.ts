import type { ByteSink } from '@understudy/bytes';
import { readTextField, writeTextField } from '@understudy/copy-format';

import { foldText, type Fold } from './fold-text.js';

/**
 * How texts of a column are compared. `number` treats 5.0 and 5 as equal (numeric). `folded` ignores case
 * (citext). `padded` ignores trailing blanks (char(n)). The others compare new values of a unique column, see
 * {@link Fold}.
 */
export type Canonical = 'number' | 'folded' | 'padded' | Fold;

const BLANK = 0x20;
const DOT = 0x2e;
const ZERO = 0x30;
const NINE = 0x39;
const MINUS = 0x2d;

/**
 * Appends the canonical form of the field `bytes[start, end)` of COPY's text format. Texts that mean the same
 * value have the same canonical form.
 */
export function writeCanonical(
  out: ByteSink,
  canonical: Canonical | undefined,
  bytes: Uint8Array,
  start: number,
  end: number,
): void {
  if (isFolded(canonical)) {
    const text = readTextField(bytes, start, end) ?? '';
    // Values of keys depend on this form, which is that of JavaScript. Originals whose form differs from what
    // the server compares are entries of `OriginalClasses`.
    writeTextField(out, canonical === 'folded' ? text.toLowerCase() : foldText(text, canonical));
    return;
  }
  out.write(bytes, start, canonicalEnd(canonical, bytes, start, end));
}

/** Returns true if the canonical form is computed from the whole text, so that it is no part of the field. */
export function isFolded(
  canonical: Canonical | undefined,
): canonical is Exclude<Canonical, 'number' | 'padded'> {
  return canonical !== undefined && canonical !== 'number' && canonical !== 'padded';
}

/** Returns the end of the canonical form within `bytes[start, end)`; `end` if the text is folded. */
export function canonicalEnd(
  canonical: Canonical | undefined,
  bytes: Uint8Array,
  start: number,
  end: number,
): number {
  let at = end;
  if (canonical === 'padded') while (at > start && bytes[at - 1] === BLANK) at--;
  if (canonical !== 'number' || bytes.subarray(start, end).indexOf(DOT) === -1) return at;
  while (bytes[at - 1] === ZERO) at--;
  return bytes[at - 1] === DOT ? at - 1 : at;
}

/**
 * Parses a field's text as an integer. Returns NaN if the text is not an integer, or if the integer is not a
 * safe integer of JavaScript.
 */
export function readInteger(bytes: Uint8Array, start: number, end: number): number {
  const isNegative = bytes[start] === MINUS;
  let value = 0;
  const from = isNegative ? start + 1 : start;
  if (from >= end || end - from > 16) return NaN;
  for (let at = from; at < end; at++) {
    const byte = bytes[at] as number;
    if (byte < ZERO || byte > NINE) return NaN;
    value = value * 10 + (byte - ZERO);
  }
  if (value > Number.MAX_SAFE_INTEGER) return NaN;
  return isNegative && value !== 0 ? -value : value;
}
