import { utf8Bytes } from '@understudy/random';
import type { SortedTexts } from './sorted-texts.js';

/**
 * Maps the symbol numbers of a graph to characters or words. Symbol i + 1 is entry i of the alphabet. Symbol
 * 0 is END and has no text.
 */
export type Alphabet = CharAlphabet | WordAlphabet;

/** An alphabet of code points, ascending. */
export class CharAlphabet {
  readonly tokenType = 'char';

  constructor(readonly points: Uint32Array) {}

  get size(): number {
    return this.points.length;
  }

  text(symbol: number): string {
    return String.fromCodePoint(this.points[symbol - 1] as number);
  }

  /** Returns the symbol of a code point, or -1. Takes O(log size). */
  symbolOf(point: number): number {
    let low = 0;
    let high = this.points.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((this.points[middle] as number) < point) low = middle + 1;
      else high = middle;
    }
    return this.points[low] === point ? low + 1 : -1;
  }
}

/** An alphabet of words. None is empty or contains a space, because spaces separate words. */
export class WordAlphabet {
  readonly tokenType = 'word';
  private readonly decoded: (string | undefined)[] = [];
  private lengths: Uint32Array | undefined;

  constructor(readonly words: SortedTexts) {}

  get size(): number {
    return this.words.size;
  }

  /** Returns the word of a symbol. Each word is decoded at its first use. */
  text(symbol: number): string {
    return (this.decoded[symbol] ??= this.words.text(symbol - 1));
  }

  /** Returns the length of a word in code points. */
  lengthOf(symbol: number): number {
    this.lengths ??= Uint32Array.from({ length: this.size }, (_, i) => this.words.lengthOf(i));
    return this.lengths[symbol - 1] as number;
  }

  /** Returns the symbol of a word, or -1. */
  symbolOf(word: string): number {
    const index = this.words.find(utf8Bytes(word));
    return index < 0 ? -1 : index + 1;
  }

  /**
   * Returns the range of symbols whose words start with `prefix`: from `first` up to, but not including,
   * `end`.
   */
  symbolsFrom(prefix: string): { readonly first: number; readonly end: number } {
    const { first, end } = this.words.range(prefix);
    return { first: first + 1, end: end + 1 };
  }
}
