import { log } from '../math/logarithm.js';
import { cos } from '../math/sine.js';
import type { Sampler } from './sampler.js';

const { sqrt } = Math;
const TWO_PI = 6.283185307179586;

/** No standard normal draw lies farther from 0: 53 random bits give at most 8.58. */
export const NORMAL_REACH = 9;

/**
 * Normal with a mean and a standard deviation of at least 0: Box and Muller (1958), the cosine half, so that a draw
 * takes four words, always. The tail ends at 8.57 standard deviations, where 53 bits do; beyond it lies 1e-17.
 * Costs a logarithm, a root and a cosine.
 * @throws RangeError outside of the domain, or when values would overflow
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
