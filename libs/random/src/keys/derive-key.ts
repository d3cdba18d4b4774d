import { type Key, sipHash128 } from './sip-hash.js';
import { utf8Bytes } from './utf8.js';

// Any constant does; this one is the first 128 bits of the fraction of pi.
const FIRST: Key = Object.freeze({ a: 0x243f6a88, b: 0x85a308d3 | 0, c: 0x13198a2e, d: 0x03707344 });

/**
 * The key all streams of one run descend from.
 * @param purpose keeps runs for different purposes apart
 * @param seed any integer that a number holds exactly
 */
export function rootKey(purpose: string, seed: number): Key {
  if (!Number.isSafeInteger(seed))
    throw new RangeError('a seed is an integer between -(2^53 - 1) and 2^53 - 1');
  return deriveKey(purposeKey(purpose), `seed ${seed}`);
}

/** The purpose of the last call: a program has few, and may ask for each of many short runs. */
let known: { readonly purpose: string; readonly key: Key } | undefined;

function purposeKey(purpose: string): Key {
  if (known?.purpose !== purpose) known = { purpose, key: deriveKey(FIRST, `understudy ${purpose}`) };
  return known.key;
}

const words = new Int32Array(4);

/**
 * A child key: a keyed hash of the label, so that labels of any likeness give unrelated keys. Costs a string
 * hash: do it once a column, never once a cell.
 */
export function deriveKey(parent: Key, label: string): Key {
  const bytes = utf8Bytes(label);
  sipHash128(parent, bytes, 0, bytes.length, words);
  const { 0: a = 0, 1: b = 0, 2: c = 0, 3: d = 0 } = words; // by index: the iterator of a typed array costs as much as the hash
  return Object.freeze({ a, b, c, d });
}
