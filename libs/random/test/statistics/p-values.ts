import type { Cdf } from './distribution-functions.js';
import { erfc, gammaQ } from './special-functions.js';

/**
 * The accepted probability, over all seeds, that a test of a correct sampler fails. The seeds are fixed, so a
 * given test either always fails or never fails. Tests are two-sided, because a fit that is too good shows
 * that draws repeat or alternate.
 */
export const FALSE_ALARM = 1e-6;

export function expectPlausible(pValue: number): void {
  expect(pValue).toBeGreaterThan(FALSE_ALARM / 2);
  expect(pValue).toBeLessThan(1 - FALSE_ALARM / 2);
}

/** Pearson's chi-square test of counts against their probabilities (which sum to 1). */
export function chiSquarePValue(counts: ArrayLike<number>, probabilities: readonly number[]): number {
  const observed = Array.from(counts);
  const total = observed.reduce((sum, count) => sum + count, 0);
  const leastExpected = Math.min(...probabilities) * total;
  if (leastExpected < 5)
    throw new RangeError(`a cell expects only ${leastExpected} draws: merge cells or draw more`);
  const statistic = probabilities.reduce((sum, probability, i) => {
    const expected = probability * total;
    return sum + ((observed[i] ?? 0) - expected) ** 2 / expected;
  }, 0);
  return gammaQ((probabilities.length - 1) / 2, statistic / 2);
}

/**
 * Chi-square test of independence for a table of counts. The array contains the rows of the table one after
 * the other.
 */
export function independencePValue(table: ArrayLike<number>, rows: number): number {
  const columns = table.length / rows;
  const rowSums = new Float64Array(rows);
  const columnSums = new Float64Array(columns);
  let total = 0;
  for (let i = 0; i < table.length; i += 1) {
    const count = table[i] ?? 0;
    const row = Math.floor(i / columns);
    rowSums[row] = (rowSums[row] ?? 0) + count;
    columnSums[i % columns] = (columnSums[i % columns] ?? 0) + count;
    total += count;
  }
  let statistic = 0;
  for (let i = 0; i < table.length; i += 1) {
    const expected = ((rowSums[Math.floor(i / columns)] ?? 0) * (columnSums[i % columns] ?? 0)) / total;
    if (expected < 5) throw new RangeError(`a cell expects only ${expected} draws: merge cells or draw more`);
    statistic += ((table[i] ?? 0) - expected) ** 2 / expected;
  }
  return gammaQ(((rows - 1) * (columns - 1)) / 2, statistic / 2);
}

/**
 * The number of points at which the distance between the sample and the distribution is measured. Between two
 * points the distance can be larger, but not enough to change the result.
 */
const KOLMOGOROV_POINTS = 2000;

/**
 * Kolmogorov-Smirnov test of a sample against a continuous distribution.
 * @param step the rounding of the values: a value represents all values within half a step
 */
export function kolmogorovPValue(values: Float64Array, cdf: Cdf, step = 0): number {
  const sorted = values.slice().sort();
  const n = sorted.length;
  const stride = Math.ceil(n / KOLMOGOROV_POINTS);
  let distance = 0;
  for (let start = 0; start < n;) {
    const value = sorted[start] ?? NaN;
    let end = start + 1;
    while (end < n && sorted[end] === value) end += 1;
    const below = cdf(value - step / 2);
    const upTo = step === 0 ? below : cdf(value + step / 2);
    if (Number.isNaN(below) || Number.isNaN(upTo)) return NaN;
    distance = Math.max(distance, Math.abs(below - start / n), Math.abs(upTo - end / n));
    start = Math.max(end, start + stride);
    // The next point is the first of a group of equal values, because these are counted together.
    while (start > end && sorted[start] === sorted[start - 1]) start -= 1;
  }
  const root = Math.sqrt(n);
  return kolmogorovQ((root + 0.12 + 0.11 / root) * distance); // Stephens' correction for finite n
}

/** Tests that two samples of equal length do not correlate. If they do not, r √n is standard normal. */
export function correlationPValue(x: Float64Array, y: Float64Array): number {
  return erfc(Math.abs(correlation(x, y) * Math.sqrt(x.length)) / Math.SQRT2);
}

/** Pearson's r. */
export function correlation(x: Float64Array, y: Float64Array): number {
  const meanX = mean(x);
  const meanY = mean(y);
  let xx = 0;
  let yy = 0;
  let xy = 0;
  for (let i = 0; i < x.length; i += 1) {
    const dx = (x[i] ?? NaN) - meanX;
    const dy = (y[i] ?? NaN) - meanY;
    xx += dx * dx;
    yy += dy * dy;
    xy += dx * dy;
  }
  return xy / Math.sqrt(xx * yy);
}

export function mean(values: Float64Array): number {
  let sum = 0;
  for (let i = 0; i < values.length; i += 1) sum += values[i] ?? NaN;
  return sum / values.length;
}

/**
 * Returns the upper tail of Kolmogorov's distribution. Two series exist; uses the one that converges faster.
 */
export function kolmogorovQ(lambda: number): number {
  if (lambda < 1.18) {
    const y = Math.exp(-(Math.PI ** 2) / (8 * lambda * lambda));
    const cdf = (Math.sqrt(2 * Math.PI) / lambda) * (y + y ** 9 + y ** 25 + y ** 49);
    return 1 - cdf;
  }
  const x = Math.exp(-2 * lambda * lambda);
  return 2 * (x - x ** 4 + x ** 9 - x ** 16);
}
