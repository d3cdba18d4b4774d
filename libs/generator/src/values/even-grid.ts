import type { Sampler } from '@understudy/random';
import { powerOfTen, rounder } from './round.js';
import type { NumberedValues } from './variety.js';

/** Numbers at equal distances, each with the same probability. */
export interface EvenGrid extends NumberedValues {
  readonly draw: Sampler;
}

const LARGEST_COUNT = 9007199254740992;
const MANTISSA_STEPS = 4503599627370496;

/**
 * Returns a grid of the numbers with at most `precision` decimals from `min` to `max`, both included. The grid
 * is coarser if the doubles near the larger bound are farther apart, or if it would have more than 2^53 numbers.
 * @param precision 0 to 15
 * @returns undefined if no number with that many decimals is in the range
 */
export function evenGrid(min: number, max: number, precision: number): EvenGrid | undefined {
  const scale = powerOfTen(precision);
  let step = ulpOf(Math.max(Math.abs(min), Math.abs(max)));
  if (step * scale <= 1) {
    const grid = gridOf(min, max, scale, (n) => n / scale + 0);
    if (grid.count < 1) return undefined;
    if (grid.count <= LARGEST_COUNT) return grid;
  }
  // Different multiples of a step above 10^-precision stay different when they are rounded.
  while (step * scale <= 1 || max / step - min / step >= LARGEST_COUNT) step *= 2;
  const round = rounder(precision);
  return gridOf(min, max, 1 / step, (n) => round(n * step));
}

/** Returns the values `at(n)` from `min` to `max`. `at` is ascending, and `at(n)` is about `n / perUnit`. */
function gridOf(min: number, max: number, perUnit: number, at: (n: number) => number): EvenGrid {
  let from = Math.round(min * perUnit);
  while (at(from) < min) from += 1;
  while (at(from - 1) >= min) from -= 1;
  let to = Math.round(max * perUnit);
  while (at(to) > max) to -= 1;
  while (at(to + 1) <= max) to += 1;
  const count = to - from + 1;
  const numbered = (number: number): number => at(from + number);
  return { count, at: numbered, draw: (random) => numbered(random.below(count)) };
}

/** Returns the distance from a double to the next larger one, but at least 2^-52. @param value at least 0 */
function ulpOf(value: number): number {
  let power = 1;
  while (value / power >= 2) power *= 2;
  return power / MANTISSA_STEPS;
}
