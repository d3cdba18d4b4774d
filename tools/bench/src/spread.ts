/** The results of several runs. */
export interface Spread {
  readonly median: number;
  readonly min: number;
  readonly max: number;
}

/** Summarizes the results of several runs. @throws Error if there are none */
export function spreadOf(values: readonly number[]): Spread {
  return { median: median(values), min: Math.min(...values), max: Math.max(...values) };
}

/** Divides the two results of each round, because a disturbance slows both runs of a round. */
export function ratios(above: readonly number[], below: readonly number[]): Spread {
  return spreadOf(above.map((value, i) => value / (below[i] as number)));
}

/** Returns the middle of the values, or the mean of the two in the middle. @throws Error if there are none */
export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  const upper = sorted[middle];
  const lower = sorted[sorted.length % 2 === 0 ? middle - 1 : middle];
  if (upper === undefined || lower === undefined) throw new Error('expected at least one value, got none');
  return (upper + lower) / 2;
}
