const EVERY_MS = 200;

/** A line on stderr that is written again and again while long work goes on; nothing where stderr is no terminal. */
export class ProgressLine {
  private lastMs = 0;
  private shown = false;

  constructor(
    private readonly terminal: Pick<NodeJS.WriteStream, 'write' | 'isTTY'> = process.stderr,
    private readonly nowMs: () => number = () => performance.now(),
  ) {}

  /** Cheap enough for every chunk: the text is made when it is shown. */
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
