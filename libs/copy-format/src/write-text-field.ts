import { type ByteSink, putCodePoint } from '@understudy/bytes';
import { NulCharacterError } from '@understudy/records';

/** The letter after the backslash in escapes of COPY's text format, by byte (PostgreSQL docs, COPY, "Text Format"). */
const ESCAPES = new Uint8Array(128);
for (const [byte, letter] of [
  [0x08, 'b'],
  [0x09, 't'],
  [0x0a, 'n'],
  [0x0b, 'v'],
  [0x0c, 'f'],
  [0x0d, 'r'],
  [0x5c, '\\'],
] as const) {
  ESCAPES[byte] = letter.charCodeAt(0);
}

const BACKSLASH = 0x5c;

/** Returns the letter that represents a byte after a backslash, or 0 if the byte needs no escape. */
export function escapeOf(byte: number): number {
  return byte < 0x80 ? (ESCAPES[byte] as number) : 0;
}

/**
 * Appends `value` as one field of COPY's text format, in UTF-8. Writes the same bytes as the server, so equal texts have
 * equal bytes. An unpaired surrogate becomes U+FFFD.
 * @throws NulCharacterError for text with U+0000; nothing is appended then
 */
export function writeTextField(out: ByteSink, value: string): void {
  out.reserve(value.length * 3);
  const { bytes } = out;
  let at = out.length;
  for (let i = 0; i < value.length; i++) {
    const unit = value.charCodeAt(i);
    if (unit < 0x80) {
      if (unit === 0) throw new NulCharacterError();
      const escape = ESCAPES[unit] as number;
      if (escape !== 0) {
        bytes[at++] = BACKSLASH;
        bytes[at++] = escape;
      } else {
        bytes[at++] = unit;
      }
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
}

/** Appends NULL. */
export function writeNullField(out: ByteSink): void {
  out.reserve(2);
  out.bytes[out.length++] = BACKSLASH;
  out.bytes[out.length++] = 0x4e;
}
