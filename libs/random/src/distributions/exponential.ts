import { log } from '../math/logarithm.js';
import type { Sampler } from './sampler.js';

/** An upper bound of every draw with rate 1. The largest draw from 53 random bits is 36.8. */
const EXPONENTIAL_REACH = 37;

/**
 * Exponential distribution with a rate above 0; its mean is 1 / rate. Uses inversion. Takes two random words,
 * and costs a logarithm.
 * @throws RangeError if the rate is outside of the domain, or if values would overflow
 */
export function exponential(lambda: number): Sampler {
  if (!(lambda > 0 && lambda < Infinity)) throw new RangeError('lambda must be above 0');
  if (!Number.isFinite(EXPONENTIAL_REACH / lambda)) {
    throw new RangeError('lambda is so small that values overflow');
  }
  return (random) => -log(1 - random.float53()) / lambda;
}

/**
 * Laplace distribution around 0 with a scale of at least 0: an exponential draw with a random sign. Takes
 * three random words, and costs a logarithm.
 * @throws RangeError if the scale is outside of the domain, or if values would overflow
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
