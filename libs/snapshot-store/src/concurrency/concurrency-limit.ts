/** Lets so many run at a time; the others wait in the order they came. */
export class ConcurrencyLimit {
  private running = 0;
  private readonly waiting: (() => void)[] = [];

  constructor(private readonly slots: number) {
    if (!Number.isInteger(slots) || slots < 1) throw new RangeError('at least one must be let in');
  }

  /** @throws the signal's reason if it is aborted before it was its turn; otherwise what `work` does */
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
