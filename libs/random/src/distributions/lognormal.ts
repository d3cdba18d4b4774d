import { exp } from '../exponential.js';
import { NORMAL_REACH, standardNormal } from './normal.js';
import type { Sampler } from './sampler.js';

const LARGEST_EXPONENT = 709;

/**
 * e to a normal of mean mu and standard deviation sigma (at least 0). Costs a normal and an
 * exponential.
 * @throws RangeError outside of the domain, or when mu + 9 sigma is above 709: values would overflow
 */
export function lognormal(mu: number, sigma: number): Sampler {
  if (!(sigma >= 0)) throw new RangeError('sigma must be at least 0');
  if (!(mu + NORMAL_REACH * sigma <= LARGEST_EXPONENT)) {
    throw new RangeError(
      `mu and sigma are so large that values overflow: mu + ${NORMAL_REACH} sigma is at most ${LARGEST_EXPONENT}`,
    );
  }
  return (random) => exp(mu + sigma * standardNormal(random));
}
