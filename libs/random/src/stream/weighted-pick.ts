import type { RandomStream } from './random-stream.js';

/**
 * Picks an index with a probability in exact proportion to its weight, by inverse of the cumulative sum: index i
 * owns the i-th stretch of [0, total). Whole weights with a sum up to 2^53 are exact to the last bit, others to
 * 2^-53 of the total. A weight of 0 is never picked. Cost O(log n), O(1) where all weights are the same whole number.
 * @throws RangeError when a weight is negative or not finite, when all are 0, or when their sum is not finite
 */
export class WeightedPick {
  private readonly cumulative: Float64Array;
  private readonly total: number;
  private readonly whole: boolean;
  /** The weight of all, where they are the same whole number; otherwise 0. */
  private readonly common: number;
  /** Of the weights above 0. A total of a few units in the last place lets a target round up to it. */
  private readonly last: number;

  constructor(weights: readonly number[] | Float64Array) {
    this.cumulative = new Float64Array(weights.length);
    let total = 0;
    let whole = true;
    let last = 0;
    for (let i = 0; i < weights.length; i += 1) {
      const weight = weights[i] ?? 0;
      if (!(weight >= 0 && weight < Infinity))
        throw new RangeError(`weight ${i} is not a finite number of at least 0`);
      if (!Number.isInteger(weight)) whole = false;
      if (weight > 0) last = i;
      total += weight;
      this.cumulative[i] = total;
    }
    if (!(total > 0 && total < Infinity))
      throw new RangeError('the sum of the weights must be finite and above 0');
    this.total = total;
    this.last = last;
    this.whole = whole && total <= 9007199254740991;
    const first = weights[0] ?? 0;
    this.common = this.whole && weights.every((weight) => weight === first) ? first : 0;
  }

  pick(random: RandomStream): number {
    const target = this.whole ? random.below(this.total) : random.float53() * this.total;
    if (this.common > 0) return Math.floor(target / this.common); // where the search below would end
    const { cumulative } = this;
    let low = 0;
    let high = this.last;
    // The first index whose cumulative sum is above the target: never one of weight 0.
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((cumulative[middle] ?? 0) > target) high = middle;
      else low = middle + 1;
    }
    return low;
  }
}
