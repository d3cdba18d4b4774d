const POWERS_OF_TEN: readonly number[] = Array.from({ length: 16 }, (_, i) => Number(`1e${i}`));

/**
 * Returns a function that rounds to a number of decimals. The result is the double nearest to the decimal
 * number, computed as the quotient of two whole numbers. Values that are too large to have decimals stay
 * unchanged.
 * @param digits 0 to 15
 */
export function rounder(digits: number): (value: number) => number {
  return rounding(digits).round;
}

/**
 * Like `rounder`, with two further functions: `roundUp` never returns less than its argument, `roundDown`
 * never more.
 */
export function rounding(digits: number): Record<'round' | 'roundUp' | 'roundDown', Rounding> {
  const scale = POWERS_OF_TEN[digits] ?? 1;
  const round: Rounding = (value) => {
    const scaled = Math.round(value * scale);
    return Number.isSafeInteger(scaled) ? scaled / scale + 0 : value;
  };
  const next = (value: number, step: 1 | -1): number => (Math.round(value * scale) + step) / scale + 0;
  return {
    round,
    roundUp: (value) => (round(value) < value ? next(value, 1) : round(value)),
    roundDown: (value) => (round(value) > value ? next(value, -1) : round(value)),
  };
}

type Rounding = (value: number) => number;
