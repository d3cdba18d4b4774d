/**
 * How often each whole number was seen, as it stands in the file: pairs (value, count), values ascending, counts
 * from 1.
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

  /** Different values. */
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
   * The value at a place of the distribution.
   * @param share in [0, 1), such as a random number; the histogram is not empty
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
