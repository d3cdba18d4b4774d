import type { Mention } from '../mentions/find-mention.js';

/** The number of values that were read, and of those that mention a person, by what they mention first. */
export interface MentionCounts extends Readonly<Record<Mention, number>> {
  readonly seen: number;
}

/**
 * Counts all values that it receives. Keeps a bounded number of them, at equal distances from the first to the last one.
 */
export class ValueSample {
  private readonly counts = { seen: 0, email: 0, phone: 0, other: 0 };
  private distance = 1;
  private kept: string[] = [];

  /** @param most the number of values to keep */
  constructor(private readonly most: number) {}

  get values(): readonly string[] {
    return this.kept;
  }

  get mentions(): MentionCounts {
    return this.counts;
  }

  /** @returns whether the value was kept */
  add(value: string, mention?: Mention): boolean {
    const index = this.counts.seen++;
    if (mention !== undefined) this.counts[mention]++;
    if (index % this.distance !== 0) return false;
    if (this.kept.length === this.most) {
      this.kept = this.kept.filter((_, i) => i % 2 === 0);
      this.distance *= 2;
      if (index % this.distance !== 0) return false;
    }
    this.kept.push(value);
    return true;
  }
}
