import type { RandomStream } from '../stream/random-stream.js';

/**
 * Draws one value, which is never NaN or infinite. Has no effect except that it takes the words that it needs
 * from `random`.
 */
export type Sampler = (random: RandomStream) => number;

/**
 * The maximum number of tries of a rejection method that accepts more than half of its tries. All of them
 * fail with a probability below 2^-1000.
 */
export const MAX_TRIES = 1000;

/**
 * Uniform distribution from min to max, both finite. Takes two random words.
 * @throws RangeError if a bound is not finite, or if min is above max
 */
export function uniform(min: number, max: number): Sampler {
  if (!(min <= max && min > -Infinity && max < Infinity)) {
    throw new RangeError('min must be at most max, and both finite');
  }
  return (random) => {
    const share = random.float53();
    // max - min could overflow, so it is not computed. Rounding could leave the range by an ulp.
    return Math.min(max, Math.max(min, min * (1 - share) + max * share));
  };
}
