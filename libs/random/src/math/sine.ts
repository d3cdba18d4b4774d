// The global is read only once. In a test runner that intercepts globals, a lookup costs more than the rest
// of a sine.
const { floor } = Math;

// π/2 in three parts of 33 bits each, so that a quadrant count of up to 20 bits times a part is exact.
const HALF_PI_1 = 1.5707963267341256;
const HALF_PI_2 = 6.077100506303966e-11;
const HALF_PI_3 = 2.0222662487959506e-21;
const TWO_OVER_PI = 0.6366197723675814;

// 1 / (n (n - 1)), the ratio of a term of the series to the term before it, highest first.
const SIN_STEPS = Float64Array.from([19, 17, 15, 13, 11, 9, 7, 5, 3], (n) => 1 / (n * (n - 1)));
const COS_STEPS = Float64Array.from([20, 18, 16, 14, 12, 10, 8, 6, 4], (n) => 1 / (n * (n - 1)));

/** The largest |x| that sin and cos accept. */
export const LARGEST_ANGLE = 1e6;

/**
 * Returns the sine within 1 ulp. Near the zeros of the sine, the bound is an absolute error of 2^-70 instead.
 * @throws RangeError if |x| is larger than 10^6
 */
export function sin(x: number): number {
  const { quadrant, high, low } = reduce(x);
  if (quadrant === 0) return sinSmall(high, low);
  if (quadrant === 1) return cosSmall(high, low);
  return quadrant === 2 ? -sinSmall(high, low) : -cosSmall(high, low);
}

/** Returns the cosine, with the domain and the accuracy of `sin`. */
export function cos(x: number): number {
  const { quadrant, high, low } = reduce(x);
  if (quadrant === 0) return cosSmall(high, low);
  if (quadrant === 1) return -sinSmall(high, low);
  return quadrant === 2 ? -cosSmall(high, low) : sinSmall(high, low);
}

/** Returns x as n π/2 + high + low with |high| ≤ π/4; the quadrant is n mod 4. (Cody and Waite) */
function reduce(x: number): { quadrant: number; high: number; low: number } {
  if (!(x >= -LARGEST_ANGLE && x <= LARGEST_ANGLE)) {
    if (Number.isNaN(x)) return { quadrant: 0, high: NaN, low: 0 };
    throw new RangeError('the angle must be from -10^6 to 10^6');
  }
  const n = floor(x * TWO_OVER_PI + 0.5);
  const first = x - n * HALF_PI_1;
  const second = n * HALF_PI_2;
  const middle = first - second;
  const lost = first - middle - second;
  const high = middle + (lost - n * HALF_PI_3);
  return { quadrant: n & 3, high, low: middle - high + (lost - n * HALF_PI_3) };
}

/**
 * Taylor series of sin(x + low) for |x| ≤ π/4. `low` is the part of the angle that is below x's precision.
 */
function sinSmall(x: number, low: number): number {
  const z = x * x;
  let series = 0;
  for (let i = 0; i < SIN_STEPS.length; i += 1) series = z * (SIN_STEPS[i] ?? 0) * (1 - series);
  return x - (x * series - low * (1 - 0.5 * z));
}

/** Taylor series of cos for |x| ≤ π/4. */
function cosSmall(x: number, low: number): number {
  const z = x * x;
  let series = 0;
  for (let i = 0; i < COS_STEPS.length; i += 1) series = z * (COS_STEPS[i] ?? 0) * (1 - series);
  // series = z/12 - …; cos x = 1 - z/2 (1 - series). The last line adds the rounding error of 1 - z/2 again.
  const half = 0.5 * z;
  const w = 1 - half;
  return w + (1 - w - half + (half * series - x * low));
}
