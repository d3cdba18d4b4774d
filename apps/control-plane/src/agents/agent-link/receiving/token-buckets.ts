export interface BucketLimits {
  readonly perSecond: number;
  readonly burst: number;
  /**
   * The maximum number of buckets. Above it, the least recently used bucket is evicted. The next `take` for
   * its key starts with a full bucket.
   */
  readonly maxKeys: number;
}

/** Limits how often something happens for each key. A new key has a full bucket. */
export class TokenBuckets {
  /** Buckets in order of use, the least recently used one first. */
  private readonly buckets = new Map<string, { readonly tokens: number; readonly atMs: number }>();

  constructor(
    private readonly limits: BucketLimits,
    private readonly nowMs: () => number = () => performance.now(),
  ) {}

  get size(): number {
    return this.buckets.size;
  }

  /** Takes a token from the key's bucket. @returns false if the bucket is empty */
  take(key: string): boolean {
    const { perSecond, burst, maxKeys } = this.limits;
    const now = this.nowMs();
    const { tokens, atMs } = this.buckets.get(key) ?? { tokens: burst, atMs: now };
    const available = Math.min(burst, tokens + ((now - atMs) / 1_000) * perSecond);
    const isTaken = available >= 1;
    this.buckets.delete(key);
    this.buckets.set(key, { tokens: isTaken ? available - 1 : available, atMs: now });
    const [oldest] = this.buckets.keys();
    if (this.buckets.size > maxKeys && oldest !== undefined) this.buckets.delete(oldest);
    return isTaken;
  }
}
