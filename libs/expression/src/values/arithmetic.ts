import { EvaluationError } from '../errors.js';
import { compareDecimals, exactDecimal } from './exact-decimal.js';
import { integerOf, shortestInteger, toDecimal } from './exact-number.js';
import { finite, number, type Numeric } from './operand.js';

/**
 * An operator on two numbers. Decimals are computed as doubles. Integers are computed exactly: the result is a
 * bigint if no double has its digits.
 */
interface Arithmetic {
  readonly user: string;
  readonly real: (left: number, right: number) => number;
  /** Returns undefined if the result is no integer. */
  readonly exact: (left: bigint, right: bigint) => bigint | undefined;
}

export const ADD: Arithmetic = { user: '+', real: (a, b) => a + b, exact: (a, b) => a + b };
export const SUBTRACT: Arithmetic = { user: '-', real: (a, b) => a - b, exact: (a, b) => a - b };
export const MULTIPLY: Arithmetic = { user: '*', real: (a, b) => a * b, exact: (a, b) => a * b };
export const REMAINDER: Arithmetic = {
  user: '%',
  real: (a, b) => a % b,
  exact: (a, b) => (b === 0n ? undefined : a % b),
};
export const DIVIDE: Arithmetic = {
  user: '/',
  real: (a, b) => a / b,
  exact: (a, b) => (b === 0n || a % b !== 0n ? undefined : a / b),
};

/**
 * Applies an operator. From 1e21 on, where its text has an exponent, a double counts as a decimal.
 * @throws EvaluationError if an operand is no number, if the result is not finite or has more than 1,000
 * digits, or if an integer beyond 2^53 would be converted to a double
 */
export function compute(
  operator: Arithmetic,
  left: unknown,
  right: unknown,
  user = operator.user,
): number | bigint {
  if (typeof left === 'number' && typeof right === 'number') {
    const result = operator.real(left, right);
    if (isSafe(left) && isSafe(right) && isSafe(result)) return result;
  }
  const [a, b] = [operand(left), operand(right)];
  const exact = a === undefined || b === undefined ? undefined : operator.exact(a, b);
  if (exact === undefined) return finite(operator.real(number(left, user), number(right, user)), user);
  return integerResult(exact, user);
}

/** Returns an exact result. @throws EvaluationError if it has more than 1,000 digits */
export function integerResult(exact: bigint, user: string): number | bigint {
  if (exact > -LIMIT && exact < LIMIT) return shortestInteger(exact);
  throw new EvaluationError(`the result of "${user}" has more than 1000 digits`);
}

const LIMIT = 10n ** 1000n;

/** Returns whether integers of this size are doubles. */
function isSafe(value: number): boolean {
  return Math.abs(value) <= Number.MAX_SAFE_INTEGER;
}

/** Returns the integer with which an operator computes exactly, or undefined for decimals and other values. */
export function operand(value: unknown): bigint | undefined {
  return typeof value === 'number' && Math.abs(value) >= 1e21 ? undefined : integerOf(value);
}

export function absolute(value: number | bigint): number | bigint;
export function absolute(value: Numeric): Numeric;
export function absolute(value: Numeric): Numeric {
  if (typeof value === 'number') return Math.abs(value);
  if (typeof value === 'bigint') return value < 0n ? -value : value;
  return value.unscaled < 0n ? negate(value) : value;
}

export function negate(value: Numeric): Numeric {
  return typeof value === 'object' ? exactDecimal(-value.unscaled, value.scale) : -value;
}

/** Returns a negative number if `left` is smaller, 0 if the numbers are equal, and a positive number otherwise. */
export function compareNumbers(left: Numeric, right: Numeric): number {
  if (typeof left === 'object' || typeof right === 'object')
    return compareDecimals(toDecimal(left), toDecimal(right));
  if (typeof left === typeof right) return left < right ? -1 : left > right ? 1 : 0;
  // The digits of a double beyond 2^53 are not those of its exact value, with which a bigint would be compared.
  const [a, b] = [integerOf(left) ?? left, integerOf(right) ?? right];
  return a < b ? -1 : a > b ? 1 : 0;
}
