/**
 * Lets at most one report a second through, the latest; whatever a phase begins with always. Time is an input.
 * @param send must not reject
 */
export class OnceASecond<Phase, Counts> {
  private phase: Phase | undefined;
  private sentAtMs = Number.NEGATIVE_INFINITY;

  constructor(
    private readonly send: (phase: Phase, counts: Counts) => Promise<void>,
    private readonly now: () => number,
  ) {}

  async tell(phase: Phase, counts: Counts): Promise<void> {
    const now = this.now();
    if (phase === this.phase && now - this.sentAtMs < SECOND_MS) return;
    this.phase = phase;
    this.sentAtMs = now;
    await this.send(phase, counts);
  }
}

const SECOND_MS = 1_000;
