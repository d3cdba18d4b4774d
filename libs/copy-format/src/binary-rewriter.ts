import { ByteSink } from '@understudy/bytes';
import { HeadTooLongError, MAX_HEAD_BYTES } from './copy-rewriter.js';

/**
 * Writes new values for the head of one row in COPY's binary format. The head consists of the row's first
 * fields.
 * @param bytes contains the original head; valid only during the call
 * @param bounds field i of the head is `bytes[bounds[2i], bounds[2i + 1])`, without its length prefix. For
 * NULL, `bounds[2i + 1]` is −1
 * @param out receives the same number of fields, each with its length prefix
 */
export type BinaryHeadRewrite = (bytes: Uint8Array, bounds: Int32Array, out: ByteSink) => void;

/**
 * The size of the file header in bytes: the signature, the flags and the length of the header extension. No
 * server sends an extension (PostgreSQL docs, COPY).
 */
const FILE_HEADER_BYTES = 19;
const EXTENSION_LENGTH_AT = 15;

/**
 * Rewrites the first `headFields` fields of every row of a COPY binary stream and copies the rest of the row
 * unchanged. The server sends each row as one message (PostgreSQL docs, "COPY Operations"); a message may arrive in any
 * number of parts. Keeps at most the head of one row in memory.
 */
export class BinaryRewriter {
  /** The number of rows whose head was rewritten. */
  rows = 0;
  private readonly bounds: Int32Array;
  private hasBegun = false;
  private hasEnded = false;
  private inTail = false;
  /** The part of an incomplete head that has arrived. */
  private readonly pending = new ByteSink(1 << 12);
  /** The number of complete fields in the current head. */
  private fieldsFound = 0;
  /** The number of fields in the current row; −1 after the last row. */
  private fieldCount = 0;

  /** @param headFields the number of fields to rewrite, from 1 to the number of fields in a row */
  constructor(
    private readonly headFields: number,
    private readonly rewrite: BinaryHeadRewrite,
  ) {
    this.bounds = new Int32Array(2 * headFields);
  }

  /**
   * Reads `bytes[start, end)`, which is a message or the next part of one, and appends the rewritten bytes to
   * `out`.
   * @param isLast true if the message ends at `end`
   * @throws HeadTooLongError if the head is too long to keep in memory
   */
  take(bytes: Uint8Array, start: number, end: number, isLast: boolean, out: ByteSink): void {
    if (this.inTail) {
      out.write(bytes, start, end);
      this.inTail = !isLast;
      return;
    }
    if (this.pending.length > 0) {
      this.takeMore(bytes, start, end, isLast, out);
      return;
    }
    const headEnd = this.findHead(bytes, start, end);
    if (headEnd === -1) {
      if (isLast) throw new Error('a row of the COPY stream has too few fields');
      this.pending.write(bytes, start, end);
      return;
    }
    this.put(bytes, start, out);
    out.write(bytes, headEnd, end);
    this.inTail = !isLast;
  }

  /** Ends the stream. @throws Error if the stream is incomplete */
  finish(): void {
    if (!this.hasEnded || this.inTail) throw new Error('the COPY stream ended inside a row');
  }

  private takeMore(bytes: Uint8Array, start: number, end: number, isLast: boolean, out: ByteSink): void {
    const { pending } = this;
    pending.write(bytes, start, end);
    const whole = pending.bytes.subarray(0, pending.length);
    const headEnd = this.findHead(whole, 0, whole.length);
    if (headEnd === -1) {
      if (isLast) throw new Error('a row of the COPY stream has too few fields');
      if (whole.length > MAX_HEAD_BYTES) throw new HeadTooLongError(this.fieldsFound);
      return;
    }
    this.put(whole, 0, out);
    out.write(whole, headEnd, whole.length);
    pending.length = 0;
    this.inTail = !isLast;
  }

  /** Sets `bounds` and `fieldCount`. @returns the offset after the head, or −1 if the head is incomplete */
  private findHead(bytes: Uint8Array, start: number, end: number): number {
    const { bounds, headFields } = this;
    this.fieldsFound = 0;
    let at = start;
    if (!this.hasBegun) {
      if (end - at < FILE_HEADER_BYTES) return -1;
      at += FILE_HEADER_BYTES + int32(bytes, at + EXTENSION_LENGTH_AT);
    }
    if (end - at < 2) return -1;
    this.fieldCount = (((bytes[at] as number) << 24) >> 16) | (bytes[at + 1] as number);
    at += 2;
    if (this.fieldCount === -1) return at;
    for (let field = 0; field < headFields; field++) {
      if (end - at < 4) return -1;
      const length = int32(bytes, at);
      at += 4;
      bounds[2 * field] = at;
      if (length === -1) {
        bounds[2 * field + 1] = -1;
      } else {
        at += length;
        if (at > end) return -1;
        bounds[2 * field + 1] = at;
      }
      this.fieldsFound = field + 1;
    }
    return at;
  }

  private put(bytes: Uint8Array, start: number, out: ByteSink): void {
    if (!this.hasBegun) {
      this.hasBegun = true;
      out.write(bytes, start, start + FILE_HEADER_BYTES + int32(bytes, start + EXTENSION_LENGTH_AT));
    }
    if (this.fieldCount === -1) {
      this.hasEnded = true;
      writeInt16(out, -1);
      return;
    }
    this.rows++;
    writeInt16(out, this.fieldCount);
    this.rewrite(bytes, this.bounds, out);
  }
}

function int32(bytes: Uint8Array, at: number): number {
  return (
    ((bytes[at] as number) << 24) |
    ((bytes[at + 1] as number) << 16) |
    ((bytes[at + 2] as number) << 8) |
    (bytes[at + 3] as number)
  );
}

function writeInt16(out: ByteSink, value: number): void {
  out.writeByte((value >> 8) & 0xff);
  out.writeByte(value & 0xff);
}
