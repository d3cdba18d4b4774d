/**
 * Passes on the first report of each phase immediately, and later ones at most once a second. A report that
 * comes too early is dropped.
 * @param send must not reject
 */
export class ProgressThrottle<Phase, Counts> {
  private phase: Phase | undefined;
  private sentAtMs = Number.NEGATIVE_INFINITY;

  constructor(
    private readonly send: (phase: Phase, counts: Counts) => Promise<void>,
    private readonly now: () => number = () => performance.now(),
  ) {}

  async report(phase: Phase, counts: Counts): Promise<void> {
    const now = this.now();
    if (phase === this.phase && now - this.sentAtMs < INTERVAL_MS) return;
    this.phase = phase;
    this.sentAtMs = now;
    await this.send(phase, counts);
  }
}

const INTERVAL_MS = 1_000;
