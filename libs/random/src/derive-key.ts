import type { Key } from './key.js';
import { sipHash128 } from './sip-hash.js';
import { utf8Bytes } from './utf8.js';

// Any constant does; this one is the first 128 bits of the fraction of pi.
const FIRST: Key = Object.freeze({ a: 0x243f6a88, b: 0x85a308d3 | 0, c: 0x13198a2e, d: 0x03707344 });

/**
 * The key all streams of one run descend from.
 * @param seed any integer that a number holds exactly
 */
export function rootKey(engineVersion: string, seed: number): Key {
  if (!Number.isSafeInteger(seed))
    throw new RangeError('a seed is an integer between -(2^53 - 1) and 2^53 - 1');
  return deriveKey(deriveKey(FIRST, `understudy ${engineVersion}`), `seed ${seed}`);
}

/**
 * A child key: a keyed hash of the label, so that labels of any likeness give unrelated keys. Costs a string
 * hash: do it once a column, never once a cell.
 */
export function deriveKey(parent: Key, label: string): Key {
  const bytes = utf8Bytes(label);
  const out = new Int32Array(4);
  sipHash128(parent, bytes, 0, bytes.length, out);
  const [a = 0, b = 0, c = 0, d = 0] = out;
  return Object.freeze({ a, b, c, d });
}
