const MAX_SUM = 0xffffffff;

/** Whether counts with this sum can stand as they are. */
export function fitsCounts(sum: number): boolean {
  return sum <= MAX_SUM;
}

/** Whole counts whose sum fits 32 bits: the weights divided by the smallest power of two that does it, each at least 1. */
export function scaleCounts(weights: Float64Array): Float64Array {
  for (let divisor = 1; ; divisor *= 2) {
    const scaled =
      divisor === 1 ? weights : weights.map((weight) => Math.max(1, Math.floor(weight / divisor)));
    if (fitsCounts(scaled.reduce((sum, count) => sum + count, 0))) return scaled;
  }
}
