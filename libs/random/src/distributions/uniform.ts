import type { Sampler } from './sampler.js';

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
