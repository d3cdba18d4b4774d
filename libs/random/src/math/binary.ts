const view = new DataView(new ArrayBuffer(8));

/** Returns the unbiased exponent of a normal double: x = m × 2^e with 1 ≤ |m| < 2. */
export function exponentOf(x: number): number {
  view.setFloat64(0, x);
  return ((view.getUint32(0) >>> 20) & 0x7ff) - 1023;
}

/** Replaces the exponent of x by `exponent` (-1022 to 1023), and keeps the sign and the mantissa. */
export function withExponent(x: number, exponent: number): number {
  view.setFloat64(0, x);
  view.setUint32(0, (view.getUint32(0) & 0x800fffff) | ((exponent + 1023) << 20));
  return view.getFloat64(0);
}

/** Returns x × 2^n. It rounds only once, even if the result is subnormal. */
export function scaleByPowerOfTwo(x: number, n: number): number {
  if (n > 1023) return x * withExponent(1, 1023) * withExponent(1, Math.min(n - 1023, 1023));
  if (n >= -1022) return x * withExponent(1, n);
  // Callers pass an x from 1/2 to 2, so the first product stays normal and only the second rounds.
  return x * withExponent(1, -969) * withExponent(1, Math.max(n + 969, -1022));
}
