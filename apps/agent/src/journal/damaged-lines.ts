import type { JournalLine } from './journal-entry.js';

/** One line of a segment file. */
export interface SegmentLine {
  /** The number of the segment file. */
  readonly segment: number;
  /** The number of the line in the file, from 1. */
  readonly line: number;
  /** Undefined if the line is damaged. */
  readonly content: JournalLine | undefined;
  /** Whether a damaged line may be an event. */
  readonly mayBeEvent: boolean;
}

/**
 * Decides which damaged lines can be left out. Events have consecutive numbers, so the numbers before and after a
 * damaged line show whether it was an event, and of which number. An acknowledged event is no longer needed. Other
 * messages are only needed by the `egress` command. The head of a segment repeats what earlier segments contain.
 * Performs no I/O.
 */
export class DamagedLines {
  private readonly all: SegmentLine[] = [];
  /** Damaged lines that may be events, since the last line with a number. */
  private unnumbered: SegmentLine[] = [];
  /** Such lines with the numbers that are missing there; undefined if the lines are too few for these numbers. */
  private readonly numbered: { lines: readonly SegmentLine[]; numbers: readonly number[] | undefined }[] = [];
  private heads: SegmentLine[] = [];
  private readonly acknowledged = new Set<number>();
  private next = 1;
  private lastSegment = 0;

  /** Receives all lines of the journal in order. */
  add(line: SegmentLine): void {
    const { content, segment } = line;
    if (content === undefined) this.addDamaged(line);
    else if (content.kind === 'segment') {
      this.heads = [];
      this.found(content.next_journal_seq);
    } else if (content.kind === 'event') {
      this.found(content.journal_seq ?? 0);
      this.next = (content.journal_seq ?? 0) + 1;
    } else if (content.kind === 'acknowledged')
      for (const seq of content.journal_seqs) this.acknowledged.add(seq);
    this.lastSegment = segment;
  }

  /** Returns the damaged lines that can be left out, and those whose content may still be needed. */
  result(): { readonly unneeded: readonly SegmentLine[]; readonly needed: readonly SegmentLine[] } {
    const last = { lines: this.unnumbered, numbers: range(this.next, this.unnumbered.length) };
    const needed = new Set([
      ...this.heads,
      ...[...this.numbered, last]
        .filter(({ numbers }) => numbers?.every((seq) => this.acknowledged.has(seq)) !== true)
        .flatMap(({ lines }) => lines),
    ]);
    const by = (isNeeded: boolean) => this.all.filter((line) => needed.has(line) === isNeeded);
    return { unneeded: by(false), needed: by(true) };
  }

  private addDamaged(line: SegmentLine): void {
    this.all.push(line);
    if (line.line > 1) {
      if (line.mayBeEvent) this.unnumbered.push(line);
    } else if (line.segment > 1 && line.segment !== this.lastSegment + 1) this.heads.push(line);
  }

  /** @param seq the number of the next event at this point, or of this event */
  private found(seq: number): void {
    const { unnumbered: lines, next } = this;
    if (lines.length > 0) {
      const isPossible = seq >= next && seq - next <= lines.length;
      this.numbered.push({ lines, numbers: isPossible ? range(next, seq - next) : undefined });
      this.unnumbered = [];
    }
    this.next = Math.max(next, seq);
  }
}

function range(from: number, count: number): readonly number[] {
  return Array.from({ length: count }, (_, i) => from + i);
}
