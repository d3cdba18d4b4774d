/** Limits how many functions run concurrently. Further calls of {@link run} wait in their order. */
export class ConcurrencyLimit {
  private running = 0;
  private readonly waiting: (() => void)[] = [];

  constructor(private readonly slots: number) {
    if (!Number.isInteger(slots) || slots < 1)
      throw new RangeError(`expected a number of slots of at least 1, received ${slots}`);
  }

  /**
   * Runs the work when a slot is free.
   * @throws the signal's reason if it is aborted before a slot is free; otherwise the error of `work`
   */
  async run<T>(signal: AbortSignal, work: () => Promise<T>): Promise<T> {
    await this.acquireSlot(signal);
    try {
      return await work();
    } finally {
      this.running -= 1;
      this.waiting.shift()?.();
    }
  }

  private async acquireSlot(signal: AbortSignal): Promise<void> {
    signal.throwIfAborted();
    if (this.running < this.slots) {
      this.running += 1;
      return;
    }
    await new Promise<void>((resolve, reject) => {
      const enter = (): void => {
        signal.removeEventListener('abort', leave);
        this.running += 1;
        resolve();
      };
      const leave = (): void => {
        this.waiting.splice(this.waiting.indexOf(enter), 1);
        reject(signal.reason as Error);
      };
      signal.addEventListener('abort', leave, { once: true });
      this.waiting.push(enter);
    });
  }
}
