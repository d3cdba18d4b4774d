import { scaleByPowerOfTwo } from './binary.js';

// ln 2 in two parts. The first part ends in 32 zero bits, so k × LN2_HI is exact for every exponent k.
const LN2_HI = 0.69314718036912381649;
const LN2_LO = 1.90821492927058770002e-10;
const INVERSE_LN2 = 1.4426950408889634;

/** Returns e^x, within 1 ulp. */
export function exp(x: number): number {
  return expOfSum(x, 0);
}

/** Returns e^(x + tail). The tail must be small compared with x. */
export function expOfSum(x: number, tail: number): number {
  if (Number.isNaN(x)) return NaN;
  if (x > 709.8) return Infinity;
  if (x < -745.2) return 0;
  const k = Math.floor(x * INVERSE_LN2 + 0.5);
  const high = x - k * LN2_HI;
  const low = k * LN2_LO - tail;
  const r = high - low; // |r| ≤ ln 2 / 2
  const lost = high - r - low;
  return scaleByPowerOfTwo(1 + (r + (lost + r * r * seriesAfterLinear(r))), k);
}

/**
 * Returns (e^r - 1 - r) / r² for |r| ≤ 0.35. Sums the Taylor series up to r^13 / 15!; the next term is below
 * 2^-60.
 */
function seriesAfterLinear(r: number): number {
  let sum = 0;
  for (let n = 15; n >= 2; n -= 1) sum = sum * r + (INVERSE_FACTORIALS[n] ?? 0);
  return sum;
}

const INVERSE_FACTORIALS = Float64Array.from({ length: 16 }, (_, n) => {
  let factorial = 1;
  for (let i = 2; i <= n; i += 1) factorial *= i;
  return 1 / factorial;
});
