import { exponentOf, withExponent } from './binary.js';

const LN2_HI = 0.69314718036912381649;
const LN2_LO = 1.90821492927058770002e-10;
const SQRT_2 = 1.4142135623730951;
const SMALLEST_NORMAL = 2.2250738585072014e-308;
const LARGEST = Number.MAX_VALUE;
const TWO_54 = 18014398509481984;
/**
 * The coefficients of the series of 2 atanh s without its first term: 2/27, 2/25, … 2/3, highest power first.
 */
const SERIES = Float64Array.from({ length: 13 }, (_, i) => 2 / (27 - 2 * i));

/** Returns the natural logarithm within 1 ulp. The result is NaN for x < 0 and -Infinity for x = 0. */
export function log(x: number): number {
  if (!(x > 0 && x <= LARGEST)) return logOfEdge(x);
  const { mantissa, exponent } = nearOne(x);
  return logOnePlus(mantissa - 1, exponent, 0);
}

function logOfEdge(x: number): number {
  if (x === 0) return -Infinity;
  return x === Infinity ? Infinity : NaN;
}

/** Returns log(1 + x) within 2 ulp, even if 1 + x would be rounded. */
export function log1p(x: number): number {
  if (Number.isNaN(x) || x < -1) return NaN;
  if (x === -1) return -Infinity;
  if (x === Infinity) return Infinity;
  if (Math.abs(x) < 1e-17) return x;
  if (x > -0.29 && x < 0.41) return logOnePlus(x, 0, 0);
  const sum = 1 + x;
  const lost = x > 1 ? 1 - (sum - x) : x - (sum - 1);
  const { mantissa, exponent } = nearOne(sum);
  return logOnePlus(mantissa - 1, exponent, lost / sum);
}

/** Returns x = mantissa × 2^exponent with √½ ≤ mantissa < √2. */
export function nearOne(x: number): { mantissa: number; exponent: number } {
  const scaled = x < SMALLEST_NORMAL ? x * TWO_54 : x;
  const exponent = exponentOf(scaled);
  const mantissa = withExponent(scaled, 0);
  const shift = x < SMALLEST_NORMAL ? -54 : 0;
  return mantissa >= SQRT_2
    ? { mantissa: mantissa / 2, exponent: exponent + 1 + shift }
    : { mantissa, exponent: exponent + shift };
}

/**
 * Returns log(1 + f) + k ln 2 + correction.
 *
 * With s = f / (2 + f), log(1 + f) is 2 atanh s = f - f²/2 + s (f²/2 + R), where R is the series
 * with the coefficients {@link SERIES}. This arrangement, from fdlibm's e_log.c, keeps the rounding of f² out
 * of the leading term.
 */
function logOnePlus(f: number, k: number, correction: number): number {
  const s = f / (2 + f);
  const z = s * s;
  let series = 0;
  for (let i = 0; i < SERIES.length; i += 1) series = (series + (SERIES[i] ?? 0)) * z;
  const half = 0.5 * f * f;
  return k * LN2_HI - (half - (s * (half + series) + (k * LN2_LO + correction)) - f);
}
