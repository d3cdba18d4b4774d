import { type ByteSink, putCodePoint, textFromUnits } from '@understudy/bytes';
import type { RandomStream } from '@understudy/random';
import { AttemptsExhaustedError } from '../../errors.js';
import { LONGEST_WORD } from '../../model/ngram-model.js';
import type { Originals } from '../../model/originals.js';
import { ChainWalk } from '../chain/chain-walk.js';
import type { DrawBudget } from '../draw-budget.js';
import { freeStart, type WordChain } from '../chain/word-chain.js';
import { MAX_ATTEMPTS, MAX_WALKED, type WordMeasure, type WordPlan } from '../word-plan.js';

export interface CharPlanParts {
  readonly chain: WordChain;
  readonly startNode: number;
  /** The code points of the model's symbols. */
  readonly points: Uint32Array;
  /** The symbols with which every word starts. */
  readonly prefix: readonly number[];
  /** Longer words are retried. The chain may already make longer words rare or impossible. */
  readonly maxLength: number;
  /** A draw that is one of these is retried. Undefined if the chain generates none of them. */
  readonly originals: Originals | undefined;
  readonly budget: DrawBudget | undefined;
}

/** Draws words of a model over code points. Allocates only the word. */
export class CharPlan implements WordPlan {
  private readonly walk: ChainWalk;
  private readonly points: Uint32Array;
  private readonly originals: Originals | undefined;
  private readonly budget: DrawBudget | undefined;
  private readonly prefix: readonly number[];
  private readonly prefixUnits: number;
  private readonly maxSteps: number;
  /** The number of symbols drawn for the last word, over all attempts. */
  private walked = 0;
  private units = new Uint16Array(128);
  private end = 0;

  constructor(parts: CharPlanParts) {
    this.walk = new ChainWalk(parts.chain, freeStart(parts.chain, parts.startNode));
    this.points = parts.points;
    this.originals = parts.originals;
    this.budget = parts.budget;
    this.maxSteps = Math.min(parts.maxLength, LONGEST_WORD) - parts.prefix.length;
    this.prefix = parts.prefix;
    this.reserve(parts.prefix.length);
    for (const symbol of parts.prefix) this.append(symbol);
    this.prefixUnits = this.end;
  }

  get byteLength(): number {
    return this.walk.byteLength;
  }

  sample(random: RandomStream): string {
    this.draw(random);
    if (this.originals === undefined) this.writePath();
    return textFromUnits(this.units, this.end);
  }

  write(random: RandomStream, out: ByteSink): boolean {
    this.draw(random);
    const { prefix, points } = this;
    const { path, length, chain } = this.walk;
    const { symbol } = chain;
    out.reserve((prefix.length + length) * 4);
    const { bytes } = out;
    let at = out.length;
    for (let i = -prefix.length; i < length; i += 1) {
      const drawn = (i < 0 ? prefix[i + prefix.length] : symbol[path[i] as number]) as number;
      const point = points[drawn - 1] as number;
      if (point < 0x80) {
        if (point === 0) return false;
        bytes[at++] = point;
      } else {
        if (point >= 0xd800 && point < 0xe000) return false;
        at = putCodePoint(bytes, at, point);
      }
    }
    out.length = at;
    return true;
  }

  measure(random: RandomStream): WordMeasure {
    const attempts = this.draw(random);
    return { attempts, walked: this.walked, logProbability: this.walk.lastLogProbability() };
  }

  /**
   * Draws an acceptable word into the walk, and into `units` if there are originals.
   * @returns the number of draws
   */
  private draw(random: RandomStream): number {
    this.walked = 0;
    for (let attempt = 1; ; attempt += 1) {
      const hasEnded = this.walk.walk(random, this.maxSteps);
      this.walked += this.walk.length;
      this.budget?.spend(this.walk.length);
      if (hasEnded && !this.isOriginal()) return attempt;
      if (attempt === MAX_ATTEMPTS || this.walked > MAX_WALKED) throw new AttemptsExhaustedError(attempt);
    }
  }

  private isOriginal(): boolean {
    if (this.originals === undefined) return false;
    this.writePath();
    return this.originals.has(this.units, this.end);
  }

  private writePath(): void {
    const { length } = this.walk;
    this.end = this.prefixUnits;
    this.reserve(length);
    for (let i = 0; i < length; i += 1) this.append(this.walk.symbolAt(i));
  }

  private reserve(symbols: number): void {
    if (this.end + symbols * 2 <= this.units.length) return;
    const larger = new Uint16Array((this.end + symbols * 2) * 2);
    larger.set(this.units);
    this.units = larger;
  }

  private append(symbol: number): void {
    const point = this.points[symbol - 1] as number;
    if (point < 0x10000) {
      this.units[this.end++] = point;
    } else {
      this.units[this.end++] = 0xd7c0 + (point >>> 10);
      this.units[this.end++] = 0xdc00 + (point & 0x3ff);
    }
  }
}
