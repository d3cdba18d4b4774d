import { EvaluationError } from '../errors.js';
import { type ExactDecimal, isExactDecimal } from './exact-decimal.js';

/** A number of any size and with any digits. */
export type Numeric = number | bigint | ExactDecimal;

/** Returns an operand that is a number of any size. Does not convert text. */
export function numeric(value: unknown, user: string): Numeric {
  return isNumeric(value) ? value : number(value, user);
}

/** Returns an operand that is a double or an integer of any size. Does not convert text. */
export function doubleOrInteger(value: unknown, user: string): number | bigint {
  return typeof value === 'bigint' ? value : number(value, user);
}

/**
 * Returns an operand as a double. Does not convert text.
 * @param user the operator or function, for messages
 * @throws EvaluationError also for a bigint beyond 2^53 and a decimal with more digits than a double has
 */
export function number(value: unknown, user: string): number {
  if (typeof value === 'number') return value;
  if (typeof value === 'bigint') {
    const double = Number(value);
    if (Number.isSafeInteger(double)) return double;
    throw new EvaluationError(`"${user}" cannot compute exactly with this integer, which is beyond 2^53`);
  }
  if (isExactDecimal(value))
    throw new EvaluationError(
      `"${user}" cannot compute exactly with this decimal, which has too many digits`,
    );
  throw new EvaluationError(`"${user}" needs a number, got ${typeName(value)}`);
}

export function finite(value: number, user: string): number {
  if (Number.isFinite(value)) return value;
  throw new EvaluationError(`the result of "${user}" is not a finite number`);
}

export function typeName(value: unknown): string {
  if (value === null || value === undefined) return 'null';
  if (Array.isArray(value)) return 'an array';
  if (isNumeric(value)) return 'a number';
  if (typeof value === 'object') return 'an object';
  return typeof value === 'string' ? 'a text' : `a ${typeof value}`;
}

export function isNumeric(value: unknown): value is Numeric {
  return typeof value === 'number' || typeof value === 'bigint' || isExactDecimal(value);
}
