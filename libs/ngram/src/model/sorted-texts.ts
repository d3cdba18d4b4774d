import { decodeUtf8 } from '@understudy/bytes';
import { utf8Bytes } from '@understudy/random';
import { utf8Length } from './utf8.js';

/**
 * Distinct texts in the form of the file, in ascending order of their UTF-8 bytes, which is the order of
 * their code points. Text i is `bytes[offsets[i], offsets[i + 1])`.
 */
export class SortedTexts {
  constructor(
    readonly offsets: Uint32Array,
    readonly bytes: Uint8Array,
  ) {}

  get size(): number {
    return this.offsets.length - 1;
  }

  text(index: number): string {
    return decodeUtf8(this.bytes, this.offsets[index] as number, this.offsets[index + 1] as number);
  }

  /** Returns the length of a text in code points. */
  lengthOf(index: number): number {
    return utf8Length(this.bytes, this.offsets[index] as number, this.offsets[index + 1] as number);
  }

  /** Returns the index of the text whose UTF-8 is `wanted[0, length)`, or -1. Takes O(length × log size). */
  find(wanted: Uint8Array, length = wanted.length): number {
    const index = this.lowerBound(wanted, length);
    if (index === this.size) return -1;
    const from = this.offsets[index] as number;
    if ((this.offsets[index + 1] as number) - from !== length) return -1;
    return this.compare(index, wanted, length) === 0 ? index : -1;
  }

  /** Returns the range of texts that start with `prefix`: from `first` up to, but not including, `end`. */
  range(prefix: string): { readonly first: number; readonly end: number } {
    const wanted = utf8Bytes(prefix);
    const first = this.lowerBound(wanted, wanted.length);
    let low = first;
    let high = this.size;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (this.compare(middle, wanted, wanted.length) === 0) low = middle + 1;
      else high = middle;
    }
    return { first, end: low };
  }

  /** Returns the index of the first text that is not less than `wanted`. */
  private lowerBound(wanted: Uint8Array, length: number): number {
    let low = 0;
    let high = this.size;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (this.compare(middle, wanted, length) < 0) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  /** Compares the first `length` bytes of a text with `wanted`. Ignores the rest of the text. */
  private compare(index: number, wanted: Uint8Array, length: number): number {
    const from = this.offsets[index] as number;
    const size = (this.offsets[index + 1] as number) - from;
    const shared = Math.min(size, length);
    for (let i = 0; i < shared; i += 1) {
      const difference = (this.bytes[from + i] as number) - (wanted[i] as number);
      if (difference !== 0) return difference;
    }
    return size < length ? -1 : 0;
  }
}
