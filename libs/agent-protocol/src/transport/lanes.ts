export interface LaneTask {
  /** The size of the task. {@link Lanes.held} includes it while the task waits or runs. */
  readonly bytes: number;
  /** Must not reject. */
  run(): Promise<void>;
  /** Called instead of `run` if the lanes are cleared before the task has started. */
  drop?(): void;
}

/**
 * Runs tasks with bounded concurrency. Tasks of one lane run one after another in the order in which they
 * were added. Lanes take turns: a lane with many tasks delays another lane by at most one task.
 */
export class Lanes {
  /** The waiting tasks by lane. The lane that runs next comes first. */
  private readonly waiting = new Map<string, LaneTask[]>();
  private readonly running = new Map<string, LaneTask>();
  private readonly idleWaiters: (() => void)[] = [];

  constructor(private readonly concurrency: number) {
    if (!(concurrency >= 1)) throw new RangeError(`concurrency must be at least 1, got ${concurrency}`);
  }

  add(lane: string, task: LaneTask): void {
    const queue = this.waiting.get(lane);
    if (queue === undefined) this.waiting.set(lane, [task]);
    else queue.push(task);
    this.startNext();
  }

  /** Returns the number and the total bytes of a lane's waiting and running tasks. */
  held(lane: string): { readonly tasks: number; readonly bytes: number } {
    const running = this.running.get(lane);
    const tasks = [...(running === undefined ? [] : [running]), ...(this.waiting.get(lane) ?? [])];
    return { tasks: tasks.length, bytes: tasks.reduce((sum, { bytes }) => sum + bytes, 0) };
  }

  /** Drops the tasks that have not started. */
  clear(): void {
    const dropped = [...this.waiting.values()].flat();
    this.waiting.clear();
    for (const task of dropped) task.drop?.();
    this.wakeWhenIdle();
  }

  /** Resolves once no task runs or waits. */
  idle(): Promise<void> {
    if (this.isIdle()) return Promise.resolve();
    return new Promise((resolve) => this.idleWaiters.push(resolve));
  }

  private startNext(): void {
    for (const [lane, queue] of this.waiting) {
      if (this.running.size >= this.concurrency) break;
      if (this.running.has(lane)) continue;
      const [next, ...later] = queue;
      this.waiting.delete(lane);
      if (next === undefined) continue;
      // Moves the lane behind the other lanes. The loop skips it while its task runs.
      if (later.length > 0) this.waiting.set(lane, later);
      this.running.set(lane, next);
      void next.run().finally(() => {
        this.running.delete(lane);
        this.startNext();
      });
    }
    this.wakeWhenIdle();
  }

  private wakeWhenIdle(): void {
    if (this.isIdle()) this.idleWaiters.splice(0).forEach((resolve) => resolve());
  }

  private isIdle(): boolean {
    return this.running.size === 0 && this.waiting.size === 0;
  }
}
