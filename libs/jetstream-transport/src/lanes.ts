/**
 * Runs tasks with bounded concurrency; tasks of one lane run one after another in the order they were added.
 * A task must not reject.
 */
export class Lanes {
  private readonly waiting: { lane: string; task: () => Promise<void> }[] = [];
  private readonly busy = new Set<string>();
  private readonly idleWaiters: (() => void)[] = [];

  constructor(private readonly concurrency: number) {
    if (!(concurrency >= 1)) throw new RangeError('concurrency is at least 1');
  }

  add(lane: string, task: () => Promise<void>): void {
    this.waiting.push({ lane, task });
    this.startNext();
  }

  /** Drops what has not started. */
  clear(): void {
    this.waiting.length = 0;
  }

  /** Resolves once nothing runs and nothing waits. */
  idle(): Promise<void> {
    if (this.isIdle()) return Promise.resolve();
    return new Promise((resolve) => this.idleWaiters.push(resolve));
  }

  private startNext(): void {
    while (this.busy.size < this.concurrency) {
      const index = this.waiting.findIndex(({ lane }) => !this.busy.has(lane));
      const [next] = index < 0 ? [] : this.waiting.splice(index, 1);
      if (next === undefined) break;
      this.busy.add(next.lane);
      void next.task().finally(() => {
        this.busy.delete(next.lane);
        this.startNext();
      });
    }
    if (this.isIdle()) this.idleWaiters.splice(0).forEach((resolve) => resolve());
  }

  private isIdle(): boolean {
    return this.busy.size === 0 && this.waiting.length === 0;
  }
}
