import type { Mention } from '../mentions/find-mention.js';

/** The number of values that were read, and of those that mention a person, by what they mention first. */
export interface MentionCounts extends Readonly<Record<Mention, number>> {
  readonly seen: number;
}

/**
 * Counts all values that it receives. Keeps a bounded number of them, from all parts and in their order. The distances
 * between them vary, because a fixed distance misses a kind of values that recurs in step with it.
 */
export class ValueSample {
  private readonly counts = { seen: 0, email: 0, phone: 0, other: 0 };
  /** One of so many values is kept. A power of 2. */
  private distance = 1;
  private kept: { readonly index: number; readonly value: string }[] = [];

  /** @param most the number of values to keep */
  constructor(private readonly most: number) {}

  get values(): readonly string[] {
    return this.kept.map(({ value }) => value);
  }

  get mentions(): MentionCounts {
    return this.counts;
  }

  /** @returns whether the value was kept */
  add(value: string, mention?: Mention): boolean {
    const index = this.counts.seen++;
    if (mention !== undefined) this.counts[mention]++;
    if (!this.isChosen(index)) return false;
    while (this.kept.length >= this.most) {
      this.distance *= 2;
      this.kept = this.kept.filter((one) => this.isChosen(one.index));
      if (!this.isChosen(index)) return false;
    }
    this.kept.push({ index, value });
    return true;
  }

  /** The choice for twice the distance is a part of the choice for a distance. */
  private isChosen(index: number): boolean {
    return scattered(index) % this.distance === 0;
  }
}

/** Maps numbers to numbers without a visible order, always in the same way (the finalizer of MurmurHash3). */
function scattered(index: number): number {
  let bits = Math.imul(index ^ (index >>> 16), 0x85ebca6b);
  bits = Math.imul(bits ^ (bits >>> 13), 0xc2b2ae35);
  return (bits ^ (bits >>> 16)) >>> 0;
}
