import { log } from '../math/logarithm.js';
import type { Sampler } from './sampler.js';

/** No draw of rate 1 is larger: 53 random bits give at most 36.8. */
const EXPONENTIAL_REACH = 37;

/**
 * Exponential with a rate above 0 and a mean of 1 / rate: inversion. Costs two words and a logarithm.
 * @throws RangeError outside of the domain, or when values would overflow
 */
export function exponential(lambda: number): Sampler {
  if (!(lambda > 0 && lambda < Infinity)) throw new RangeError('lambda must be above 0');
  if (!Number.isFinite(EXPONENTIAL_REACH / lambda)) {
    throw new RangeError('lambda is so small that values overflow');
  }
  return (random) => -log(1 - random.float53()) / lambda;
}

/**
 * Laplace around 0 with a scale of at least 0: an exponential of either sign. Costs three words and a logarithm.
 * @throws RangeError outside of the domain, or when values would overflow
 */
export function laplace(scale: number): Sampler {
  if (!(scale >= 0)) throw new RangeError('scale must be at least 0');
  if (!Number.isFinite(EXPONENTIAL_REACH * scale)) {
    throw new RangeError('scale is so large that values overflow');
  }
  return (random) => {
    const signed = random.uint32() % 2 === 0 ? scale : -scale;
    return -log(1 - random.float53()) * signed;
  };
}
