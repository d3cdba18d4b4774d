/** A task that generates more records than this is long: it never gets the last worker. */
export const SHORT_COUNT = 1_000;

export interface SlotRequest {
  readonly organizationId: string;
  /** The task is expected to keep its worker for longer than a moment. */
  readonly long: boolean;
}

export interface Slot {
  /** Resolves when a worker is free; never rejects. */
  readonly ready: Promise<void>;
  /** Leaves the queue or frees the worker. Call it once, however the task ended. */
  leave(): void;
}

interface Waiter extends SlotRequest {
  readonly call: () => void;
}

/** The number of workers for each one that a single organisation can get. */
export const SPARE_FACTOR = 2;

/**
 * Decides which task gets the next worker. A worker cannot be taken back before its task ends, so fairness depends on
 * which task may start:
 * - As many workers again are spare: an organisation that has none starts on one of them, however many others have.
 * - A long task does not get the last worker that its organisation could have, if that has two or more.
 * - Of the tasks that may start, the one whose organisation has the fewest workers goes first, then the oldest.
 * - One organisation fills at most half of the queue.
 */
export class SlotQueue {
  private readonly waiters: Waiter[] = [];
  private readonly started: SlotRequest[] = [];

  constructor(
    private readonly threads: number,
    private readonly capacity: number,
  ) {}

  get waiting(): number {
    return this.waiters.length;
  }

  get running(): number {
    return this.started.length;
  }

  /** @returns undefined if the queue is full */
  enter(request: SlotRequest): Slot | undefined {
    if (!this.mayStart(request) && !this.hasRoom(request)) return undefined;
    let call = (): void => undefined;
    const ready = new Promise<void>((resolve) => (call = resolve));
    const waiter: Waiter = { ...request, call };
    this.waiters.push(waiter);
    this.callNext();
    return { ready, leave: () => this.leave(waiter) };
  }

  private leave(waiter: Waiter): void {
    remove(this.waiters, waiter);
    remove(this.started, waiter);
    this.callNext();
  }

  private callNext(): void {
    for (let next = this.next(); next; next = this.next()) {
      remove(this.waiters, next);
      this.started.push(next);
      next.call();
    }
  }

  private next(): Waiter | undefined {
    let best: Waiter | undefined;
    for (const waiter of this.waiters) {
      if (!this.mayStart(waiter)) continue;
      if (!best || this.startedBy(waiter) < this.startedBy(best)) best = waiter;
    }
    return best;
  }

  private mayStart(request: SlotRequest): boolean {
    const started = this.started.length;
    if (this.startedBy(request) === 0) return started < this.threads * SPARE_FACTOR;
    if (started >= this.threads) return false;
    return !request.long || this.started.filter(({ long }) => long).length < Math.max(1, this.threads - 1);
  }

  private hasRoom({ organizationId }: SlotRequest): boolean {
    const own = this.waiters.filter((waiter) => waiter.organizationId === organizationId).length;
    return this.waiters.length < this.capacity && own < Math.ceil(this.capacity / 2);
  }

  private startedBy({ organizationId }: SlotRequest): number {
    return this.started.filter((task) => task.organizationId === organizationId).length;
  }
}

function remove<T>(items: T[], item: T): void {
  const index = items.indexOf(item);
  if (index >= 0) items.splice(index, 1);
}
