const POWERS_OF_TEN: readonly number[] = Array.from({ length: 16 }, (_, i) => Number(`1e${i}`));

/**
 * Returns a function that rounds to a number of decimals. The result is the double nearest to the decimal
 * number, computed as the quotient of two whole numbers. Values that are too large to have decimals stay
 * unchanged.
 * @param digits 0 to 15
 */
export function rounder(digits: number): (value: number) => number {
  const scale = powerOfTen(digits);
  return (value) => {
    const scaled = Math.round(value * scale);
    return Number.isSafeInteger(scaled) ? scaled / scale + 0 : value;
  };
}

/** @param exponent 0 to 15 */
export function powerOfTen(exponent: number): number {
  return POWERS_OF_TEN[exponent] ?? 1;
}
