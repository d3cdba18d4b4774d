const EVERY_MS = 10_000;

/** Shows the progress of long work on stderr. */
export interface Progress {
  /** Shows the result of `text`, or skips it if the last one is recent. Calls `text` only if its result is shown. */
  show(text: () => string): void;
  /** Removes what would be left on the line. Called before other code prints. */
  clear(): void;
}

/** Writes the progress of long work as lines of a log, one every ten seconds. */
export class ProgressLog implements Progress {
  private lastMs: number;

  constructor(
    private readonly stream: Pick<NodeJS.WriteStream, 'write'> = process.stderr,
    private readonly nowMs: () => number = () => performance.now(),
  ) {
    this.lastMs = nowMs();
  }

  show(text: () => string): void {
    const now = this.nowMs();
    if (now - this.lastMs < EVERY_MS) return;
    this.lastMs = now;
    this.stream.write(`${text()}\n`);
  }

  clear(): void {
    // Nothing to do: a log has only complete lines.
  }
}
