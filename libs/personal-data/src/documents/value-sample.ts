const MOST_VALUES = 200;

/** Keeps at most 200 of any number of values, at equal distances from the first to the last one. */
export class ValueSample {
  seen = 0;
  private distance = 1;
  private kept: string[] = [];

  get values(): readonly string[] {
    return this.kept;
  }

  /** @returns whether the value was kept */
  add(value: string): boolean {
    const index = this.seen++;
    if (index % this.distance !== 0) return false;
    if (this.kept.length === MOST_VALUES) {
      this.kept = this.kept.filter((_, i) => i % 2 === 0);
      this.distance *= 2;
      if (index % this.distance !== 0) return false;
    }
    this.kept.push(value);
    return true;
  }
}
