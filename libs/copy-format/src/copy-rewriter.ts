import { ByteSink } from '@understudy/bytes';

/**
 * Writes the new beginning of one row.
 * @param bytes holds the row's head; valid during the call only
 * @param bounds field i of the head is `bytes[bounds[2i], bounds[2i + 1])`, still escaped
 * @param out takes the new fields, separated by tabs, without a separator at the end
 */
export type HeadRewrite = (bytes: Uint8Array, bounds: Int32Array, out: ByteSink) => void;

const TAB = 0x09;
const NEWLINE = 0x0a;

/**
 * Rewrites the first `headFields` fields of every row of a COPY text stream and passes the rest of the row through
 * unread. Correct for any split of the stream into chunks. Holds at most one row's head and one chunk's output: what
 * follows the head never piles up, however long it is.
 *
 * COPY text never holds a raw tab or newline inside a field: both are escaped (PostgreSQL docs, COPY, "Text Format"),
 * so looking for them before unescaping is safe.
 */
export class CopyRewriter {
  /** Rows whose end was seen. */
  rows = 0;
  private readonly bounds: Int32Array;
  private out = new ByteSink(0);
  /** A head that the last chunk cut. */
  private readonly pending = new ByteSink(1 << 12);
  /** Fields of the pending head that are whole; their bounds count from the head's start. */
  private fieldsFound = 0;
  private inTail = false;

  /** @param headFields at least 1 and at most the number of fields in a row */
  constructor(
    private readonly headFields: number,
    private readonly rewrite: HeadRewrite,
  ) {
    this.bounds = new Int32Array(2 * headFields);
  }

  /**
   * Appends to `out` what became ready; the caller may reuse the sink's buffer between calls.
   * @throws HeadTooLongError
   */
  push(received: Uint8Array, out: ByteSink): void {
    this.out = out;
    // Node's Buffer is a subclass whose subarray costs several times that of a plain view.
    const chunk = new Uint8Array(received.buffer, received.byteOffset, received.length);
    let at = 0;
    if (this.inTail) at = this.passTail(chunk, 0);
    else if (this.pending.length > 0) at = this.completeHead(chunk);
    while (at < chunk.length) {
      this.bounds[0] = at;
      const headEnd = this.findHead(chunk, at, chunk.length, 0);
      if (headEnd === -1) {
        for (let i = 0; i <= 2 * this.fieldsFound; i++) this.bounds[i] = (this.bounds[i] as number) - at;
        this.pending.write(chunk, at, chunk.length);
        break;
      }
      this.rewrite(chunk, this.bounds, this.out);
      at = this.passTail(chunk, headEnd);
    }
  }

  /**
   * The same of a stream whose rows are told apart: `bytes[start, end)` is a row with its newline, or the next part of one. A row that is there
   * as a whole needs no looking for its end.
   * @param isLast the row ends here
   * @throws HeadTooLongError
   */
  take(bytes: Uint8Array, start: number, end: number, isLast: boolean, out: ByteSink): void {
    if (!isLast || this.inTail || this.pending.length > 0) {
      this.push(bytes.subarray(start, end), out);
      return;
    }
    this.bounds[0] = start;
    const headEnd = this.findHead(bytes, start, end, 0);
    if (headEnd === -1) throw new Error('a row of the COPY stream has no end');
    this.rewrite(bytes, this.bounds, out);
    out.write(bytes, headEnd, end);
    this.rows++;
  }

  /** @throws if the stream ended inside a row */
  finish(): void {
    if (this.inTail || this.pending.length > 0) throw new Error('the COPY stream ended inside a row');
  }

  /**
   * Goes on looking for the head's end in `bytes[from, end)`, with `found` fields behind it; sets `bounds`.
   * @returns the place of the tab or newline after the head, −1 if not there (then `fieldsFound` is set)
   */
  private findHead(bytes: Uint8Array, from: number, end: number, found: number): number {
    const { bounds, headFields } = this;
    let field = found;
    for (let at = from; at < end; at++) {
      const byte = bytes[at] as number;
      if (byte > NEWLINE || byte < TAB) continue;
      bounds[2 * field + 1] = at;
      field++;
      if (field === headFields) return at;
      if (byte === NEWLINE) throw new Error('a row of the COPY stream has too few fields');
      bounds[2 * field] = at + 1;
    }
    this.fieldsFound = field;
    return -1;
  }

  /** Appends chunk bytes to the pending head until it is whole. @returns where the chunk goes on after the row */
  private completeHead(chunk: Uint8Array): number {
    const kept = this.pending.length;
    let scanned = kept;
    let taken = 0;
    // The head of a row is short; taking whole chunks for it would copy them in vain.
    for (let step = 1 << 10; taken < chunk.length; step *= 4) {
      const upTo = Math.min(chunk.length, taken + step);
      this.pending.write(chunk, taken, upTo);
      taken = upTo;
      const whole = this.pending.bytes.subarray(0, this.pending.length);
      const headEnd = this.findHead(whole, scanned, whole.length, this.fieldsFound);
      scanned = whole.length;
      if (headEnd === -1) {
        if (scanned > MAX_HEAD_BYTES) throw new HeadTooLongError(this.fieldsFound);
        continue;
      }
      this.rewrite(whole, this.bounds, this.out);
      this.pending.length = 0;
      return this.passTail(chunk, headEnd - kept);
    }
    return taken;
  }

  /** Passes `chunk[start …]` through up to and with the newline. @returns the place after it */
  private passTail(chunk: Uint8Array, start: number): number {
    const newline = chunk.indexOf(NEWLINE, start);
    const end = newline === -1 ? chunk.length : newline + 1;
    this.out.write(chunk, start, end);
    this.inTail = newline === -1;
    if (newline !== -1) this.rows++;
    return end;
  }
}

/** A row's head is held whole; past this it is an error instead of the process's memory. */
export const MAX_HEAD_BYTES = 64 * 1024 * 1024;

/** A row's head is too long to be held. */
export class HeadTooLongError extends Error {
  /** @param field the head's field that goes on past the limit, from 0 */
  constructor(readonly field: number) {
    super(`the fields that rules read hold more than ${MAX_HEAD_BYTES / 1024 / 1024} MiB in one row`);
    this.name = 'HeadTooLongError';
  }
}
