import { textFromUnits } from './text-from-units.js';

/** Decodes `bytes[from, to)`, which must be valid UTF-8. */
export function decodeUtf8(bytes: Uint8Array, from: number, to: number): string {
  const units = new Uint16Array(to - from);
  let length = 0;
  for (let at = from; at < to;) {
    const lead = bytes[at] as number;
    if (lead < 0x80) {
      units[length++] = lead;
      at += 1;
    } else if (lead < 0xe0) {
      units[length++] = ((lead & 31) << 6) | rest(bytes, at + 1);
      at += 2;
    } else if (lead < 0xf0) {
      units[length++] = ((lead & 15) << 12) | (rest(bytes, at + 1) << 6) | rest(bytes, at + 2);
      at += 3;
    } else {
      const point =
        ((lead & 7) << 18) | (rest(bytes, at + 1) << 12) | (rest(bytes, at + 2) << 6) | rest(bytes, at + 3);
      units[length++] = 0xd7c0 + (point >>> 10);
      units[length++] = 0xdc00 + (point & 0x3ff);
      at += 4;
    }
  }
  return textFromUnits(units, length);
}

function rest(bytes: Uint8Array, at: number): number {
  return (bytes[at] as number) & 63;
}
