/**
 * Counts how often each whole number occurred. The file contains pairs (value, count); values ascend, and
 * counts are at least 1.
 */
export class Histogram {
  readonly total: number;
  private readonly cumulative: Float64Array;

  constructor(readonly pairs: Uint32Array) {
    this.cumulative = new Float64Array(pairs.length / 2);
    let total = 0;
    for (let i = 0; i < this.cumulative.length; i += 1) {
      total += pairs[2 * i + 1] as number;
      this.cumulative[i] = total;
    }
    this.total = total;
  }

  /** The number of different values. */
  get size(): number {
    return this.cumulative.length;
  }

  get smallest(): number {
    return this.pairs[0] ?? 0;
  }

  get largest(): number {
    return this.pairs[this.pairs.length - 2] ?? 0;
  }

  get mean(): number {
    let sum = 0;
    for (let i = 0; i < this.pairs.length; i += 2) {
      sum += (this.pairs[i] as number) * (this.pairs[i + 1] as number);
    }
    return this.total === 0 ? 0 : sum / this.total;
  }

  /**
   * Returns a quantile of the distribution. The histogram must not be empty.
   * @param share from 0 up to, but not including, 1; a random share gives a random value of the distribution
   */
  quantile(share: number): number {
    const wanted = share * this.total;
    let low = 0;
    let high = this.size - 1;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((this.cumulative[middle] as number) > wanted) high = middle;
      else low = middle + 1;
    }
    return this.pairs[2 * low] as number;
  }
}
