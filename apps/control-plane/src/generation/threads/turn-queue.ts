/** Work that makes more records than this is long: it never holds the last thread. */
export const SHORT_COUNT = 1_000;

export interface Turn {
  readonly organizationId: string;
  /** Expected to keep its thread for longer than a moment. */
  readonly long: boolean;
}

export interface Ticket {
  /** Resolves when a thread is free for it; never rejects. */
  readonly ready: Promise<void>;
  /** Gives the place or the thread back. Call it once, whatever became of the work. */
  leave(): void;
}

interface Waiter extends Turn {
  readonly call: () => void;
}

/** Threads in all, for each that one organisation can get. */
export const SPARE_FACTOR = 2;

/**
 * Who gets the next thread. A thread cannot be taken back before its work ends, so what keeps others quick is who may
 * start:
 * - as many threads again are spare: an organisation that holds none starts on one of them, whatever others hold;
 * - long work does not get the last thread that its organisation could have, where that has two or more;
 * - of those who may start, the organisation that holds the fewest threads goes first, then who came first;
 * - one organisation fills at most half of the places to wait.
 */
export class TurnQueue {
  private readonly waiters: Waiter[] = [];
  private readonly holders: Turn[] = [];

  constructor(
    private readonly threads: number,
    private readonly places: number,
  ) {}

  get waiting(): number {
    return this.waiters.length;
  }

  get running(): number {
    return this.holders.length;
  }

  /** @returns undefined when there is no place to wait */
  enter(turn: Turn): Ticket | undefined {
    if (!this.mayStart(turn) && !this.hasPlace(turn)) return undefined;
    let call = (): void => undefined;
    const ready = new Promise<void>((resolve) => (call = resolve));
    const waiter: Waiter = { ...turn, call };
    this.waiters.push(waiter);
    this.callNext();
    return { ready, leave: () => this.leave(waiter) };
  }

  private leave(waiter: Waiter): void {
    remove(this.waiters, waiter);
    remove(this.holders, waiter);
    this.callNext();
  }

  private callNext(): void {
    for (let next = this.next(); next; next = this.next()) {
      remove(this.waiters, next);
      this.holders.push(next);
      next.call();
    }
  }

  private next(): Waiter | undefined {
    let best: Waiter | undefined;
    for (const waiter of this.waiters) {
      if (!this.mayStart(waiter)) continue;
      if (!best || this.heldBy(waiter) < this.heldBy(best)) best = waiter;
    }
    return best;
  }

  private mayStart(turn: Turn): boolean {
    const held = this.holders.length;
    if (this.heldBy(turn) === 0) return held < this.threads * SPARE_FACTOR;
    if (held >= this.threads) return false;
    return !turn.long || this.holders.filter(({ long }) => long).length < Math.max(1, this.threads - 1);
  }

  private hasPlace({ organizationId }: Turn): boolean {
    const own = this.waiters.filter((waiter) => waiter.organizationId === organizationId).length;
    return this.waiters.length < this.places && own < Math.ceil(this.places / 2);
  }

  private heldBy({ organizationId }: Turn): number {
    return this.holders.filter((holder) => holder.organizationId === organizationId).length;
  }
}

function remove<T>(items: T[], item: T): void {
  const index = items.indexOf(item);
  if (index >= 0) items.splice(index, 1);
}
