import { EvaluationError } from '../errors.js';
import { absolute, compareNumbers } from '../values/arithmetic.js';
import { sum } from '../values/exact-sum.js';
import { doubleOrInteger, number, numeric, type Numeric } from '../values/operand.js';
import { array, pure, type PureFunction, reading } from './expression-function.js';
import { formatValue, mistakeInFormat } from './format-value.js';

const MAX_DIGITS = 15;
const POWERS_OF_TEN: readonly number[] = Array.from({ length: MAX_DIGITS + 1 }, (_, i) => Number(`1e${i}`));

export const NUMBER_FUNCTIONS: readonly (readonly [string, PureFunction])[] = [
  reading(
    'round',
    [doubleOrInteger, decimals],
    pure(1, 2, (value, digits = 0) => round(doubleOrInteger(value, 'round'), decimals(digits, 'round'))),
  ),
  reading(
    'floor',
    [doubleOrInteger],
    pure(1, 1, (value) => unlessWhole(doubleOrInteger(value, 'floor'), Math.floor)),
  ),
  reading(
    'ceil',
    [doubleOrInteger],
    pure(1, 1, (value) => unlessWhole(doubleOrInteger(value, 'ceil'), (x) => Math.ceil(x) + 0)),
  ),
  reading(
    'abs',
    [numeric],
    pure(1, 1, (value) => absolute(numeric(value, 'abs'))),
  ),
  reading(
    'min',
    [numeric],
    pure(1, 100, (...values) => extreme(values, 'min', (order) => order < 0)),
  ),
  reading(
    'max',
    [numeric],
    pure(1, 100, (...values) => extreme(values, 'max', (order) => order > 0)),
  ),
  reading(
    'sum',
    [doubleOrInteger],
    pure(1, 100, (...values) => sum(numbersOf(values, 'sum').map((value) => doubleOrInteger(value, 'sum')))),
  ),
  ['format', { ...pure(2, 3, formatValue), mistakeIn: mistakeInFormat }],
];

/**
 * Rounds the exact value of a double to `digits` decimals; halves are rounded away from zero. The result
 * equals that of `toFixed`, which ECMAScript defines exactly. Multiplication by a power of ten would not be
 * exact.
 */
function round(value: number | bigint, digits: number): number | bigint {
  const scale = POWERS_OF_TEN[digits] ?? 1;
  if (typeof value === 'bigint') return value;
  const scaled = Math.abs(value) * scale;
  // Below 2^52 every half (n + 0.5) is a double. So a rounded product may become a half, but never jumps over
  // one. If it is not a half, Math.round gives the same result as for the exact product. The quotient of two
  // whole numbers is the double nearest to the decimal, like the result of Number().
  if (scaled < 2 ** 52 && scaled - Math.floor(scaled) !== 0.5) {
    const rounded = Math.round(scaled) / scale;
    return (value < 0 ? -rounded : rounded) + 0;
  }
  return Math.abs(value) >= 1e21 ? value : Number(value.toFixed(digits)) + 0;
}

/** @throws EvaluationError unless it is a whole number from 0 to 15 */
function decimals(value: unknown, user: string): number {
  const digits = number(value, user);
  if (digits in POWERS_OF_TEN) return digits;
  throw new EvaluationError(`"${user}" accepts 0 to ${MAX_DIGITS} digits`);
}

/** Returns a bigint as it is. */
function unlessWhole(value: number | bigint, calculate: (value: number) => number): number | bigint {
  return typeof value === 'bigint' ? value : calculate(value);
}

function extreme(values: unknown[], user: string, better: (order: number) => boolean): Numeric {
  const numbers = numbersOf(values, user);
  const [first] = numbers;
  if (first === undefined) throw new EvaluationError(`"${user}" got an empty array`);
  return numbers.reduce((best, value) => (better(compareNumbers(value, best)) ? value : best), first);
}

/** Returns the arguments, or the elements if the only argument is an array. */
function numbersOf(values: unknown[], user: string): Numeric[] {
  const items = values.length === 1 && Array.isArray(values[0]) ? array(values[0], user) : values;
  return items.map((value) => numeric(value, user));
}
