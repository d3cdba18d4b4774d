import { exp, expOfSum } from './exponential.js';
import { log, log1p, nearOne } from './logarithm.js';
import { cos, sin } from './sine.js';
import { add, divide, multiply, twoProduct, twoSum, type DoubleDouble } from './double-double.js';

/**
 * Replacements for functions of `Math` whose results can differ in the last bit between JavaScript engines.
 * The replacements use only additions, multiplications, divisions and square roots, which IEEE 754 defines
 * exactly. So their results have the same bits on every machine.
 */
export const math = Object.freeze({
  exp,
  log,
  log1p,
  pow,
  sin,
  cos,
  /**
   * IEEE 754 requires a correctly rounded square root, so the engine's function gives the same bits
   * everywhere.
   */
  sqrt: (x: number): number => Math.sqrt(x),
});

// ln 2 to 106 bits.
const LN2: DoubleDouble = { hi: 0.6931471805599453, lo: 2.3190468138462996e-17 };

/**
 * Returns x to the power y, within 1 ulp. The special cases are those of ECMAScript's `**`. The logarithm of
 * x is computed to about 100 bits, because the relative error of the power is y log x times that of the
 * logarithm. A call costs about a microsecond, so do not call this function repeatedly for one cell.
 */
export function pow(x: number, y: number): number {
  if (y === 0) return 1;
  if (Number.isNaN(x) || Number.isNaN(y)) return NaN;
  const ax = Math.abs(x);
  if (!Number.isFinite(y)) {
    if (ax === 1) return NaN;
    return ax > 1 === y > 0 ? Infinity : 0;
  }
  const odd = Number.isInteger(y) && Math.abs(y % 2) === 1;
  const negative = odd && (x < 0 || Object.is(x, -0));
  if (ax === 0 || ax === Infinity) {
    const size = (ax === 0) === y > 0 ? 0 : Infinity;
    return negative ? -size : size;
  }
  if (x < 0 && !Number.isInteger(y)) return NaN;
  const size = positivePower(ax, y);
  return negative ? -size : size;
}

function positivePower(x: number, y: number): number {
  if (x === 1) return 1;
  const logarithm = logDoubleDouble(x);
  const estimate = y * logarithm.hi;
  if (estimate > 720) return Infinity;
  if (estimate < -760) return 0;
  if (Math.abs(estimate) < 1e-20) return 1;
  const product = twoProduct(y, logarithm.hi);
  const exponent = twoSum(product.hi, product.lo + y * logarithm.lo);
  return expOfSum(exponent.hi, exponent.lo);
}

/**
 * Returns log x, computed as k ln 2 + 2 atanh((m - 1) / (m + 1)) for x = m × 2^k. The series of atanh is
 * summed in double-double arithmetic.
 */
function logDoubleDouble(x: number): DoubleDouble {
  const { mantissa, exponent } = nearOne(x);
  const s = divide({ hi: mantissa - 1, lo: 0 }, twoSum(mantissa, 1));
  const z = multiply(s, s);
  let series: DoubleDouble = { hi: 0, lo: 0 };
  // |z| ≤ 0.0295: the first term left out is below 2^-110.
  for (let n = 43; n >= 1; n -= 2) {
    series = add(n === 43 ? series : multiply(series, z), divide({ hi: 2, lo: 0 }, { hi: n, lo: 0 }));
  }
  const whole = multiply({ hi: exponent, lo: 0 }, LN2);
  return add(whole, multiply(series, s));
}
