import type { Allowance } from './rate-limiter.js';

interface Share {
  /** The state that Redis returned when the share was acquired. It counts the whole share as spent. */
  readonly allowance: Allowance;
  /** Milliseconds of the clock of `WindowShares`. */
  readonly endsAt: number;
  unspent: number;
}

/** A process reserves this fraction of the requests that are left in a window, and at least one request. */
const SHARE = 1 / 128;
const MAX_POINTS = 1_024;
const MAX_KEYS = 10_000;

/**
 * Shares of windows: points that this process has acquired from Redis in advance. This process spends them
 * without Redis, so a busy key needs one Redis query for many requests. Points that are unspent at the end of
 * their window are lost.
 */
export class WindowShares {
  private readonly shares = new Map<string, Share>();
  /**
   * Keys whose share is being acquired. Concurrent requests of such a key acquire one point each, because
   * several shares would use up too much of the window.
   */
  private readonly taking = new Set<string>();

  /** @param now returns milliseconds of a monotonic clock */
  constructor(private readonly now: () => number = () => performance.now()) {}

  /** @returns undefined if no point of a share is left; call `take` then */
  spend(key: string): Allowance | undefined {
    const share = this.shares.get(key);
    if (share && this.now() >= share.endsAt) this.shares.delete(key);
    else if (share && share.unspent > 0) {
      share.unspent -= 1;
      return withUnspent(share);
    }
    return undefined;
  }

  /**
   * Acquires points of the key's window and spends one of them. Acquires only one point for the first request
   * of a window, or while another request acquires a share of the window. Otherwise acquires a share.
   * @param take acquires points in Redis and never throws
   */
  async take(key: string, take: (points: number) => Promise<Allowance>): Promise<Allowance> {
    const points = this.pointsToTake(key);
    if (points === 1) return this.record(key, 1, await take(1));
    this.taking.add(key);
    const allowance = await take(points);
    this.taking.delete(key);
    return this.record(key, points, allowance);
  }

  private pointsToTake(key: string): number {
    const share = this.shares.get(key);
    if (!share || this.taking.has(key)) return 1;
    return Math.max(1, Math.min(MAX_POINTS, Math.floor(share.allowance.remaining * SHARE)));
  }

  private record(key: string, points: number, allowance: Allowance): Allowance {
    if (!allowance.passes) {
      this.shares.delete(key);
      return allowance;
    }
    const held = this.shares.get(key);
    if (!held && this.shares.size >= MAX_KEYS) this.shares.clear();
    const endsAt = this.now() + (allowance.retryAfterSeconds - 1) * 1000; // the seconds are rounded up
    const share = { allowance, endsAt, unspent: (held?.unspent ?? 0) + points - 1 };
    this.shares.set(key, share);
    return withUnspent(share);
  }
}

function withUnspent({ allowance, unspent }: Share): Allowance {
  return { ...allowance, remaining: Math.min(allowance.limit, allowance.remaining + unspent) };
}
