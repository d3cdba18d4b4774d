const POWERS_OF_TEN: readonly number[] = Array.from({ length: 16 }, (_, i) => Number(`1e${i}`));

/**
 * Rounds to so many decimals: the quotient of two whole numbers is the double nearest to that decimal.
 * Values too large to have them stay as they are.
 * @param digits 0 to 15
 */
export function rounder(digits: number): (value: number) => number {
  const scale = POWERS_OF_TEN[digits] ?? 1;
  return (value) => {
    const scaled = Math.round(value * scale);
    return Number.isSafeInteger(scaled) ? scaled / scale + 0 : value;
  };
}
