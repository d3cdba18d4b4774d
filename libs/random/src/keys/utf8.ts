/**
 * Encodes a text as UTF-8. A lone surrogate becomes its own three bytes (WTF-8), so different texts never
 * have the same bytes.
 */
export function utf8Bytes(text: string): Uint8Array {
  return asciiBytes(text) ?? anyBytes(text);
}

/**
 * Encodes an ASCII text. Accesses characters by index, because iterating over a string costs ten times as
 * much.
 * @returns undefined if a character is not ASCII
 */
function asciiBytes(text: string): Uint8Array | undefined {
  const bytes = new Uint8Array(text.length);
  for (let i = 0; i < bytes.length; i += 1) {
    const code = text.charCodeAt(i);
    if (code >= 0x80) return undefined;
    bytes[i] = code;
  }
  return bytes;
}

function anyBytes(text: string): Uint8Array {
  const bytes = new Uint8Array(text.length * 3);
  let end = 0;
  for (const symbol of text) {
    const code = symbol.codePointAt(0) ?? 0;
    if (code < 0x80) {
      bytes[end++] = code;
    } else if (code < 0x800) {
      bytes[end++] = 0xc0 | (code >> 6);
      bytes[end++] = 0x80 | (code & 63);
    } else if (code < 0x10000) {
      bytes[end++] = 0xe0 | (code >> 12);
      bytes[end++] = 0x80 | ((code >> 6) & 63);
      bytes[end++] = 0x80 | (code & 63);
    } else {
      bytes[end++] = 0xf0 | (code >> 18);
      bytes[end++] = 0x80 | ((code >> 12) & 63);
      bytes[end++] = 0x80 | ((code >> 6) & 63);
      bytes[end++] = 0x80 | (code & 63);
    }
  }
  return bytes.subarray(0, end);
}
