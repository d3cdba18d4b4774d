import { exp } from '../math/exponential.js';
import { log } from '../math/logarithm.js';
import { logPoissonProbability } from './poisson-probability.js';
import { MOST_TRIES, type Sampler } from './sampler.js';

/** Up to here every count is an exact whole number, and so is half of one. */
export const LARGEST_POISSON_MEAN = 1e15;
const SMALLEST_FOR_REJECTION = 10;

/**
 * Poisson with a mean above 0 and up to 10^15. A mean below 10: inversion from the first count on, two words, cost
 * in proportion to the mean. From 10: transformed rejection with squeeze (PTRS; Hörmann, "The transformed rejection
 * method for generating Poisson random variables", 1993), the same cost for any mean: 1.1 to 1.4 tries of four words,
 * some of them with three logarithms.
 * @throws RangeError outside of the domain
 */
export function poisson(lambda: number): Sampler {
  if (!(lambda > 0 && lambda <= LARGEST_POISSON_MEAN)) {
    throw new RangeError('lambda must be above 0 and at most 10^15');
  }
  return lambda < SMALLEST_FOR_REJECTION ? inversion(lambda) : transformedRejection(lambda);
}

function inversion(lambda: number): Sampler {
  const none = exp(-lambda);
  return (random) => {
    const target = random.float53();
    let probability = none;
    let cumulative = none;
    let count = 0;
    while (target >= cumulative) {
      count += 1;
      probability *= lambda / count;
      const next = cumulative + probability;
      if (next === cumulative) break; // the sum has come as near to 1 as it will
      cumulative = next;
    }
    return count;
  };
}

/** Names and constants are the paper's. */
function transformedRejection(lambda: number): Sampler {
  const b = 0.931 + 2.53 * Math.sqrt(lambda);
  const a = -0.059 + 0.02483 * b;
  const inverseAlpha = 1.1239 + 1.1328 / (b - 3.4);
  const vr = 0.9277 - 3.6224 / (b - 2);
  return (random) => {
    for (let tries = 0; tries < MOST_TRIES; tries += 1) {
      const u = random.float53() - 0.5;
      const v = 1 - random.float53();
      const us = 0.5 - Math.abs(u);
      const k = Math.floor(((2 * a) / us + b) * u + lambda + 0.43);
      if (us >= 0.07 && v <= vr) return k;
      if (k < 0 || (us < 0.013 && v > us)) continue;
      if (log((v * inverseAlpha) / (a / (us * us) + b)) <= logPoissonProbability(k, lambda)) return k;
    }
    return Math.floor(lambda);
  };
}
