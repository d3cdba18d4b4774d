import type { RandomStream } from '../stream/random-stream.js';

/** Draws one value. Pure: advances only `random`, by as many words as it needs. Never NaN, never infinite. */
export type Sampler = (random: RandomStream) => number;

/** Tries of a rejection method that accepts more than half of them: all failing has a probability below 2^-1000. */
export const MOST_TRIES = 1000;

/**
 * Uniform from min to max, both finite. Costs two words.
 * @throws RangeError outside of the domain
 */
export function uniform(min: number, max: number): Sampler {
  if (!(min <= max && min > -Infinity && max < Infinity)) {
    throw new RangeError('min must be at most max, and both finite');
  }
  return (random) => {
    const share = random.float53();
    // max - min could overflow; rounding could leave the range by an ulp.
    return Math.min(max, Math.max(min, min * (1 - share) + max * share));
  };
}
