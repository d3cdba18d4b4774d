import { ByteSink } from '@understudy/bytes';

/**
 * Writes new values for the head of one row in COPY's text format. The head consists of the row's first
 * fields.
 * @param bytes contains the original head; valid only during the call
 * @param bounds field i of the head is `bytes[bounds[2i], bounds[2i + 1])`, still escaped
 * @param out receives the new fields, separated by tabs, without a tab at the end
 */
export type HeadRewrite = (bytes: Uint8Array, bounds: Int32Array, out: ByteSink) => void;

const TAB = 0x09;
const NEWLINE = 0x0a;

/**
 * Rewrites the first `headFields` fields of every row of a COPY text stream and copies the rest of the row unchanged.
 * The stream may be split into chunks at any byte. Keeps at most the head of one row and the output of one chunk in
 * memory, even if the rest of the row is long.
 *
 * A field never contains a raw tab or newline, because both are escaped (PostgreSQL docs, COPY, "Text Format"). The
 * class can therefore search for them without unescaping.
 */
export class CopyRewriter {
  /** The number of complete rows. */
  rows = 0;
  private readonly bounds: Int32Array;
  private out = new ByteSink(0);
  /** The beginning of a head that continues in the next chunk. */
  private readonly pending = new ByteSink(1 << 12);
  /** The number of complete fields in the pending head. Their bounds are relative to the start of the head. */
  private fieldsFound = 0;
  private inTail = false;

  /** @param headFields the number of fields to rewrite, from 1 to the number of fields in a row */
  constructor(
    private readonly headFields: number,
    private readonly rewrite: HeadRewrite,
  ) {
    this.bounds = new Int32Array(2 * headFields);
  }

  /**
   * Reads a chunk and appends the rewritten bytes to `out`. The caller may reuse the sink's buffer between calls.
   * @throws HeadTooLongError if a head is too long to keep in memory
   */
  push(received: Uint8Array, out: ByteSink): void {
    this.out = out;
    // `subarray` of Node's Buffer is several times slower than that of a Uint8Array.
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
   * Reads one row with its newline, or the next part of a row, from `bytes[start, end)`. This is faster than
   * `push`, because it does not search a complete row for its end.
   * @param isLast true if the row ends at `end`
   * @throws HeadTooLongError if the head is too long to keep in memory
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

  /** Ends the stream. @throws Error if the stream ends inside a row */
  finish(): void {
    if (this.inTail || this.pending.length > 0) throw new Error('the COPY stream ended inside a row');
  }

  /**
   * Searches `bytes[from, end)` for the end of the head, after `found` complete fields. Sets `bounds`.
   * @returns the offset of the tab or newline after the head, or −1 if the head is incomplete. Before it
   *   returns −1, also sets `fieldsFound`
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

  /**
   * Appends bytes of the chunk to the pending head. If the head is now complete, rewrites it and copies the
   * rest of the row.
   * @returns the offset in the chunk after the bytes of this row
   */
  private completeHead(chunk: Uint8Array): number {
    const kept = this.pending.length;
    let scanned = kept;
    let taken = 0;
    // Most heads are short, so small steps avoid copying the whole chunk.
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

  /**
   * Copies `chunk[start …]` up to and including the newline, or up to its end.
   * @returns the offset after the copied bytes
   */
  private passTail(chunk: Uint8Array, start: number): number {
    const newline = chunk.indexOf(NEWLINE, start);
    const end = newline === -1 ? chunk.length : newline + 1;
    this.out.write(chunk, start, end);
    this.inTail = newline === -1;
    if (newline !== -1) this.rows++;
    return end;
  }
}

/** The largest size of an incomplete head, which is kept in memory. A larger head is an error. */
export const MAX_HEAD_BYTES = 64 * 1024 * 1024;

/** Thrown if the head of a row is too long to keep in memory. */
export class HeadTooLongError extends Error {
  /** @param field the index of the field that exceeds the limit, from 0 */
  constructor(readonly field: number) {
    super(`the fields that rules read contain more than ${MAX_HEAD_BYTES / 1024 / 1024} MiB in one row`);
    this.name = 'HeadTooLongError';
  }
}
