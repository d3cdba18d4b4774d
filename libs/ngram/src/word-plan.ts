import type { RandomStream } from '@understudy/random';
import { AttemptsExhaustedError } from './errors.js';
import type { Originals } from './originals.js';
import { textFromUnits } from './text-from-units.js';
import { END_OF_WORD, type WordChain } from './word-chain.js';
import { LONGEST_WORD } from './word-constraints.js';

/** Draws of one word before a plan gives up: a share of acceptable words of 1 % fails once in 10^43 words. */
export const MAX_ATTEMPTS = 10_000;
/** Symbols drawn for one word, over all attempts, before a plan gives up: a fraction of a second. */
const MAX_WALKED = 1 << 22;

export interface WordPlanParts {
  readonly chain: WordChain;
  readonly startNode: number;
  /** Code points of the model's symbols. */
  readonly symbols: Uint32Array;
  /** What every word begins with. */
  readonly prefix: readonly number[];
  /** Longer draws are drawn again; the chain may make them rare or impossible. */
  readonly maxLength: number;
  readonly originals: Originals | undefined;
}

/** Samples words that meet the constraints it was compiled for. Serves one thread; not re-entrant. */
export class WordPlan {
  private readonly chain: WordChain;
  private readonly startNode: number;
  private readonly symbols: Uint32Array;
  private readonly originals: Originals | undefined;
  private readonly prefixLength: number;
  private readonly prefixUnits: number;
  private readonly maxLength: number;
  private units = new Uint16Array(128);
  private walked = 0;

  constructor(parts: WordPlanParts) {
    this.chain = parts.chain;
    this.startNode = parts.startNode;
    this.symbols = parts.symbols;
    this.originals = parts.originals;
    this.maxLength = Math.min(parts.maxLength, LONGEST_WORD);
    this.prefixLength = parts.prefix.length;
    let end = 0;
    for (const point of parts.prefix) end = this.write(point, end);
    this.prefixUnits = end;
  }

  /** Bytes of the plan's own tables. */
  get byteLength(): number {
    const { firstEdge, cumulative, target, symbolIndex } = this.chain;
    return firstEdge.byteLength + cumulative.byteLength + target.byteLength + symbolIndex.byteLength;
  }

  /**
   * One word, with the model's probability given the constraints. Advances only `random`, and allocates the
   * word alone. Cost O(log k) a symbol for k continuations.
   * @throws AttemptsExhaustedError when no draw was acceptable: the model has next to no new words
   */
  sample(random: RandomStream): string {
    this.walked = 0;
    for (let attempt = 1; ; attempt += 1) {
      const length = this.walk(random);
      if (length >= 0 && (this.originals === undefined || !this.originals.has(this.units, length))) {
        return textFromUnits(this.units, length);
      }
      if (attempt === MAX_ATTEMPTS || this.walked > MAX_WALKED) throw new AttemptsExhaustedError(attempt);
    }
  }

  /** Writes a word into `units`. @returns its UTF-16 length, or -1 when it got too long */
  private walk(random: RandomStream): number {
    const { firstEdge, cumulative, target, symbolIndex } = this.chain;
    const { symbols, maxLength } = this;
    let node = this.startNode;
    let length = this.prefixLength;
    let end = this.prefixUnits;
    for (;;) {
      let edge = firstEdge[node] as number;
      let last = (firstEdge[node + 1] as number) - 1;
      if (edge < last) {
        const drawn = random.float53();
        while (edge < last) {
          const middle = (edge + last) >>> 1;
          if (drawn < (cumulative[middle] as number)) last = middle;
          else edge = middle + 1;
        }
      }
      const next = target[edge] as number;
      if (next === END_OF_WORD) return end;
      if (length === maxLength) {
        this.walked += length;
        return -1;
      }
      length += 1;
      end = this.write(symbols[symbolIndex[edge] as number] as number, end);
      node = next;
    }
  }

  private write(point: number, end: number): number {
    if (end + 2 > this.units.length) {
      const larger = new Uint16Array(this.units.length * 2);
      larger.set(this.units);
      this.units = larger;
    }
    if (point < 0x10000) {
      this.units[end] = point;
      return end + 1;
    }
    this.units[end] = 0xd7c0 + (point >>> 10);
    this.units[end + 1] = 0xdc00 + (point & 0x3ff);
    return end + 2;
  }
}
