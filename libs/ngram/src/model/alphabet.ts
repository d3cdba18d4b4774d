import { utf8Bytes } from '@understudy/random';
import type { SortedTexts } from './sorted-texts.js';

/** What the symbol numbers of a graph stand for: symbol i + 1 is entry i. 0 is END and stands for nothing. */
export type Alphabet = CharAlphabet | WordAlphabet;

/** Code points, ascending. */
export class CharAlphabet {
  readonly tokenType = 'char';

  constructor(readonly points: Uint32Array) {}

  get size(): number {
    return this.points.length;
  }

  text(symbol: number): string {
    return String.fromCodePoint(this.points[symbol - 1] as number);
  }

  /** The symbol of a code point, or -1. Cost O(log size). */
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

/** Words: none is empty or holds a space, which stands between them. */
export class WordAlphabet {
  readonly tokenType = 'word';
  private readonly decoded: (string | undefined)[] = [];
  private lengths: Uint32Array | undefined;

  constructor(readonly words: SortedTexts) {}

  get size(): number {
    return this.words.size;
  }

  /** Decoded when first asked for. */
  text(symbol: number): string {
    return (this.decoded[symbol] ??= this.words.text(symbol - 1));
  }

  /** In code points. */
  lengthOf(symbol: number): number {
    this.lengths ??= Uint32Array.from({ length: this.size }, (_, i) => this.words.lengthOf(i));
    return this.lengths[symbol - 1] as number;
  }

  /** The symbol of a word, or -1. */
  symbolOf(word: string): number {
    const index = this.words.find(utf8Bytes(word));
    return index < 0 ? -1 : index + 1;
  }

  /** The symbols whose words begin with `prefix`: `first` to `end`, not included. */
  symbolsFrom(prefix: string): { readonly first: number; readonly end: number } {
    const { first, end } = this.words.range(prefix);
    return { first: first + 1, end: end + 1 };
  }
}
