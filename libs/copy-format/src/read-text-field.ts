const BACKSLASH = 0x5c;

/** Is the field `bytes[start, end)` NULL, that is `\N`? (The text `\N` itself is written `\\N`.) */
export function isNullField(bytes: Uint8Array, start: number, end: number): boolean {
  return end - start === 2 && bytes[start] === BACKSLASH && bytes[start + 1] === 0x4e;
}

/**
 * The text of the field `bytes[start, end)` of COPY's text format, null for NULL. Expects what a server writes: valid
 * UTF-8 (client_encoding UTF8) and the single-letter escapes; octal and hexadecimal ones are only ever input.
 */
export function readTextField(bytes: Uint8Array, start: number, end: number): string | null {
  if (isNullField(bytes, start, end)) return null;
  let text = '';
  let at = start;
  while (at < end) {
    const byte = bytes[at++] as number;
    if (byte === BACKSLASH && at < end) {
      text += unescape(bytes[at++] as number);
    } else if (byte < 0x80) {
      text += String.fromCharCode(byte);
    } else {
      const extra = byte < 0xe0 ? 1 : byte < 0xf0 ? 2 : 3;
      let point = byte & (0x3f >> extra);
      for (let i = 0; i < extra; i++) point = (point << 6) | ((bytes[at++] ?? 0x80) & 0x3f);
      text += String.fromCodePoint(point > 0x10ffff ? 0xfffd : point);
    }
  }
  return text;
}

function unescape(letter: number): string {
  switch (letter) {
    case 0x62:
      return '\b';
    case 0x66:
      return '\f';
    case 0x6e:
      return '\n';
    case 0x72:
      return '\r';
    case 0x74:
      return '\t';
    case 0x76:
      return '\v';
    default:
      return String.fromCharCode(letter);
  }
}
