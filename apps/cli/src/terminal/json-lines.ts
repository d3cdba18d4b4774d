const EVERY_MS = 1000;

/** Writes events of long work as JSON, one object per line, for programs. */
export class JsonLines {
  private lastMs = Number.NEGATIVE_INFINITY;

  constructor(
    private readonly stream: Pick<NodeJS.WriteStream, 'write'>,
    private readonly nowMs: () => number = () => performance.now(),
  ) {}

  event(event: Readonly<Record<string, unknown>>): void {
    this.stream.write(`${JSON.stringify(event)}\n`);
  }

  /** Writes a progress event at most once a second. Calls `event` only if the event is written. */
  progress(event: () => Readonly<Record<string, unknown>>): void {
    const now = this.nowMs();
    if (now - this.lastMs < EVERY_MS) return;
    this.lastMs = now;
    this.event(event());
  }
}
