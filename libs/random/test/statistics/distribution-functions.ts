import { betaI, erfc, gammaP, gammaQ } from './special-functions.js';

/** A cumulative distribution function. Returns the probability that a value is at most x. */
export type Cdf = (x: number) => number;

export const normalCdf =
  (mean: number, stddev: number): Cdf =>
  (x) =>
    0.5 * erfc((mean - x) / (stddev * Math.SQRT2));

export const lognormalCdf = (mu: number, sigma: number): Cdf => {
  const ofLogarithm = normalCdf(mu, sigma);
  return (x) => (x <= 0 ? 0 : ofLogarithm(Math.log(x)));
};

export const exponentialCdf =
  (lambda: number): Cdf =>
  (x) =>
    x <= 0 ? 0 : -Math.expm1(-lambda * x);

export const laplaceCdf =
  (scale: number): Cdf =>
  (x) =>
    x < 0 ? 0.5 * Math.exp(x / scale) : 1 - 0.5 * Math.exp(-x / scale);

export const uniformCdf =
  (min: number, max: number): Cdf =>
  (x) =>
    Math.min(1, Math.max(0, (x - min) / (max - min)));

export const gammaCdf =
  (shape: number, scale: number): Cdf =>
  (x) =>
    gammaP(shape, x / scale);

export const betaCdf =
  (alpha: number, beta: number): Cdf =>
  (x) =>
    betaI(alpha, beta, x);

/** Returns the cumulative distribution function of a Poisson distribution. Non-whole x are rounded down. */
export const poissonCdf =
  (lambda: number): Cdf =>
  (x) =>
    x < 0 ? 0 : gammaQ(Math.floor(x) + 1, lambda);
