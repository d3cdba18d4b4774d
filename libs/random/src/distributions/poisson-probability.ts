import { log } from '../math/logarithm.js';

const TWO_PI = 6.283185307179586;
const HALF_LOG_TWO_PI = 0.9189385332046728;
const MAX_TERMS = 30;

/**
 * Returns the logarithm of the probability of k events if lambda events are expected. The relative error is
 * about 1e-15, even for k and lambda of 15 digits. Uses Loader's saddle-point form (2000). The textbook
 * formula with log k! would lose digits, because it subtracts numbers of the size of k log k.
 * @param k a whole number from 0
 */
export function logPoissonProbability(k: number, lambda: number): number {
  if (k === 0) return -lambda;
  return -stirlingError(k) - deviance(k, lambda) - 0.5 * log(TWO_PI * k);
}

/** log k! - log(√(2πk) (k/e)^k) */
function stirlingError(k: number): number {
  if (k < SMALL_ERRORS.length) return SMALL_ERRORS[k] ?? 0;
  const square = k * k;
  // The first term left out is below 1e-16.
  return (1 / 12 - (1 / 360 - (1 / 1260 - (1 / 1680 - 1 / 1188 / square) / square) / square) / square) / k;
}

/** k log(k / lambda) + lambda - k. Uses a series if the difference would lose its digits. */
function deviance(k: number, lambda: number): number {
  const difference = k - lambda;
  if (Math.abs(difference) >= 0.1 * (k + lambda)) return k * log(k / lambda) - difference;
  const v = difference / (k + lambda);
  let sum = difference * v;
  let term = 2 * k * v;
  for (let n = 1; n <= MAX_TERMS; n += 1) {
    term *= v * v;
    const next = sum + term / (2 * n + 1);
    if (next === sum) break;
    sum = next;
  }
  return sum;
}

/** The results of `stirlingError` for k from 0 to 15, computed from the exact factorials. */
const SMALL_ERRORS = Float64Array.from({ length: 16 }, (_, k) => {
  let factorial = 1;
  for (let i = 2; i <= k; i += 1) factorial *= i;
  return k === 0 ? 0 : log(factorial) - (k + 0.5) * log(k) + k - HALF_LOG_TWO_PI;
});
