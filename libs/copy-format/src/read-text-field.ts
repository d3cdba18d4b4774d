const BACKSLASH = 0x5c;
/** A buffer for UTF-16 units. Appending single characters to a string takes thirty times as much memory. */
const units = new Uint16Array(4096);

/** Tests whether the field `bytes[start, end)` is NULL, which is written as `\N`. The text `\N` is written as `\\N`. */
export function isNullField(bytes: Uint8Array, start: number, end: number): boolean {
  return end - start === 2 && bytes[start] === BACKSLASH && bytes[start + 1] === 0x4e;
}

/**
 * Returns the text of the field `bytes[start, end)` in COPY's text format, or null for NULL. Expects the
 * output of a server: valid UTF-8 (client_encoding UTF8) with single-letter escapes. Servers write no octal
 * or hexadecimal escapes.
 */
export function readTextField(bytes: Uint8Array, start: number, end: number): string | null {
  if (isNullField(bytes, start, end)) return null;
  let text = '';
  let count = 0;
  for (let at = start; at < end;) {
    const byte = bytes[at++] as number;
    if (byte === BACKSLASH && at < end) {
      units[count++] = unescape(bytes[at++] as number);
    } else if (byte < 0x80) {
      units[count++] = byte;
    } else {
      const extra = byte < 0xe0 ? 1 : byte < 0xf0 ? 2 : 3;
      let point = byte & (0x3f >> extra);
      for (let i = 0; i < extra; i++) point = (point << 6) | ((bytes[at++] ?? 0x80) & 0x3f);
      if (point > 0x10ffff) point = 0xfffd;
      if (point > 0xffff) units[count++] = 0xd7c0 + (point >> 10);
      units[count++] = point > 0xffff ? 0xdc00 | (point & 0x3ff) : point;
    }
    if (count > units.length - 2) {
      text += fromUnits(count);
      count = 0;
    }
  }
  return text + fromUnits(count);
}

function fromUnits(count: number): string {
  // Spread syntax uses an iterator and takes five times as long.
  return Reflect.apply(String.fromCharCode, null, units.subarray(0, count)) as string;
}

function unescape(letter: number): number {
  switch (letter) {
    case 0x62:
      return 0x08;
    case 0x66:
      return 0x0c;
    case 0x6e:
      return 0x0a;
    case 0x72:
      return 0x0d;
    case 0x74:
      return 0x09;
    case 0x76:
      return 0x0b;
    default:
      return letter;
  }
}
