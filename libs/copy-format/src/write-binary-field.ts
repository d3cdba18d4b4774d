import { type ByteSink, putCodePoint } from '@understudy/bytes';
import { NulCharacterError } from '@understudy/records';

/**
 * Appends `value` as one field of COPY's binary format, of a type that holds text: its length and its UTF-8. A surrogate without its pair
 * becomes U+FFFD.
 * @throws NulCharacterError with nothing appended
 */
export function writeBinaryText(out: ByteSink, value: string): void {
  out.reserve(4 + value.length * 3);
  const { bytes, length: from } = out;
  let at = from + 4;
  for (let i = 0; i < value.length; i++) {
    const unit = value.charCodeAt(i);
    if (unit < 0x80) {
      if (unit === 0) throw new NulCharacterError();
      bytes[at++] = unit;
    } else {
      // Not shared with the other writers: see putCodePoint.
      let point = unit;
      if (unit >= 0xd800 && unit < 0xe000) {
        point = value.codePointAt(i) as number;
        if (point > 0xffff) i++;
        else point = 0xfffd;
      }
      at = putCodePoint(bytes, at, point);
    }
  }
  out.length = at;
  putInt32(bytes, from, at - from - 4);
}

/** Makes room for a field's length; its bytes are appended after it. */
export function beginBinaryField(out: ByteSink): void {
  out.reserve(LENGTH_BYTES);
  out.length += LENGTH_BYTES;
}

/** Sets the length of the field that began at `from`, and ends with what was appended last. */
export function endBinaryField(out: ByteSink, from: number): void {
  putInt32(out.bytes, from, out.length - from - LENGTH_BYTES);
}

const LENGTH_BYTES = 4;

/** Appends NULL. */
export function writeBinaryNull(out: ByteSink): void {
  out.reserve(4);
  putInt32(out.bytes, out.length, -1);
  out.length += 4;
}

/** Appends a field as it was read. @param end −1 for NULL */
export function writeBinaryField(out: ByteSink, source: Uint8Array, start: number, end: number): void {
  if (end === -1) {
    writeBinaryNull(out);
    return;
  }
  out.reserve(4);
  putInt32(out.bytes, out.length, end - start);
  out.length += 4;
  out.write(source, start, end);
}

function putInt32(bytes: Uint8Array, at: number, value: number): void {
  bytes[at] = value >>> 24;
  bytes[at + 1] = value >>> 16;
  bytes[at + 2] = value >>> 8;
  bytes[at + 3] = value;
}
