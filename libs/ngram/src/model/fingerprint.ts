import { type Key, keyFromBytes, sipHash128 } from '@understudy/random';
import { encodeUtf8 } from './utf8.js';

/** The key for models of public data. Everyone knows it, so anyone can compute these fingerprints. */
export const PUBLIC_FINGERPRINT_KEY: Uint8Array = new Uint8Array(16);

/**
 * Computes 64-bit keyed fingerprints of values: the first eight bytes of SipHash-2-4-128 over the value's
 * UTF-8 bytes. One object serves one thread. `low` and `high` contain the last result, unsigned.
 */
export class Fingerprinter {
  low = 0;
  high = 0;
  private readonly key: Key;
  private readonly words = new Int32Array(2);
  private bytes = new Uint8Array(256);

  /** @param key 16 bytes */
  constructor(key: Uint8Array) {
    this.key = keyFromBytes(key);
  }

  /** Computes the fingerprint of `units[0, length)`, which must be UTF-16 without lone surrogates. */
  ofUnits(units: Uint16Array, length: number): void {
    if (this.bytes.length < length * 3) this.bytes = new Uint8Array(length * 6);
    this.ofBytes(this.bytes, 0, encodeUtf8(units, length, this.bytes));
  }

  /** Computes the fingerprint of the text whose UTF-8 is `bytes[from, to)`. */
  ofBytes(bytes: Uint8Array, from: number, to: number): void {
    sipHash128(this.key, bytes, from, to, this.words);
    this.low = (this.words[0] as number) >>> 0;
    this.high = (this.words[1] as number) >>> 0;
  }
}
