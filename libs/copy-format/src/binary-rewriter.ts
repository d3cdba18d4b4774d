import { ByteSink } from '@understudy/bytes';
import { HeadTooLongError, MAX_HEAD_BYTES } from './copy-rewriter.js';

/**
 * Writes the new beginning of one row of COPY's binary format.
 * @param bytes holds the row's head; valid during the call only
 * @param bounds field i of the head is `bytes[bounds[2i], bounds[2i + 1])`, without its length; NULL: the end is −1
 * @param out takes as many new fields, each after its length
 */
export type BinaryHeadRewrite = (bytes: Uint8Array, bounds: Int32Array, out: ByteSink) => void;

/** Signature, flags and the length of an extension that no server sends (PostgreSQL docs, COPY, "Binary Format"). */
const FILE_HEADER_BYTES = 19;
const EXTENSION_LENGTH_AT = 15;

/**
 * Rewrites the first `headFields` fields of every row of a COPY binary stream and passes the rest of the row through unread. It is given
 * the stream as the server sends it, a message a row (PostgreSQL docs, "COPY Operations"), in whatever parts a message arrives. Holds at
 * most one row's head.
 */
export class BinaryRewriter {
  /** Rows that were begun. */
  rows = 0;
  private readonly bounds: Int32Array;
  private hasBegun = false;
  private hasEnded = false;
  private inTail = false;
  /** A head that has not arrived whole. */
  private readonly pending = new ByteSink(1 << 12);
  /** Fields of the head at hand that are whole. */
  private fieldsFound = 0;
  /** Fields of the row at hand; −1 after the last. */
  private fieldCount = 0;

  /** @param headFields at least 1 and at most the number of fields in a row; so many are written */
  constructor(
    private readonly headFields: number,
    private readonly rewrite: BinaryHeadRewrite,
  ) {
    this.bounds = new Int32Array(2 * headFields);
  }

  /**
   * Takes `bytes[start, end)`, a message or the next part of one, and appends to `out` what became ready.
   * @param isLast the message ends here
   * @throws HeadTooLongError
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

  /** @throws if the stream was not whole */
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

  /** Sets `bounds` and `fieldCount`. @returns the place after the head, −1 when it is not there as a whole */
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
