/** A cache with a budget in bytes that evicts the least recently used values. */
export class RecentlyUsed<T> {
  /** A map iterates over its keys in the order in which they were set, so the first key is the least recently used. */
  private readonly entries = new Map<string, { readonly value: T; readonly bytes: number }>();
  private used = 0;

  constructor(private readonly budget: number) {}

  get(key: string): T | undefined {
    const entry = this.entries.get(key);
    if (entry === undefined) return undefined;
    this.entries.delete(key);
    this.entries.set(key, entry);
    return entry.value;
  }

  /** Stores a value. Does not keep a value that is larger than the whole budget. */
  set(key: string, value: T, bytes: number): void {
    this.delete(key);
    if (bytes > this.budget) return;
    this.entries.set(key, { value, bytes });
    this.used += bytes;
    for (const oldest of this.entries.keys()) {
      if (this.used <= this.budget) return;
      this.delete(oldest);
    }
  }

  keys(): string[] {
    return [...this.entries.keys()];
  }

  delete(key: string): void {
    this.used -= this.entries.get(key)?.bytes ?? 0;
    this.entries.delete(key);
  }
}
