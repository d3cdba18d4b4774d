/** A task that generates more records than this number is a long task; see {@link SlotQueue}. */
export const SHORT_COUNT = 1_000;

export interface SlotRequest {
  readonly organizationId: string;
  /** True if the task is expected to use its worker for a long time. */
  readonly long: boolean;
}

export interface Slot {
  /** Resolves when a worker is free; never rejects. */
  readonly ready: Promise<void>;
  /** Removes the task from the queue or frees its worker. Call this method once, after success or failure. */
  leave(): void;
}

interface Waiter extends SlotRequest {
  readonly call: () => void;
}

/** The total number of workers, divided by the number that one organisation can use. */
export const SPARE_FACTOR = 2;

/**
 * Decides which task gets the next worker. A task keeps its worker until it ends, so fairness depends on the
 * order in which tasks start:
 * - Half of all workers are spare. They run only tasks of organisations that use no other worker.
 * - If an organisation can use two or more workers, its long tasks never occupy all of them.
 * - The task whose organisation uses the fewest workers starts first. Of several such tasks, the oldest
 *   starts first.
 * - One organisation can fill at most half of the queue.
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

  /** Adds a task to the queue. @returns undefined if the queue is full */
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
