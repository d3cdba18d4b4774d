const WINDOW_MS = 10_000;
/** Samples that are kept of the window. */
const SAMPLES = 50;

/** Measures how fast something grows over the last ten seconds, so that a slow start or a pause soon stops counting. */
export class ThroughputMeter {
  private readonly samples: { readonly nowMs: number; readonly done: number }[] = [];

  /** @param done never less than before */
  observe(nowMs: number, done: number): void {
    const last = this.samples.at(-1);
    // The newest sample moves until it is far enough from the one before it.
    if (this.samples.length > 1 && last && nowMs - (this.samples.at(-2)?.nowMs ?? 0) < WINDOW_MS / SAMPLES) {
      this.samples.pop();
    }
    this.samples.push({ nowMs, done });
    while (this.samples.length > 2 && nowMs - (this.samples[1]?.nowMs ?? nowMs) >= WINDOW_MS)
      this.samples.shift();
  }

  /** Returns undefined while there is nothing to measure. */
  perSecond(): number | undefined {
    const [first, last] = [this.samples[0], this.samples.at(-1)];
    if (!first || !last || last.nowMs === first.nowMs || last.done === first.done) return undefined;
    return ((last.done - first.done) / (last.nowMs - first.nowMs)) * 1000;
  }

  /** Returns the time until `total` at this throughput. */
  secondsLeft(total: number): number | undefined {
    const perSecond = this.perSecond();
    const done = this.samples.at(-1)?.done ?? 0;
    return perSecond === undefined ? undefined : Math.max(0, total - done) / perSecond;
  }
}
