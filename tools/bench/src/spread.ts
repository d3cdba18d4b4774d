import { median } from './median.js';

/** What several runs of one thing gave. */
export interface Spread {
  readonly median: number;
  readonly min: number;
  readonly max: number;
}

/** Throws when there are no values. */
export function spreadOf(values: readonly number[]): Spread {
  return { median: median(values), min: Math.min(...values), max: Math.max(...values) };
}

/** Of each round's own pair: what slows one round slows both of its runs. */
export function ratios(above: readonly number[], below: readonly number[]): Spread {
  return spreadOf(above.map((value, i) => value / (below[i] as number)));
}
