/** Weights of a blend add up to this, but for rounding. */
const TOTAL = 1_000_000;

/**
 * Puts sources together, each with its share of all weight; a value of two sources has the weight of both.
 * @param parts pairs of `{ origin, values }` and share
 * @returns pairs of value and weight, a whole number from 1, in the order met
 */
export function blend(parts) {
  const shares = parts.reduce((sum, [, share]) => sum + share, 0);
  const weights = new Map();
  for (const [{ values }, share] of parts) {
    const whole = values.reduce((sum, [, weight]) => sum + weight, 0);
    for (const [value, weight] of values) {
      weights.set(value, (weights.get(value) ?? 0) + ((weight / whole) * share) / shares);
    }
  }
  return [...weights].map(([value, weight]) => [value, Math.max(1, Math.round(weight * TOTAL))]);
}
