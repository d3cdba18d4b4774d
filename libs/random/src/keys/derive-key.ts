import { type Key, sipHash128 } from './sip-hash.js';
import { utf8Bytes } from './utf8.js';

// Any constant would do; this is the first 128 bits of the fraction of pi.
const FIRST: Key = Object.freeze({ a: 0x243f6a88, b: 0x85a308d3 | 0, c: 0x13198a2e, d: 0x03707344 });

/**
 * Returns the key from which all streams of one run are derived.
 * @param purpose a text; runs with different purposes get unrelated keys, even with the same seed
 * @param seed a safe integer
 */
export function rootKey(purpose: string, seed: number): Key {
  if (!Number.isSafeInteger(seed))
    throw new RangeError('a seed must be an integer between -(2^53 - 1) and 2^53 - 1');
  return deriveKey(purposeKey(purpose), `seed ${seed}`);
}

/**
 * Caches the key of the latest purpose, because a program may derive keys for many short runs with the same
 * purpose.
 */
let known: { readonly purpose: string; readonly key: Key } | undefined;

function purposeKey(purpose: string): Key {
  if (known?.purpose !== purpose) known = { purpose, key: deriveKey(FIRST, `understudy ${purpose}`) };
  return known.key;
}

const words = new Int32Array(4);

/**
 * Derives a child key with a keyed hash of the label, so that even similar labels give unrelated keys. Every
 * call computes a hash, so call this once per column, not once per cell.
 */
export function deriveKey(parent: Key, label: string): Key {
  const bytes = utf8Bytes(label);
  sipHash128(parent, bytes, 0, bytes.length, words);
  const { 0: a = 0, 1: b = 0, 2: c = 0, 3: d = 0 } = words; // by index: the iterator of a typed array costs as much as the hash
  return Object.freeze({ a, b, c, d });
}
