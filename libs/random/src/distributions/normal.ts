import { log } from '../math/logarithm.js';
import { cos } from '../math/sine.js';
import type { Sampler } from './sampler.js';

const { sqrt } = Math;
const TWO_PI = 6.283185307179586;

/**
 * An upper bound of the distance from 0 of every standard normal draw. With 53 random bits, the distance is
 * below 8.58.
 */
export const NORMAL_REACH = 9;

/**
 * Normal distribution with a mean and a standard deviation, which must not be negative. Uses the cosine half
 * of the method of Box and Muller, so every draw takes four random words. With 53 bits, no draw is farther
 * from the mean than 8.58 standard deviations. In the exact distribution, a farther draw has a probability of
 * 1e-17. Costs a logarithm, a square root and a cosine.
 * @throws RangeError if a parameter is outside of the domain, or if values would overflow
 */
export function normal(mean: number, stddev: number): Sampler {
  if (!(stddev >= 0)) throw new RangeError('stddev must be at least 0');
  if (!Number.isFinite(Math.abs(mean) + NORMAL_REACH * stddev)) {
    throw new RangeError('mean and stddev are so large that values overflow');
  }
  return (random) => {
    const radius = sqrt(-2 * log(1 - random.float53()));
    return mean + stddev * radius * cos(TWO_PI * random.float53());
  };
}

export const standardNormal = normal(0, 1);
