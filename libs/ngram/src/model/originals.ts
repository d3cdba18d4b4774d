import type { Fingerprinter } from './fingerprint.js';
import type { SortedTexts } from './sorted-texts.js';
import { encodeUtf8 } from './utf8.js';

/** The training values of a model. */
export type Originals = OriginalFingerprints | OriginalValues;

/**
 * Sorted fingerprints of the training values. They can be compared with a text, but not converted back to
 * values.
 */
export class OriginalFingerprints {
  readonly kind = 'fingerprints';

  /** @param pairs the fingerprints in ascending order, each as a pair (high, low) of 32-bit words */
  constructor(
    private readonly pairs: Uint32Array,
    private readonly fingerprinter: Fingerprinter,
  ) {}

  get size(): number {
    return this.pairs.length / 2;
  }

  /**
   * Returns whether the text `units[0, length)` was a training value. Never returns false for a training
   * value. Returns true for another text with a probability of size / 2^64. Allocates nothing. Takes O(log
   * size).
   */
  has(units: Uint16Array, length: number): boolean {
    const { pairs, fingerprinter } = this;
    fingerprinter.ofUnits(units, length);
    const { high, low } = fingerprinter;
    let from = 0;
    let to = pairs.length >>> 1;
    while (from < to) {
      const middle = (from + to) >>> 1;
      const heldHigh = pairs[middle * 2] as number;
      const heldLow = pairs[middle * 2 + 1] as number;
      if (heldHigh < high || (heldHigh === high && heldLow < low)) from = middle + 1;
      else to = middle;
    }
    return pairs[from * 2] === high && pairs[from * 2 + 1] === low;
  }
}

/** The training values themselves, with their numbers of occurrences. */
export class OriginalValues {
  readonly kind = 'values';
  private scratch = new Uint8Array(256);

  constructor(
    readonly texts: SortedTexts,
    /** The sum of the counts of the texts up to and including this one. */
    readonly cumulative: Uint32Array,
  ) {}

  get size(): number {
    return this.texts.size;
  }

  /** Returns how often a value occurred in training. */
  countOf(index: number): number {
    return (this.cumulative[index] as number) - (index === 0 ? 0 : (this.cumulative[index - 1] as number));
  }

  /**
   * Returns whether the text `units[0, length)` was a training value. The text must be UTF-16 without lone
   * surrogates. Takes O(log size).
   */
  has(units: Uint16Array, length: number): boolean {
    if (this.scratch.length < length * 3) this.scratch = new Uint8Array(length * 6);
    const end = encodeUtf8(units, length, this.scratch);
    return this.texts.find(this.scratch, end) >= 0;
  }
}
