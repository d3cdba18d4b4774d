export interface LaneTask {
  /** What the lane holds while the task waits or runs. */
  readonly bytes: number;
  /** Must not reject. */
  run(): Promise<void>;
  /** Called in place of `run` when the lanes are cleared before the task has started. */
  drop?(): void;
}

/**
 * Runs tasks with bounded concurrency. Tasks of one lane run one after another in the order in which they were added.
 * Lanes take turns: a lane with many tasks does not delay another one by more than one task.
 */
export class Lanes {
  /** The tasks that wait, by lane; the lane whose turn it is comes first. */
  private readonly waiting = new Map<string, LaneTask[]>();
  private readonly running = new Map<string, LaneTask>();
  private readonly idleWaiters: (() => void)[] = [];

  constructor(private readonly concurrency: number) {
    if (!(concurrency >= 1)) throw new RangeError('concurrency is at least 1');
  }

  add(lane: string, task: LaneTask): void {
    const queue = this.waiting.get(lane);
    if (queue === undefined) this.waiting.set(lane, [task]);
    else queue.push(task);
    this.startNext();
  }

  /** Tasks of the lane that wait or run, and their bytes. */
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

  /** Resolves once nothing runs and nothing waits. */
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
      // Behind the other lanes. The loop meets it again and passes over it, because it runs.
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
