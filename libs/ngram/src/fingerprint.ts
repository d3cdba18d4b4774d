import { type Key, keyFromBytes, sipHash128 } from '@understudy/random';

/** The key of fingerprints that anybody may compute: models made from public data. */
export const PUBLIC_FINGERPRINT_KEY: Uint8Array = new Uint8Array(16);

/**
 * 64-bit keyed fingerprints of words: the first eight bytes of SipHash-2-4-128 over the word's UTF-8 bytes.
 * One object serves one thread; `low` and `high` hold the last answer, unsigned.
 */
export class Fingerprinter {
  low = 0;
  high = 0;
  private readonly key: Key;
  private readonly words = new Int32Array(4);
  private bytes = new Uint8Array(256);

  /** @param key 16 bytes */
  constructor(key: Uint8Array) {
    this.key = keyFromBytes(key);
  }

  /** Fingerprints `units[0, length)`, UTF-16 without lone surrogates. */
  ofUnits(units: Uint16Array, length: number): void {
    if (this.bytes.length < length * 3) this.bytes = new Uint8Array(length * 6);
    const end = this.encode(units, length);
    sipHash128(this.key, this.bytes, 0, end, this.words);
    this.low = (this.words[0] as number) >>> 0;
    this.high = (this.words[1] as number) >>> 0;
  }

  private encode(units: Uint16Array, length: number): number {
    const { bytes } = this;
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
}
