/** The values that were used last, as many as a budget of bytes holds. */
export class RecentlyUsed<T> {
  /** A map keeps the order in which its keys were set: the first one is the one not used for longest. */
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

  /** What is larger than the whole budget is not kept. */
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
