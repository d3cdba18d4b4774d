import type { Allowance } from './rate-limiter.js';

interface Share {
  /** What Redis said when the share was taken, which counts all of the share as spent. */
  readonly allowance: Allowance;
  /** Milliseconds since the Unix epoch. */
  readonly endsAt: number;
  unspent: number;
}

/** Of what was left of the window when it was last asked for. The last requests of a window are taken one by one. */
const SHARE = 1 / 128;
const MAX_POINTS = 1_024;
const MAX_KEYS = 10_000;

/**
 * Parts of windows that this process has taken out of Redis and hands out itself, so that a busy key costs a question every
 * so many requests. What is unspent when its window ends is lost with it.
 */
export class WindowShares {
  private readonly shares = new Map<string, Share>();
  /** Keys of which a share is on its way: who comes meanwhile takes one point, or together they would take too much. */
  private readonly taking = new Set<string>();

  /** @returns undefined when there is nothing to hand out: a share has to be taken */
  spend(key: string, nowMs: number): Allowance | undefined {
    const share = this.shares.get(key);
    if (share && nowMs >= share.endsAt) this.shares.delete(key);
    else if (share && share.unspent > 0) {
      share.unspent -= 1;
      return withUnspent(share);
    }
    return undefined;
  }

  /**
   * Takes as many points as the key may hold here, at least one, and spends one of them.
   * @param take never throws
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
    const endsAt = (allowance.resetsAt - 1) * 1000; // that was rounded up to whole seconds
    const share = { allowance, endsAt, unspent: (held?.unspent ?? 0) + points - 1 };
    this.shares.set(key, share);
    return withUnspent(share);
  }
}

function withUnspent({ allowance, unspent }: Share): Allowance {
  return { ...allowance, remaining: Math.min(allowance.limit, allowance.remaining + unspent) };
}
