import { exp } from '../exponential.js';
import { logarithmOfGamma } from './gamma.js';
import type { Sampler } from './sampler.js';

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
