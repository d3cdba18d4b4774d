/** Longer than any value that is learned: the rest of such a line is left out, and the whole is counted as overlong. */
export const LONGEST_LINE = 1024 * 1024;

/** Splits text that comes in pieces into lines, without the ends of line (LF or CRLF). Holds one line. */
export class LineSplitter {
  private pending = '';
  /** The line began with as much as it may hold. */
  private isCut = false;

  constructor(private readonly line: (text: string) => void) {}

  push(text: string): void {
    let from = 0;
    for (let end = text.indexOf('\n'); end >= 0; end = text.indexOf('\n', from)) {
      this.append(text, from, end);
      this.end();
      from = end + 1;
    }
    this.append(text, from, text.length);
  }

  /** The end of the file: a last line needs no end of line. */
  finish(): void {
    if (this.pending !== '') this.end();
  }

  private append(text: string, from: number, to: number): void {
    if (this.isCut) return;
    this.pending = this.pending === '' ? text.slice(from, to) : this.pending + text.slice(from, to);
    if (this.pending.length < LONGEST_LINE) return;
    this.pending = this.pending.slice(0, LONGEST_LINE);
    this.isCut = true;
  }

  private end(): void {
    const { pending } = this;
    this.line(pending.endsWith('\r') ? pending.slice(0, -1) : pending);
    this.pending = '';
    this.isCut = false;
  }
}
