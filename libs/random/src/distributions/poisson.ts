import { exp } from '../math/exponential.js';
import { log } from '../math/logarithm.js';
import { logPoissonProbability } from './poisson-probability.js';
import { MAX_TRIES, type Sampler } from './sampler.js';

/** Up to this mean, doubles represent every count and every half of a count exactly. */
export const LARGEST_POISSON_MEAN = 1e15;
const SMALLEST_FOR_REJECTION = 10;

/**
 * Poisson distribution with a mean above 0 and up to 10^15.
 *
 * For a mean below 10, uses inversion: it adds up the probabilities of 0, 1, 2, … That takes two random
 * words, and time proportional to the mean.
 *
 * For a mean of 10 or more, uses transformed rejection with squeeze (PTRS; Hörmann, "The transformed
 * rejection method for generating Poisson random variables", 1993). Its cost hardly depends on the mean: 1.1
 * to 1.4 tries on average. A try takes four random words, and in some cases three logarithms.
 * @throws RangeError if the mean is outside of the domain
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
      if (next === cumulative) break; // rounding keeps the sum from growing further
      cumulative = next;
    }
    return count;
  };
}

/** Implements PTRS, with the names and constants of the paper. */
function transformedRejection(lambda: number): Sampler {
  const b = 0.931 + 2.53 * Math.sqrt(lambda);
  const a = -0.059 + 0.02483 * b;
  const inverseAlpha = 1.1239 + 1.1328 / (b - 3.4);
  const vr = 0.9277 - 3.6224 / (b - 2);
  return (random) => {
    for (let tries = 0; tries < MAX_TRIES; tries += 1) {
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
