/**
 * Longer lines are cut to this length, in UTF-16 code units. Training rejects a value of this length as too
 * long, so it never uses a cut line.
 */
export const LONGEST_LINE = 1024 * 1024;

/**
 * Splits a text into lines. The text arrives in pieces. Removes the line endings (LF or CRLF). Keeps at most
 * one line in memory.
 */
export class LineSplitter {
  private pending = '';
  /** True if the current line has reached the limit and the rest of it is dropped. */
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

  /** Ends the text. The last line may lack a line ending. */
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
