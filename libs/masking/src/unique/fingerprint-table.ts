/** The maximum number of values in one table. They take 128 MiB, or 192 MiB if each value has a number. */
export const MAX_FINGERPRINTS = 10_000_000;

const SHARDS = 64;
const FIRST_SLOTS = 16;

/**
 * A set of 64-bit fingerprints, each with an optional number. It uses open addressing in typed arrays, with 8
 * or 12 bytes per slot. The top bits of a fingerprint select one of 64 shards, so that growing copies only
 * one shard at a time.
 */
export class FingerprintTable {
  size = 0;
  private readonly stride: 2 | 3;
  private readonly shards: Int32Array[];
  private readonly counts = new Int32Array(SHARDS);

  constructor(withNumbers = false) {
    this.stride = withNumbers ? 3 : 2;
    this.shards = Array.from({ length: SHARDS }, () => new Int32Array(FIRST_SLOTS * this.stride));
  }

  /**
   * Adds a fingerprint.
   * @returns false if the table already contains the fingerprint; its number then stays unchanged
   */
  add(high: number, low: number, number = 0): boolean {
    const at = shardOf(high);
    if ((this.counts[at] as number) * 4 >= this.slotsOf(at) * 3) this.grow(at);
    const shard = this.shards[at] as Int32Array;
    const slot = find(shard, this.stride, high, low);
    if (isTaken(shard, slot)) return false;
    put(shard, slot, high, low);
    if (this.stride === 3) shard[slot + 2] = number;
    this.counts[at] = (this.counts[at] as number) + 1;
    this.size++;
    return true;
  }

  has(high: number, low: number): boolean {
    const shard = this.shards[shardOf(high)] as Int32Array;
    return isTaken(shard, find(shard, this.stride, high, low));
  }

  /** Returns the fingerprint's number, or -1 if the table does not contain the fingerprint. */
  numberOf(high: number, low: number): number {
    const shard = this.shards[shardOf(high)] as Int32Array;
    const slot = find(shard, this.stride, high, low);
    return isTaken(shard, slot) ? (shard[slot + 2] as number) : -1;
  }

  private slotsOf(at: number): number {
    return (this.shards[at] as Int32Array).length / this.stride;
  }

  private grow(at: number): void {
    const { stride } = this;
    const old = this.shards[at] as Int32Array;
    const grown = new Int32Array(old.length * 2);
    for (let slot = 0; slot < old.length; slot += stride) {
      if (!isTaken(old, slot)) continue;
      const to = find(grown, stride, old[slot] as number, old[slot + 1] as number);
      for (let i = 0; i < stride; i++) grown[to + i] = old[slot + i] as number;
    }
    this.shards[at] = grown;
  }
}

function shardOf(high: number): number {
  return high >>> 26;
}

/** Two zero words mark a free slot. Therefore, the fingerprint of two zero words is stored as 0 1. */
function isTaken(shard: Int32Array, slot: number): boolean {
  return shard[slot] !== 0 || shard[slot + 1] !== 0;
}

function put(shard: Int32Array, slot: number, high: number, low: number): void {
  shard[slot] = high;
  shard[slot + 1] = high === 0 && low === 0 ? 1 : low;
}

/** Finds the slot of a fingerprint, or the free slot where it belongs. */
function find(shard: Int32Array, stride: number, high: number, low: number): number {
  const slots = shard.length / stride;
  const wanted = high === 0 && low === 0 ? 1 : low;
  let slot = (low & (slots - 1)) * stride;
  while (isTaken(shard, slot) && (shard[slot] !== high || shard[slot + 1] !== wanted)) {
    slot += stride;
    if (slot === shard.length) slot = 0;
  }
  return slot;
}
