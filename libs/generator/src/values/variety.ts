import { math } from '@understudy/random';

/** How many different values a generator has to give. */
export interface Variety {
  /** Never more than so many; Infinity where there is no telling. */
  readonly most: number;
  /**
   * How many different ones come out before nine of ten draws give one that came out before: `unique` may be asked for
   * so many without fear.
   */
  readonly easy: number;
}

const NEW_SHARE = 0.1;

/** Of values that are equally likely. */
export function evenVariety(values: number): Variety {
  return { most: values, easy: Math.ceil(values * (1 - NEW_SHARE)) };
}

/**
 * Of values with these weights, one for each different value, at least one above 0.
 * Cost: some sixty steps over the different weights.
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

/** What is known of a generator's values besides their number. */
export interface ValueTraits {
  /**
   * Set where two rows have the same value with a probability of at most 2^-90, whatever else they hold: uuids, long
   * nanoids, texts with one in them. `length` is in characters, undefined when it is not always the same.
   */
  readonly collisionFree?: { readonly length: number | undefined };
  /** Set where every value has a number. */
  readonly numbered?: NumberedValues;
  /** Rows with other numbers have other values. */
  readonly neverRepeats?: true;
}

/** All values of a generator, each once. */
export interface NumberedValues {
  /** At most 2^53. */
  readonly count: number;
  /** @param number 0 to count - 1 */
  readonly at: (number: number) => unknown;
  /** Set where they are the integers from this one on, in order. */
  readonly from?: number;
}
