const EVERY_MS = 1000;

/** What happens, as one JSON object a line, for programs that follow long work. */
export class JsonLines {
  private lastMs = Number.NEGATIVE_INFINITY;

  constructor(
    private readonly stream: Pick<NodeJS.WriteStream, 'write'>,
    private readonly nowMs: () => number = () => performance.now(),
  ) {}

  /** Written at once. */
  event(event: Readonly<Record<string, unknown>>): void {
    this.stream.write(`${JSON.stringify(event)}\n`);
  }

  /** Written at most once a second; the object is made when it is written. */
  progress(event: () => Readonly<Record<string, unknown>>): void {
    const now = this.nowMs();
    if (now - this.lastMs < EVERY_MS) return;
    this.lastMs = now;
    this.event(event());
  }
}
