/** Prints the title of each step, runs the step, and prints how long it took. */
export class Steps {
  private number = 0;
  private readonly interruption: Promise<never>;

  constructor(
    private readonly total: number,
    private readonly write: (text: string) => void,
    signal: AbortSignal,
  ) {
    this.interruption = interruptionOf(signal);
    this.interruption.catch(() => undefined); // no step may be running when the signal aborts
  }

  async run<T>(what: string, work: () => Promise<T>): Promise<T> {
    this.number += 1;
    this.write(`\n[${this.number}/${this.total}] ${what}\n`);
    const started = performance.now();
    const result = await Promise.race([work(), this.interruption]);
    this.write(`      done in ${((performance.now() - started) / 1000).toFixed(1)} s\n`);
    return result;
  }
}

/** @returns a promise that never resolves, and rejects when the signal aborts */
function interruptionOf(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    const stop = (): void => reject(new Error('interrupted'));
    if (signal.aborted) stop();
    else signal.addEventListener('abort', stop, { once: true });
  });
}
