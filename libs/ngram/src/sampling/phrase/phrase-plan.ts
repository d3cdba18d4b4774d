import type { RandomStream } from '@understudy/random';
import { AttemptsExhaustedError } from '../../errors.js';
import type { WordAlphabet } from '../../model/alphabet.js';
import { LONGEST_WORD } from '../../model/ngram-model.js';
import type { Originals } from '../../model/originals.js';
import { ChainWalk } from '../chain/chain-walk.js';
import type { DrawBudget } from '../draw-budget.js';
import { passes, type PhraseFilter } from './phrase-filter.js';
import { type WalkStart, type WordChain } from '../chain/word-chain.js';
import { MAX_ATTEMPTS, MAX_WALKED, type WordMeasure, type WordPlan } from '../word-plan.js';

export interface PhrasePlanParts {
  readonly chain: WordChain;
  readonly start: WalkStart;
  readonly alphabet: WordAlphabet;
  /** The words with which every phrase starts, as symbols. The walk continues after them. */
  readonly prefix: readonly number[];
  /**
   * Phrases that do not pass this filter are retried. The chain may already make such phrases rare or
   * impossible.
   */
  readonly filter: PhraseFilter;
  /** A draw that is one of these is retried. Undefined if the chain generates none of them. */
  readonly originals: Originals | undefined;
  readonly budget: DrawBudget | undefined;
}

/** Draws values of a model over words. */
export class PhrasePlan implements WordPlan {
  private readonly walk: ChainWalk;
  private readonly prefixLength: number;
  private readonly prefixText: string;
  private readonly maxSteps: number;
  /** The number of symbols drawn for the last word, over all attempts. */
  private walked = 0;
  private units = new Uint16Array(256);
  private text = '';

  constructor(private readonly parts: PhrasePlanParts) {
    const { alphabet, prefix, filter } = parts;
    this.walk = new ChainWalk(parts.chain, parts.start);
    this.prefixText = prefix.map((symbol) => alphabet.text(symbol)).join(' ');
    this.prefixLength = prefix.reduce((sum, symbol) => sum + alphabet.lengthOf(symbol) + 1, 0);
    this.maxSteps = Math.min(filter.maxWords, LONGEST_WORD) - prefix.length;
  }

  get byteLength(): number {
    return this.walk.byteLength;
  }

  sample(random: RandomStream): string {
    this.draw(random);
    return this.text;
  }

  measure(random: RandomStream): WordMeasure {
    const attempts = this.draw(random);
    return { attempts, walked: this.walked, logProbability: this.walk.lastLogProbability() };
  }

  /** Returns the share of draws that pass. Makes `most` draws, or fewer if the phrases are very long. */
  acceptedShare(random: RandomStream, most: number): number {
    let accepted = 0;
    let draws = 0;
    for (let walked = 0; draws < most && walked <= MAX_WALKED; draws += 1) {
      if (this.walk.walk(random, this.maxSteps) && this.accept()) accepted += 1;
      walked += this.walk.length;
    }
    return accepted / draws;
  }

  /**
   * Draws an acceptable phrase into `text`.
   * @returns the number of draws
   */
  private draw(random: RandomStream): number {
    this.walked = 0;
    for (let attempt = 1; ; attempt += 1) {
      const hasEnded = this.walk.walk(random, this.maxSteps);
      this.walked += this.walk.length;
      this.parts.budget?.spend(this.walk.length);
      if (hasEnded && this.accept()) return attempt;
      if (attempt === MAX_ATTEMPTS || this.walked > MAX_WALKED) throw new AttemptsExhaustedError(attempt);
    }
  }

  /**
   * Writes the last walk into `text`. Returns false if the phrase is not acceptable. If the phrase is too
   * long or too short, returns false without writing it.
   */
  private accept(): boolean {
    const { alphabet, filter, originals, prefix } = this.parts;
    const { length: steps } = this.walk;
    let length = this.prefixLength - 1 + steps;
    if (length < 0) length = 0;
    for (let i = 0; i < steps; i += 1) length += alphabet.lengthOf(this.walk.symbolAt(i));
    if (length > filter.maxLength || length > LONGEST_WORD || length < filter.minLength) return false;
    let text = this.prefixText;
    for (let i = 0; i < steps; i += 1) {
      const word = alphabet.text(this.walk.symbolAt(i));
      text += i === 0 && prefix.length === 0 ? word : ` ${word}`;
    }
    this.text = text;
    return passes(filter, text, length, prefix.length + steps) && !(originals && this.isOneOf(originals));
  }

  private isOneOf(originals: Originals): boolean {
    const { text } = this;
    if (text.length > this.units.length) this.units = new Uint16Array(text.length * 2);
    for (let i = 0; i < text.length; i += 1) this.units[i] = text.charCodeAt(i);
    return originals.has(this.units, text.length);
  }
}
