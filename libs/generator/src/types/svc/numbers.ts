import { math } from '@understudy/random';
import { describe } from '../../json-value.js';
import type { Draw } from '../../node.js';
import type { Parameters } from './parameters.js';

const MAX_PRECISION = 15;
const LARGEST_SPAN = 9007199254740992;

/** `except` is left out by numbering the values that remain: every one of them is equally likely, in one draw. */
export function compileIntBetween(parameters: Parameters): Draw {
  parameters.only('min', 'max', 'except');
  const min = parameters.integer('min', 0);
  const max = parameters.integer('max', 2147483647);
  if (min > max) throw parameters.fault('min', `min ${min} is greater than max ${max}`);
  const span = max - min + 1; // both bounds included
  if (span > LARGEST_SPAN) throw parameters.fault('min', 'the range is wider than 2^53 values');
  const excluded = readExcept(parameters, min, max);
  if (excluded.length === 0) return (random) => min + random.below(span);
  if (excluded.length >= span) throw parameters.fault('except', 'excludes the whole range');
  // before[i]: how many allowed values lie below the i-th excluded one
  const before = excluded.map((value, i) => value - min - i);
  return (random) => {
    const position = random.below(span - excluded.length);
    let low = 0;
    let high = before.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((before[middle] ?? 0) <= position) low = middle + 1;
      else high = middle;
    }
    return min + position + low;
  };
}

/** The distinct integers of `except` within the range, ascending. */
function readExcept(parameters: Parameters, min: number, max: number): number[] {
  const value = parameters.raw('except');
  if (value === undefined || value === null) return [];
  if (!Array.isArray(value))
    throw parameters.fault('except', `must be an array of integers, got ${describe(value)}`);
  const numbers = value.map((item: unknown) => {
    if (typeof item !== 'number' || !Number.isFinite(item)) {
      throw parameters.fault('except', `must hold integers alone, got ${describe(item)}`);
    }
    return item;
  });
  const inRange = numbers.filter((item) => Number.isInteger(item) && item >= min && item <= max);
  return [...new Set(inRange)].sort((a, b) => a - b);
}

export function compileFloatBetween(parameters: Parameters): Draw {
  parameters.only('min', 'max', 'precision');
  const min = parameters.number('min', 0);
  const max = parameters.number('max', 1);
  const precision = parameters.integer('precision', 2);
  if (min > max) throw parameters.fault('min', `min ${min} is greater than max ${max}`);
  if (precision < 0 || precision > MAX_PRECISION) {
    throw parameters.fault('precision', `must be from 0 to ${MAX_PRECISION}`);
  }
  const round = rounder(precision);
  return (random) => {
    const share = random.float53();
    const value = round(min * (1 - share) + max * share);
    // A bound with more decimals than the precision is itself the nearest value within the range.
    return value < min ? min : value > max ? max : value;
  };
}

export function compileBoolean(parameters: Parameters): Draw {
  parameters.only('probability');
  const probability = Math.min(1, Math.max(0, parameters.number('probability', 0.5)));
  return (random) => random.float53() < probability;
}

export function compileSequence(parameters: Parameters): Draw {
  parameters.only('start', 'step');
  const start = parameters.integer('start', 1);
  const step = parameters.integer('step', 1);
  return (_, row) => {
    const value = start + row.index * step;
    return Number.isSafeInteger(value) ? value : BigInt(start) + BigInt(row.index) * BigInt(step);
  };
}

/** Box and Muller's transform, its cosine half. */
export function compileGaussian(parameters: Parameters): Draw {
  parameters.only('mean', 'stddev');
  const mean = parameters.number('mean', 0);
  const stddev = parameters.number('stddev', 1);
  if (stddev < 0) throw parameters.fault('stddev', `must not be negative, got ${stddev}`);
  const round = rounder(6);
  return (random) => {
    const radius = Math.sqrt(-2 * math.log(1 - random.float53()));
    return round(mean + stddev * radius * math.cos(TWO_PI * random.float53()));
  };
}

export function compileExponential(parameters: Parameters): Draw {
  parameters.only('lambda');
  const lambda = parameters.number('lambda', 1);
  if (!(lambda > 0)) throw parameters.fault('lambda', `must be above 0, got ${lambda}`);
  const round = rounder(6);
  return (random) => round(-math.log(1 - random.float53()) / lambda);
}

/** Above 2^53 the integer is a bigint, since a number would lose its last digits. */
export function compileDigits(parameters: Parameters): Draw {
  parameters.only('digits', 'strict', 'leading_zero');
  const digits = Math.min(18, Math.max(1, parameters.integer('digits', 1)));
  const strict = parameters.boolean('strict', false);
  const padded = parameters.boolean('leading_zero', false);
  const lowDigits = Math.min(digits, 9);
  const lowSpan = POWERS_OF_TEN[lowDigits] ?? 1;
  const highSpan = POWERS_OF_TEN[digits - lowDigits] ?? 1;
  // strict: the first digit is not 0. It is the first of the high part, or of the low part when that is all.
  const lowMin = strict && highSpan === 1 ? lowSpan / 10 : 0;
  const highMin = strict && highSpan > 1 ? highSpan / 10 : 0;
  return (random) => {
    const high = highMin + random.below(highSpan - highMin);
    const low = lowMin + random.below(lowSpan - lowMin);
    if (padded) {
      const text = highSpan === 1 ? '' : String(high).padStart(digits - lowDigits, '0');
      return text + String(low).padStart(lowDigits, '0');
    }
    const value = high * lowSpan + low;
    return Number.isSafeInteger(value) ? value : BigInt(high) * BigInt(lowSpan) + BigInt(low);
  };
}

const TWO_PI = 6.283185307179586;
const POWERS_OF_TEN: readonly number[] = Array.from({ length: 16 }, (_, i) => Number(`1e${i}`));

/** Rounds to so many decimals: the quotient of two whole numbers is the double nearest to that decimal. */
function rounder(digits: number): (value: number) => number {
  const scale = POWERS_OF_TEN[digits] ?? 1;
  return (value) => {
    const scaled = Math.round(value * scale);
    return Number.isSafeInteger(scaled) ? scaled / scale + 0 : value;
  };
}
