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

/** Events of which the journal has no line, not even a damaged one. */
export interface MissingEvents {
  /** The first line after them. */
  readonly before: SegmentLine;
  readonly count: number;
}

/**
 * Decides which damaged lines can be left out, and finds events that are missing. Events have consecutive numbers, so
 * the numbers before and after a damaged line show whether it was an event, and of which number. An acknowledged event
 * is no longer needed. Other messages are only needed by the `egress` command. The head of a segment repeats what
 * earlier segments contain. Performs no I/O.
 */
export class DamagedLines {
  private readonly all: SegmentLine[] = [];
  /** Damaged lines that may be events, since the last line with a number. */
  private unnumbered: SegmentLine[] = [];
  /** Such lines with the numbers that are missing there; undefined if the lines are too few for these numbers. */
  private readonly numbered: { lines: readonly SegmentLine[]; numbers: readonly number[] | undefined }[] = [];
  private heads: SegmentLine[] = [];
  /** Numbers without a line, and the line after them. */
  private readonly gaps: { before: SegmentLine; from: number; count: number }[] = [];
  /** False after segments that the journal has deleted, until the next line with a number. */
  private isContinuous = true;
  private readonly acknowledged = new Set<number>();
  private next = 1;
  private lastSegment = 0;

  /** Receives all lines of the journal in order. */
  add(line: SegmentLine): void {
    const { content, segment } = line;
    if (segment > this.lastSegment + 1) this.isContinuous = false;
    if (content === undefined) this.addDamaged(line);
    else if (content.kind === 'segment') {
      this.heads = [];
      this.found(content.next_journal_seq, line);
    } else if (content.kind === 'event') {
      this.found(content.journal_seq ?? 0, line);
      this.next = (content.journal_seq ?? 0) + 1;
    } else if (content.kind === 'acknowledged')
      for (const seq of content.journal_seqs) this.acknowledged.add(seq);
    this.lastSegment = segment;
  }

  /**
   * Returns the damaged lines that can be left out, those whose content may still be needed, and the missing events that
   * the control plane may not have.
   */
  result(): {
    readonly unneeded: readonly SegmentLine[];
    readonly needed: readonly SegmentLine[];
    readonly missing: readonly MissingEvents[];
  } {
    const last = { lines: this.unnumbered, numbers: range(this.next, this.unnumbered.length) };
    const needed = new Set([
      ...this.heads,
      ...[...this.numbered, last]
        .filter(({ numbers }) => numbers?.every((seq) => this.acknowledged.has(seq)) !== true)
        .flatMap(({ lines }) => lines),
    ]);
    const by = (isNeeded: boolean) => this.all.filter((line) => needed.has(line) === isNeeded);
    const missing = this.gaps.filter(
      ({ from, count }) =>
        count > this.acknowledged.size || !range(from, count).every((seq) => this.acknowledged.has(seq)),
    );
    return { unneeded: by(false), needed: by(true), missing };
  }

  private addDamaged(line: SegmentLine): void {
    this.all.push(line);
    if (line.line > 1) {
      if (line.mayBeEvent) this.unnumbered.push(line);
    } else if (line.segment > 1 && line.segment !== this.lastSegment + 1) this.heads.push(line);
  }

  /** @param seq the number of the next event at this line, or of the event in it */
  private found(seq: number, line: SegmentLine): void {
    const { unnumbered: lines, next, isContinuous } = this;
    this.isContinuous = true;
    if (isContinuous && lines.length === 0 && seq > next)
      this.gaps.push({ before: line, from: next, count: seq - next });
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
