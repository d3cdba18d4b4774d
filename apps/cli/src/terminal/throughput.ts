const WINDOW_MS = 10_000;
/** The approximate number of samples in a full window. */
const SAMPLES = 50;

/**
 * Measures the growth per second of a number over the last ten seconds. After ten seconds, a slow start or a
 * pause no longer affects the result.
 */
export class ThroughputMeter {
  private readonly samples: { readonly nowMs: number; readonly done: number }[] = [];

  /** Adds a sample. @param done the current number, never less than before */
  observe(nowMs: number, done: number): void {
    const last = this.samples.at(-1);
    // Replaces the newest sample while it is too close to the one before it.
    if (this.samples.length > 1 && last && nowMs - (this.samples.at(-2)?.nowMs ?? 0) < WINDOW_MS / SAMPLES) {
      this.samples.pop();
    }
    this.samples.push({ nowMs, done });
    while (this.samples.length > 2 && nowMs - (this.samples[1]?.nowMs ?? nowMs) >= WINDOW_MS)
      this.samples.shift();
  }

  /** Returns the growth per second, or undefined if the window has no growth or fewer than two samples. */
  perSecond(): number | undefined {
    const [first, last] = [this.samples[0], this.samples.at(-1)];
    if (!first || !last || last.nowMs === first.nowMs || last.done === first.done) return undefined;
    return ((last.done - first.done) / (last.nowMs - first.nowMs)) * 1000;
  }

  /** Returns the seconds until the number reaches `total`, or undefined if the throughput is unknown. */
  secondsLeft(total: number): number | undefined {
    const perSecond = this.perSecond();
    const done = this.samples.at(-1)?.done ?? 0;
    return perSecond === undefined ? undefined : Math.max(0, total - done) / perSecond;
  }
}
