const MAX_USABLE = 10_000;
const MAX_MISSING = 1_000;

/**
 * Remembers the hashes of tokens that this process has looked up. A usable token is still looked up in the
 * database for each request. A token that an earlier look-up did not find is refused without another query.
 * It cannot be created later, because the server creates the texts of tokens at random.
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

/** Adds a key, and removes the oldest keys beyond `max`. */
function addBounded(set: Set<string>, key: string, max: number): void {
  for (const first of set) {
    if (set.size < max) break;
    set.delete(first);
  }
  set.add(key);
}
