/** Median, minimum and maximum of the results of several runs. */
export interface Summary {
  readonly median: number;
  readonly min: number;
  readonly max: number;
}

/** Summarizes the results of several runs. @throws Error if there are none */
export function summaryOf(values: readonly number[]): Summary {
  return { median: median(values), min: Math.min(...values), max: Math.max(...values) };
}

/**
 * Divides the two results of each round. A disturbance of the machine usually slows both, so it hardly
 * affects the ratio.
 */
export function ratios(above: readonly number[], below: readonly number[]): Summary {
  return summaryOf(above.map((value, i) => value / (below[i] as number)));
}

/**
 * Returns the median: the middle value, or the mean of the two middle values.
 * @throws Error if there are none
 */
export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  const upper = sorted[middle];
  const lower = sorted[sorted.length % 2 === 0 ? middle - 1 : middle];
  if (upper === undefined || lower === undefined)
    throw new Error('expected at least one value, received none');
  return (upper + lower) / 2;
}
