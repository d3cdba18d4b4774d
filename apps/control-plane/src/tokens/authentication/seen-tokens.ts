const MAX_USABLE = 10_000;
const MAX_MISSING = 1_000;

/**
 * Which tokens this process has looked up, by their hash. It never says that a token may be used: that is asked each time.
 * A text that no row had will have none: texts are random, and are made after a row's hash.
 */
export class SeenTokens {
  private readonly usable = new Set<string>();
  private readonly missing = new Set<string>();

  wasUsable(key: string): boolean {
    return this.usable.has(key);
  }

  recordUsable(key: string, isUsable: boolean): void {
    this.usable.delete(key);
    if (isUsable) addBounded(this.usable, key, MAX_USABLE);
  }

  wasMissing(key: string): boolean {
    return this.missing.has(key);
  }

  recordMissing(key: string): void {
    addBounded(this.missing, key, MAX_MISSING);
  }
}

/** The one that was added first goes. */
function addBounded(set: Set<string>, key: string, max: number): void {
  for (const first of set) {
    if (set.size < max) break;
    set.delete(first);
  }
  set.add(key);
}
