import { integerResult, operand } from './arithmetic.js';
import { finite, number } from './operand.js';

/**
 * Returns the sum of numbers, independent of their order. Integers are added exactly. Decimals are added as the exact
 * values of their doubles, and only the total is rounded.
 * @throws EvaluationError if the total is not finite or has more than 1,000 digits, or if there are decimals and the
 * total of the integers is beyond 2^53, where a double is not exact
 */
export function sum(values: readonly (number | bigint)[]): number | bigint {
  let safe = 0;
  let integers = 0n;
  let decimals: bigint | undefined;
  for (const value of values) {
    if (Number.isSafeInteger(value) && Number.isSafeInteger(safe + (value as number))) {
      safe += value as number;
      continue;
    }
    const integer = operand(value);
    if (integer !== undefined) integers += integer;
    else decimals = (decimals ?? 0n) + scaled(value as number);
  }
  const whole = integerResult(integers + BigInt(safe), 'sum');
  return decimals === undefined ? whole : finite(unscaled(decimals + scaled(number(whole, 'sum'))), 'sum');
}

/** The base-2 exponent of the smallest positive double. Every finite double is a multiple of it. */
const SMALLEST = -1074;
const MANTISSA_BITS = 52n;
const HIDDEN_BIT = 1n << MANTISSA_BITS;
const EXPONENTS = 2047n;
/** More bits than a double has, and few enough that `Number` converts them without an infinite result. */
const KEPT_BITS = 64;
const bits = new DataView(new ArrayBuffer(8));

/** Returns a double in units of the smallest positive double. */
function scaled(value: number): bigint {
  bits.setFloat64(0, Math.abs(value));
  const pattern = bits.getBigUint64(0);
  const exponent = (pattern >> MANTISSA_BITS) & EXPONENTS;
  const mantissa = pattern & (HIDDEN_BIT - 1n);
  const units = exponent === 0n ? mantissa : (mantissa | HIDDEN_BIT) << (exponent - 1n);
  return value < 0 ? -units : units;
}

/** Returns the nearest double, or an infinity. */
function unscaled(units: bigint): number {
  const size = units < 0n ? -units : units;
  const dropped = Math.max(0, size.toString(16).length * 4 - KEPT_BITS);
  const kept = size >> BigInt(dropped);
  // A dropped bit that is set makes the rest more than a half, so that it decides the rounding.
  const isCut = kept << BigInt(dropped) !== size;
  const rounded = Number(isCut ? kept | 1n : kept) * 2 ** (dropped + SMALLEST);
  return units < 0n ? -rounded : rounded;
}
