import type { Progress } from './progress-log.js';

const EVERY_MS = 200;

/** A line on stderr that is overwritten while long work proceeds. Writes nothing if stderr is not a terminal. */
export class ProgressLine implements Progress {
  private lastMs = 0;
  private shown = false;

  constructor(
    private readonly terminal: Pick<NodeJS.WriteStream, 'write' | 'isTTY'> = process.stderr,
    private readonly nowMs: () => number = () => performance.now(),
  ) {}

  /** Shows the result of `text`, at most five times a second. */
  show(text: () => string): void {
    if (!this.terminal.isTTY) return;
    const now = this.nowMs();
    if (now - this.lastMs < EVERY_MS) return;
    this.lastMs = now;
    this.shown = true;
    this.terminal.write(`\r\x1b[K${text()}`);
  }

  clear(): void {
    if (this.shown) this.terminal.write('\r\x1b[K');
    this.shown = false;
  }
}
