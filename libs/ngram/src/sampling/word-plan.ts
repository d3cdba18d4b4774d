import type { ByteSink } from '@understudy/bytes';
import type { RandomStream } from '@understudy/random';

/** Draws of one word before a plan gives up: a share of acceptable words of 1 % fails once in 10^43 words. */
export const MAX_ATTEMPTS = 10_000;
/** Symbols drawn for one word, over all attempts, before a plan gives up: a fraction of a second. */
export const MAX_WALKED = 1 << 22;

/** How likely the words are that a plan draws, before it draws again what it may not give. */
export interface WordMeasure {
  readonly attempts: number;
  /** Symbols drawn, over all attempts. */
  readonly walked: number;
  /** Of the accepted draw, among all draws. */
  readonly logProbability: number;
}

/** Samples words that meet the constraints it was compiled for. Serves one thread; not re-entrant. */
export interface WordPlan {
  /** Bytes of the plan's tables; what it shares with the model and other plans is counted. */
  readonly byteLength: number;
  /**
   * One word, with the model's probability given the constraints. Advances only `random`.
   * @throws AttemptsExhaustedError when no draw was acceptable: the model has next to no such words
   */
  sample(random: RandomStream): string;
  /**
   * Draws as `sample` does, and appends the word's UTF-8. Absent where that is no cheaper than the text.
   * @returns false, with nothing appended, for a word that UTF-8 or a server's text cannot hold; then `random` has to be set back
   */
  readonly write?: (random: RandomStream, out: ByteSink) => boolean;
  /** Draws as `sample` does, and measures the word instead of giving it. */
  measure(random: RandomStream): WordMeasure;
}
