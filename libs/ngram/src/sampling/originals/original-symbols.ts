import type { Alphabet } from '../../model/alphabet.js';
import type { OriginalValues } from '../../model/originals.js';

const SPACE = 0x20;

/**
 * Calls `visit` with the symbols of each original that starts with `prefix`, in ascending order of the symbol
 * sequences. Skips originals that contain a code point or word outside the model's alphabet.
 * @param visit receives the same array at every call
 */
export function eachOriginal(
  { texts }: OriginalValues,
  alphabet: Alphabet,
  prefix: string,
  visit: (symbols: Int32Array, length: number, index: number) => void,
): void {
  const { offsets, bytes } = texts;
  const { first, end } = texts.range(prefix);
  const symbolize = alphabet.tokenType === 'char' ? pointSymbols(alphabet.points) : wordSymbols(alphabet);
  let symbols = new Int32Array(256);
  for (let index = first; index < end; index += 1) {
    const from = offsets[index] as number;
    const to = offsets[index + 1] as number;
    if (to - from > symbols.length) symbols = new Int32Array((to - from) * 2);
    const length = symbolize(bytes, from, to, symbols);
    if (length >= 0) visit(symbols, length, index);
  }
}

/**
 * Writes the symbols of the text `bytes[from, to)` into `symbols`.
 * @returns the number of symbols, or -1 if the text contains a code point or word outside the alphabet
 */
type Symbolize = (bytes: Uint8Array, from: number, to: number, symbols: Int32Array) => number;

function pointSymbols(points: Uint32Array): Symbolize {
  const numbers = new Map<number, number>();
  points.forEach((point, i) => numbers.set(point, i + 1));
  return (bytes, from, to, symbols) => {
    let length = 0;
    for (let at = from; at < to;) {
      const lead = bytes[at] as number;
      const size = lead < 0x80 ? 1 : lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : 4;
      let point = size === 1 ? lead : lead & (0xff >> (size + 1));
      for (let i = 1; i < size; i += 1) point = (point << 6) | ((bytes[at + i] as number) & 63);
      const symbol = numbers.get(point);
      if (symbol === undefined) return -1;
      symbols[length++] = symbol;
      at += size;
    }
    return length;
  };
}

function wordSymbols({ words }: Extract<Alphabet, { tokenType: 'word' }>): Symbolize {
  return (bytes, from, to, symbols) => {
    let length = 0;
    for (let at = from; at < to;) {
      let end = at;
      while (end < to && bytes[end] !== SPACE) end += 1;
      const index = words.find(bytes.subarray(at, end));
      if (index < 0) return -1;
      symbols[length++] = index + 1;
      at = end + 1;
    }
    return length;
  };
}
