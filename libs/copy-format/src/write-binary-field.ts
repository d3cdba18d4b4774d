import { type ByteSink, putCodePoint } from '@understudy/bytes';
import { NulCharacterError } from '@understudy/records';

/**
 * Appends `value` as one field of a text type in COPY's binary format: its length, then its UTF-8 bytes. An unpaired
 * surrogate becomes U+FFFD.
 * @throws NulCharacterError for text with U+0000; nothing is appended then
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
      // This code is repeated in each writer for speed; see putCodePoint.
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

/** Reserves space for the length of a field. The caller then appends the field's bytes. */
export function beginBinaryField(out: ByteSink): void {
  out.reserve(LENGTH_BYTES);
  out.length += LENGTH_BYTES;
}

/** Sets the length of the field that begins at `from` and ends at the end of `out`. */
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

/** Appends an unchanged field. @param end the end of the field, or −1 for NULL */
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
