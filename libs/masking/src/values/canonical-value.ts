import type { ByteSink } from '@understudy/bytes';
import { readTextField, writeTextField } from '@understudy/copy-format';

/**
 * Which texts of a column are one value: `number` where 5.0 is 5 (numeric), `folded` where case does not count (citext, or
 * a unique index on lower(…)), `padded` where trailing blanks do not (char(n)).
 */
export type Canonical = 'number' | 'folded' | 'padded';

const BLANK = 0x20;
const DOT = 0x2e;
const ZERO = 0x30;
const NINE = 0x39;
const MINUS = 0x2d;

/** Appends the field `bytes[start, end)` of COPY's text format in the one form that all texts of its value share. */
export function writeCanonical(
  out: ByteSink,
  canonical: Canonical | undefined,
  bytes: Uint8Array,
  start: number,
  end: number,
): void {
  if (canonical === 'folded') {
    writeTextField(out, (readTextField(bytes, start, end) ?? '').toLowerCase());
    return;
  }
  out.write(bytes, start, canonicalEnd(canonical, bytes, start, end));
}

/** Where the value ends that `bytes[start, end)` begins with; `folded` has no such place. */
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

/** The integer that a field's text is, NaN when it is none or not exact. */
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
