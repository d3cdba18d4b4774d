import { math } from '@understudy/random';

/** The number of different values that a generator can give. */
export interface Variety {
  /** An upper bound. Infinity if it is unknown. */
  readonly most: number;
  /**
   * The number of different values after which nine of ten draws repeat an earlier value. `unique` works well
   * up to this number.
   */
  readonly easy: number;
}

const NEW_SHARE = 0.1;

/** Returns the variety of a generator that has `values` equally likely values. */
export function evenVariety(values: number): Variety {
  return { most: values, easy: Math.ceil(values * (1 - NEW_SHARE)) };
}

/**
 * Returns the variety of values with the given weights. Each weight belongs to a different value, and at
 * least one must be above 0. Takes about sixty passes over the distinct weights.
 */
export function weightedVariety(weights: Iterable<number>): Variety {
  const counts = new Map<number, number>();
  let most = 0;
  let total = 0;
  for (const weight of weights) {
    if (weight <= 0) continue;
    counts.set(weight, (counts.get(weight) ?? 0) + 1);
    most += 1;
    total += weight;
  }
  if (counts.size === 1) return evenVariety(most);
  const groups = [...counts].map(([weight, count]) => {
    const p = weight / total;
    return { p, count, logMiss: math.log1p(-p) };
  });
  const missed = (logMiss: number, draws: number): number => math.exp(Math.max(-700, draws * logMiss));
  const newShare = (draws: number): number =>
    groups.reduce((sum, { p, count, logMiss }) => sum + count * p * missed(logMiss, draws), 0);
  let draws = 1;
  while (newShare(draws) > NEW_SHARE) draws *= 2;
  for (let step = draws / 4; step >= draws / 256; step /= 2) {
    if (newShare(draws - step) <= NEW_SHARE) draws -= step;
  }
  const drawn = groups.reduce((sum, { count, logMiss }) => sum + count * (1 - missed(logMiss, draws)), 0);
  return { most, easy: Math.max(1, Math.floor(drawn)) };
}

/** Known properties of a generator's values. */
export interface ValueTraits {
  /**
   * Set if two rows have the same value with a probability of at most 2^-90, independent of other columns.
   * Examples are uuids, long nanoids, and texts that contain one. `length` is in characters; undefined if it
   * varies.
   */
  readonly collisionFree?: { readonly length: number | undefined };
  /**
   * Set if each value can be computed from a whole number. Consecutive numbers from 0 then give all values.
   */
  readonly numbered?: NumberedValues;
  /** Set instead of `numbered` if different numbers may give the same value, because a transform is applied. */
  readonly transformed?: NumberedValues;
  /** True if two rows with different numbers never have the same value. */
  readonly neverRepeats?: true;
}

/** All values of a generator, each exactly once. */
export interface NumberedValues {
  /** At most 2^53. */
  readonly count: number;
  /** @param number 0 to count - 1 */
  readonly at: (number: number) => unknown;
  /** Set if the values are consecutive integers of at most 2^53 - 1; this is the first. */
  readonly from?: number;
}

/** Returns the integers from `from` to `from + count - 1`. */
export function consecutive(from: number, count: number): NumberedValues {
  return { count, from, at: (number) => from + number };
}
