/**
 * Writes `units[0, length)`, UTF-16 without lone surrogates, as UTF-8.
 * @param bytes has room for three bytes per unit
 * @returns the number of bytes written
 */
export function encodeUtf8(units: Uint16Array, length: number, bytes: Uint8Array): number {
  let end = 0;
  for (let i = 0; i < length; i += 1) {
    const unit = units[i] as number;
    if (unit < 0x80) {
      bytes[end++] = unit;
    } else if (unit < 0x800) {
      bytes[end++] = 0xc0 | (unit >> 6);
      bytes[end++] = 0x80 | (unit & 63);
    } else if (unit >= 0xd800 && unit < 0xdc00) {
      i += 1;
      const point = 0x10000 + ((unit & 0x3ff) << 10) + ((units[i] as number) & 0x3ff);
      bytes[end++] = 0xf0 | (point >> 18);
      bytes[end++] = 0x80 | ((point >> 12) & 63);
      bytes[end++] = 0x80 | ((point >> 6) & 63);
      bytes[end++] = 0x80 | (point & 63);
    } else {
      bytes[end++] = 0xe0 | (unit >> 12);
      bytes[end++] = 0x80 | ((unit >> 6) & 63);
      bytes[end++] = 0x80 | (unit & 63);
    }
  }
  return end;
}

/**
 * Returns whether `bytes[from, to)` is UTF-8: shortest forms, no surrogates, nothing above U+10FFFF (Unicode,
 * table 3-7).
 */
export function isUtf8(bytes: Uint8Array, from: number, to: number): boolean {
  for (let at = from; at < to;) {
    const lead = bytes[at] as number;
    if (lead < 0x80) {
      at += 1;
      continue;
    }
    const length = lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : 4;
    if (lead < 0xc2 || lead > 0xf4 || at + length > to) return false;
    const second = bytes[at + 1] as number;
    const lowest = lead === 0xe0 ? 0xa0 : lead === 0xf0 ? 0x90 : 0x80;
    const highest = lead === 0xed ? 0x9f : lead === 0xf4 ? 0x8f : 0xbf;
    if (second < lowest || second > highest) return false;
    for (let i = 2; i < length; i += 1) if (((bytes[at + i] as number) & 0xc0) !== 0x80) return false;
    at += length;
  }
  return true;
}

/** Returns the number of code points of `bytes[from, to)`, which must be valid UTF-8. */
export function utf8Length(bytes: Uint8Array, from: number, to: number): number {
  let points = 0;
  for (let at = from; at < to; at += 1) if (((bytes[at] as number) & 0xc0) !== 0x80) points += 1;
  return points;
}
