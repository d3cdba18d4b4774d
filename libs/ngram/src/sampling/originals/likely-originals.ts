import type { Originals } from '../../model/originals.js';
import { edgeProbability, END_OF_WORD, type WalkStart, type WordChain } from '../chain/word-chain.js';

/** Writes the text of a sequence of symbols. Returns its number of UTF-16 units. */
export type WriteText = (
  symbols: Int32Array,
  length: number,
) => { readonly units: Uint16Array; readonly length: number };

/** The maximum number of prefixes of words that are inspected. */
const MAX_BEGINNINGS = 1 << 15;
/** The maximum number of UTF-16 units that are written for lookups, over all words. */
const MAX_WRITTEN = 1 << 22;
/** Prefixes with a probability below 2^-40 are ignored. */
const CLASSES = 40;

/**
 * Finds the training values that a chain can generate, within a budget. Looks up words of the chain in
 * `originals`, which may contain only fingerprints. Starts with the most probable words; probabilities are
 * rounded to powers of two. May miss training values, so the caller must check each generated word. Takes at
 * most about ten milliseconds.
 * @param most the maximum number of prefixes of words to inspect
 * @returns the training values as sequences of symbols after `start`, in ascending order
 */
export function likelyOriginals(
  chain: WordChain,
  start: WalkStart,
  originals: Originals,
  write: WriteText,
  most: number,
): Int32Array[] {
  const { firstEdge, target, symbol } = chain;
  const size = Math.max(1, Math.min(most, MAX_BEGINNINGS));
  // A prefix consists of its node, the number of the prefix before it, and its last symbol. Prefix 0 is
  // empty.
  const node = new Int32Array(size);
  const before = new Int32Array(size);
  const last = new Int32Array(size);
  const probability = new Float64Array(size);
  const depth = new Int32Array(size);
  const classes = Array.from({ length: CLASSES }, (): number[] => []);
  node[0] = start.node;
  probability[0] = 1;
  classes[0]?.push(0);
  let count = 1;
  let written = 0;
  let symbols = new Int32Array(64);
  const found: Int32Array[] = [];
  for (let group = 0; group < CLASSES; group += 1) {
    const waiting = classes[group] as number[];
    for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
      const at = node[next] as number;
      const length = depth[next] as number;
      const from = next === 0 ? start.firstEdge : (firstEdge[at] as number);
      const end = next === 0 ? start.endEdge : (firstEdge[at + 1] as number);
      for (let edge = from; edge < end; edge += 1) {
        if (target[edge] === END_OF_WORD) {
          if (length > symbols.length) symbols = new Int32Array(length * 2);
          for (let i = length - 1, held = next; i >= 0; i -= 1, held = before[held] as number) {
            symbols[i] = last[held] as number;
          }
          const text = write(symbols, length);
          if (originals.has(text.units, text.length)) found.push(symbols.slice(0, length));
          if (found.length === originals.size) return found.sort(ascending);
          written += text.length;
          continue;
        }
        const share = (probability[next] as number) * edgeProbability(chain, at, edge);
        let later = group;
        while (later < CLASSES && share < 2 ** -(later + 1)) later += 1;
        if (later === CLASSES) continue;
        if (count === size || written > MAX_WRITTEN) return found.sort(ascending);
        node[count] = target[edge] as number;
        before[count] = next;
        last[count] = symbol[edge] as number;
        probability[count] = share;
        depth[count] = length + 1;
        classes[later]?.push(count);
        count += 1;
      }
    }
  }
  return found.sort(ascending);
}

function ascending(x: Int32Array, y: Int32Array): number {
  const shared = Math.min(x.length, y.length);
  for (let i = 0; i < shared; i += 1) {
    const difference = (x[i] as number) - (y[i] as number);
    if (difference !== 0) return difference;
  }
  return x.length - y.length;
}

/** Returns a function that writes a prefix and the texts of symbols with `gap` between them. */
export function textWriter(textOf: (symbol: number) => string, prefix: string, gap: string): WriteText {
  let units = new Uint16Array(256);
  let length = 0;
  const append = (text: string) => {
    if (length + text.length > units.length) {
      const larger = new Uint16Array((length + text.length) * 2);
      larger.set(units);
      units = larger;
    }
    for (let i = 0; i < text.length; i += 1) units[length++] = text.charCodeAt(i);
  };
  return (symbols, count) => {
    length = 0;
    append(prefix);
    for (let i = 0; i < count; i += 1) {
      if (length > 0) append(gap);
      append(textOf(symbols[i] as number));
    }
    return { units, length };
  };
}
