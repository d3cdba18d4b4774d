import { exponential, laplace } from './exponential.js';
import { gamma, logarithmOfGamma } from './gamma.js';
import { normal, NORMAL_REACH, standardNormal } from './normal.js';
import { poisson } from './poisson.js';
import { uniform, type Sampler } from './sampler.js';
import { exp } from '../math/exponential.js';

/** Samplers by exact methods over the library's own functions: the same bits on every machine. */
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

/** Below it for both parameters, all but 1e-97 of the mass lies where a double is 0 or 1. */
const VANISHING = 1e-100;

/**
 * Beta with two parameters above 0, from 0 to 1 both included: X / (X + Y) of two gammas, taken from their
 * logarithms, so that small parameters, whose gammas underflow, keep their two peaks. Costs the two
 * gammas, two logarithms and an exponential.
 * @throws RangeError outside of the domain
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
