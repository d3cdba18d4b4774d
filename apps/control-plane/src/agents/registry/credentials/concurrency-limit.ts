/** Runs at most a fixed number of tasks concurrently. Further tasks wait, and start in the order of their calls. */
export class ConcurrencyLimit {
  private readonly waiting: (() => void)[] = [];

  /** @param free number of tasks that may run concurrently */
  constructor(private free: number) {}

  /** Resolves or rejects as the task does. */
  async run<T>(task: () => Promise<T>): Promise<T> {
    if (this.free > 0) this.free -= 1;
    else await new Promise<void>((resolve) => this.waiting.push(resolve));
    try {
      return await task();
    } finally {
      const next = this.waiting.shift();
      if (next) next();
      else this.free += 1;
    }
  }
}
