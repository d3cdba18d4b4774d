import { EvaluationError } from '../errors.js';
import { absolute, ADD, compareNumbers, compute } from '../values/arithmetic.js';
import { number, numeric } from '../values/operand.js';
import { array, pure, type PureFunction } from './expression-function.js';
import { formatValue, mistakeInStyle } from './format-value.js';

const MAX_DIGITS = 15;
const POWERS_OF_TEN: readonly number[] = Array.from({ length: MAX_DIGITS + 1 }, (_, i) => Number(`1e${i}`));

export const NUMBER_FUNCTIONS: readonly (readonly [string, PureFunction])[] = [
  ['round', pure(1, 2, (value, digits = 0) => round(numeric(value, 'round'), number(digits, 'round')))],
  ['floor', pure(1, 1, (value) => unlessWhole(numeric(value, 'floor'), Math.floor))],
  ['ceil', pure(1, 1, (value) => unlessWhole(numeric(value, 'ceil'), (x) => Math.ceil(x) + 0))],
  ['abs', pure(1, 1, (value) => absolute(numeric(value, 'abs')))],
  ['min', pure(1, 100, (...values) => extreme(values, 'min', (order) => order < 0))],
  ['max', pure(1, 100, (...values) => extreme(values, 'max', (order) => order > 0))],
  ['sum', pure(1, 100, (...values) => sum(values))],
  ['format', { ...pure(2, 3, formatValue), mistakeIn: ([, style]) => mistakeInStyle(style) }],
];

/**
 * Rounds the exact value of a double to `digits` decimals; halves are rounded away from zero. The result
 * equals that of `toFixed`, which ECMAScript defines exactly. Multiplication by a power of ten would not be
 * exact.
 */
function round(value: number | bigint, digits: number): number | bigint {
  const scale = POWERS_OF_TEN[digits];
  if (scale === undefined) throw new EvaluationError(`"round" accepts 0 to ${MAX_DIGITS} digits`);
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

/** Returns a bigint as it is. */
function unlessWhole(value: number | bigint, calculate: (value: number) => number): number | bigint {
  return typeof value === 'bigint' ? value : calculate(value);
}

function extreme(values: unknown[], user: string, better: (order: number) => boolean): number | bigint {
  const numbers = numbersOf(values, user);
  const [first] = numbers;
  if (first === undefined) throw new EvaluationError(`"${user}" got an empty array`);
  return numbers.reduce((best, value) => (better(compareNumbers(value, best)) ? value : best), first);
}

function sum(values: unknown[]): number | bigint {
  return numbersOf(values, 'sum').reduce((total, value) => compute(ADD, total, value, 'sum'), 0);
}

/** Returns the arguments, or the elements if the only argument is an array. */
function numbersOf(values: unknown[], user: string): (number | bigint)[] {
  const items = values.length === 1 && Array.isArray(values[0]) ? array(values[0], user) : values;
  return items.map((value) => numeric(value, user));
}
