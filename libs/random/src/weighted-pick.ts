import type { RandomStream } from './random-stream.js';

/**
 * Picks an index with a probability in exact proportion to its weight, by inverse of the cumulative sum: index i
 * owns the i-th stretch of [0, total). Whole weights with a sum up to 2^53 are exact to the last bit, others to
 * 2^-53 of the total. A weight of 0 is never picked. Cost O(log n).
 * @throws RangeError when a weight is negative or not finite, when all are 0, or when their sum is not finite
 */
export class WeightedPick {
  private readonly cumulative: Float64Array;
  private readonly total: number;
  private readonly whole: boolean;

  constructor(weights: readonly number[] | Float64Array) {
    this.cumulative = new Float64Array(weights.length);
    let total = 0;
    let whole = true;
    for (let i = 0; i < weights.length; i += 1) {
      const weight = weights[i] ?? 0;
      if (!(weight >= 0 && weight < Infinity))
        throw new RangeError(`weight ${i} is not a finite number of at least 0`);
      if (!Number.isInteger(weight)) whole = false;
      total += weight;
      this.cumulative[i] = total;
    }
    if (!(total > 0 && total < Infinity))
      throw new RangeError('the sum of the weights must be finite and above 0');
    this.total = total;
    this.whole = whole && total <= 9007199254740991;
  }

  pick(random: RandomStream): number {
    const target = this.whole ? random.below(this.total) : random.float53() * this.total;
    const { cumulative } = this;
    let low = 0;
    let high = cumulative.length - 1;
    // The first index whose cumulative sum is above the target: never one of weight 0.
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((cumulative[middle] ?? 0) > target) high = middle;
      else low = middle + 1;
    }
    return low;
  }
}
