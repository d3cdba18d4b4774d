const WINDOW_MS = 10_000;
/** Points that are remembered of the window. */
const POINTS = 50;

/** How fast something grows: over the last ten seconds, so that a slow start or a pause is soon forgotten. */
export class Pace {
  private readonly points: { readonly nowMs: number; readonly done: number }[] = [];

  /** @param done never less than before */
  observe(nowMs: number, done: number): void {
    const last = this.points.at(-1);
    // The first point stays as it is; the newest one moves until it is worth one of its own.
    if (this.points.length > 1 && last && nowMs - (this.points.at(-2)?.nowMs ?? 0) < WINDOW_MS / POINTS) {
      this.points.pop();
    }
    this.points.push({ nowMs, done });
    while (this.points.length > 2 && nowMs - (this.points[1]?.nowMs ?? nowMs) >= WINDOW_MS)
      this.points.shift();
  }

  /** Undefined before there is anything to measure. */
  perSecond(): number | undefined {
    const [first, last] = [this.points[0], this.points.at(-1)];
    if (!first || !last || last.nowMs === first.nowMs || last.done === first.done) return undefined;
    return ((last.done - first.done) / (last.nowMs - first.nowMs)) * 1000;
  }

  /** Until `total` at this pace. */
  secondsLeft(total: number): number | undefined {
    const pace = this.perSecond();
    const done = this.points.at(-1)?.done ?? 0;
    return pace === undefined ? undefined : Math.max(0, total - done) / pace;
  }
}
