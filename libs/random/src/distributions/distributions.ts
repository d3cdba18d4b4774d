import { exponential, laplace } from './exponential.js';
import { gamma, logarithmOfGamma } from './gamma.js';
import { normal, NORMAL_REACH, standardNormal } from './normal.js';
import { poisson } from './poisson.js';
import { uniform, type Sampler } from './sampler.js';
import { exp } from '../math/exponential.js';

/**
 * Samplers that use exact methods and only the mathematical functions of this library. So their results have
 * the same bits on every machine.
 */
export const distributions = Object.freeze({
  beta,
  exponential,
  gamma,
  laplace,
  lognormal,
  normal,
  poisson,
  uniform,
});

/**
 * If both parameters are below this value, every draw rounds to 0 or 1, except with a probability of 1e-97.
 */
const VANISHING = 1e-100;

/**
 * Beta distribution on [0, 1] with two parameters above 0. The value is X / (X + Y) for two gamma draws X and
 * Y. It is computed from the logarithms of X and Y, because X and Y underflow to 0 for small parameters.
 * Costs two gamma draws, two logarithms and an exponential.
 * @throws RangeError if a parameter is outside of the domain
 */
export function beta(alpha: number, betaShape: number): Sampler {
  if (!(alpha > 0 && alpha < Infinity)) throw new RangeError('alpha must be above 0');
  if (!(betaShape > 0 && betaShape < Infinity)) throw new RangeError('beta must be above 0');
  if (alpha < VANISHING && betaShape < VANISHING) {
    const ofOne = alpha / (alpha + betaShape);
    return (random) => (random.float53() < ofOne ? 1 : 0);
  }
  const first = logarithmOfGamma(alpha);
  const second = logarithmOfGamma(betaShape);
  return (random) => {
    const logX = first(random);
    return 1 / (1 + exp(second(random) - logX));
  };
}

const LARGEST_EXPONENT = 709;

/**
 * Lognormal distribution: e to the power of a normal with mean mu and standard deviation sigma (at least 0).
 * Costs a normal draw and an exponential.
 * @throws RangeError if sigma is negative, or if mu + 9 sigma is above 709, because values could overflow
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
