import type { Fingerprinter } from './fingerprint.js';

/** The words a model was trained on, as sorted fingerprints. */
export class Originals {
  /** @param pairs (high, low) words, ascending */
  constructor(
    private readonly pairs: Uint32Array,
    private readonly fingerprinter: Fingerprinter,
  ) {}

  get size(): number {
    return this.pairs.length / 2;
  }

  /**
   * Whether the word `units[0, length)` was a training value. Never false for one that was; true for another
   * word with probability size / 2^64. Allocates nothing. Cost O(log size).
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
