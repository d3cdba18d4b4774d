/** A growing set of 64-bit fingerprints. A member takes 10 to 20 bytes, and is not a JavaScript object. */
export class FingerprintSet {
  size = 0;
  private lows = new Uint32Array(1024);
  private highs = new Uint32Array(1024);
  // (0, 0) marks a free slot, so this fingerprint is stored separately.
  private hasZero = false;

  /** @returns false if the fingerprint was a member already */
  add(high: number, low: number): boolean {
    if (high === 0 && low === 0) {
      if (this.hasZero) return false;
      this.hasZero = true;
      this.size += 1;
      return true;
    }
    if (this.size * 5 >= this.lows.length * 4) this.grow();
    if (!this.insert(high, low)) return false;
    this.size += 1;
    return true;
  }

  /** Returns all members as pairs (high, low), ascending. */
  sorted(): Uint32Array {
    const members = new BigUint64Array(this.size);
    // A pair of words is one 64-bit element with the low word first, as on little-endian machines.
    const words = new Uint32Array(members.buffer);
    let count = this.hasZero ? 1 : 0; // the zero is already at the start
    for (let slot = 0; slot < this.lows.length; slot += 1) {
      const high = this.highs[slot] as number;
      const low = this.lows[slot] as number;
      if (high === 0 && low === 0) continue;
      words[2 * count] = low;
      words[2 * count + 1] = high;
      count += 1;
    }
    members.sort();
    for (let i = 0; i < words.length; i += 2) {
      const low = words[i] as number;
      words[i] = words[i + 1] as number;
      words[i + 1] = low;
    }
    return words;
  }

  private insert(high: number, low: number): boolean {
    const mask = this.lows.length - 1;
    for (let slot = (low ^ high) & mask; ; slot = (slot + 1) & mask) {
      const heldHigh = this.highs[slot] as number;
      const heldLow = this.lows[slot] as number;
      if (heldHigh === high && heldLow === low) return false;
      if (heldHigh === 0 && heldLow === 0) {
        this.highs[slot] = high;
        this.lows[slot] = low;
        return true;
      }
    }
  }

  private grow(): void {
    const { lows, highs } = this;
    this.lows = new Uint32Array(lows.length * 2);
    this.highs = new Uint32Array(lows.length * 2);
    for (let slot = 0; slot < lows.length; slot += 1) {
      const high = highs[slot] as number;
      const low = lows[slot] as number;
      if (high !== 0 || low !== 0) this.insert(high, low);
    }
  }
}
