import type { RandomStream } from './random-stream.js';

/**
 * Picks an index with a probability proportional to its weight, by a search in the cumulative weights. If all
 * weights are whole and their sum is at most 2^53 - 1, the probabilities are exact. Otherwise each
 * probability has an error of about 2^-53. An index of weight 0 is never picked. A pick costs O(log n), or
 * O(1) if all weights are the same whole number.
 * @throws RangeError if a weight is negative or not finite, if all are 0, or if their sum is not finite
 */
export class WeightedPick {
  private readonly cumulative: Float64Array;
  private readonly total: number;
  private readonly whole: boolean;
  /** The common weight if all weights are the same whole number, otherwise 0. */
  private readonly common: number;
  /**
   * The last index with a weight above 0. It ends the search, because rounding could make the target equal to
   * a tiny total.
   */
  private readonly last: number;

  constructor(weights: readonly number[] | Float64Array) {
    this.cumulative = new Float64Array(weights.length);
    let total = 0;
    let whole = true;
    let last = 0;
    for (let i = 0; i < weights.length; i += 1) {
      const weight = weights[i] ?? 0;
      if (!(weight >= 0 && weight < Infinity))
        throw new RangeError(`weight ${i} must be a finite number of at least 0`);
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
    if (this.common > 0) return Math.floor(target / this.common); // the result of the search below
    const { cumulative } = this;
    let low = 0;
    let high = this.last;
    // Finds the first index whose cumulative sum is above the target. Its weight is never 0.
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((cumulative[middle] ?? 0) > target) high = middle;
      else low = middle + 1;
    }
    return low;
  }
}
