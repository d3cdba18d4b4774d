import { Histogram } from '../../model/histogram.js';

/** Counts occurrences of small whole numbers, such as lengths or words per sentence. */
export class ValueCounter {
  private weights = new Float64Array(64);
  private values = new Uint32Array(64);

  /** @param isNew whether the number comes from a new distinct value */
  add(number: number, weight: number, isNew: boolean): void {
    if (number >= this.weights.length) this.grow(number);
    this.weights[number] = (this.weights[number] as number) + weight;
    if (isNew) this.values[number] = (this.values[number] as number) + 1;
  }

  /** Returns the numbers that occurred in at least `minValues` distinct values, with their counts. */
  histogram(minValues: number): Histogram {
    const numbers = [...this.weights.keys()].filter(
      (number) => (this.values[number] as number) >= Math.max(1, minValues),
    );
    const counts = scaleCounts(Float64Array.from(numbers, (number) => this.weights[number] as number));
    return new Histogram(Uint32Array.from(numbers.flatMap((number, i) => [number, counts[i] as number])));
  }

  private grow(number: number): void {
    const size = Math.max(number + 1, this.weights.length * 2);
    const [weights, values] = [new Float64Array(size), new Uint32Array(size)];
    weights.set(this.weights);
    values.set(this.values);
    [this.weights, this.values] = [weights, values];
  }
}

const MAX_SUM = 0xffffffff;

/** Returns whether the sum of counts fits into 32 bits, so that they need no scaling. */
export function fitsCounts(sum: number): boolean {
  return sum <= MAX_SUM;
}

/**
 * Scales the counts so that their sum fits into 32 bits. Divides them by the smallest sufficient power of
 * two, but leaves each at least 1.
 */
export function scaleCounts(weights: Float64Array): Float64Array {
  for (let divisor = 1; ; divisor *= 2) {
    const scaled =
      divisor === 1 ? weights : weights.map((weight) => Math.max(1, Math.floor(weight / divisor)));
    if (fitsCounts(scaled.reduce((sum, count) => sum + count, 0))) return scaled;
  }
}
