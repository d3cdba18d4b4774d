import type { ByteSink } from '@understudy/bytes';

const ZERO = 0x30;
const MINUS = 0x2d;
const BILLION = 1_000_000_000;
const LARGEST_WORD = 0x7fffffff;

/** Appends a finite number in the form of ECMAScript (ECMA-262, Number::toString). −0 becomes `0`. */
export function writeNumber(sink: ByteSink, value: number): void {
  if (!Number.isSafeInteger(value)) {
    sink.writeAscii(String(value));
    return;
  }
  sink.reserve(17);
  if (value < 0) sink.bytes[sink.length++] = MINUS;
  const magnitude = Math.abs(value);
  if (magnitude <= LARGEST_WORD) {
    putDigits(sink, magnitude, digitCount(magnitude));
    return;
  }
  // Parts of nine digits fit in 32-bit integer arithmetic. Both steps are exact: below 2^53, the quotient is at least
  // 1e-9 below the next integer. Doubles of this size are at most 1.9e-9 apart, so it never rounds up to that integer.
  const high = Math.floor(magnitude / BILLION);
  const low = magnitude - high * BILLION;
  putDigits(sink, high, digitCount(high));
  putDigits(sink, low, 9);
}

/** Appends the last `count` decimal digits of `value`, which is at most `LARGEST_WORD`. */
function putDigits(sink: ByteSink, value: number, count: number): void {
  const { bytes } = sink;
  const start = sink.length;
  let rest = value | 0;
  for (let at = start + count - 1; at >= start; at--) {
    const tenth = (rest / 10) | 0;
    bytes[at] = ZERO + (rest - tenth * 10);
    rest = tenth;
  }
  sink.length = start + count;
}

function digitCount(value: number): number {
  let count = 1;
  for (let limit = 10; value >= limit; limit *= 10) count++;
  return count;
}
