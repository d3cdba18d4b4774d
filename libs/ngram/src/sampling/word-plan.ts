import type { ByteSink } from '@understudy/bytes';
import type { RandomStream } from '@understudy/random';

/**
 * The maximum number of draws for one word. If 1 % of the words are acceptable, all draws fail once in 10^43
 * words.
 */
export const MAX_ATTEMPTS = 10_000;
/** The maximum number of symbols drawn for one word, over all attempts. They take a fraction of a second. */
export const MAX_WALKED = 1 << 22;

/** The measured properties of one sampled word. */
export interface WordMeasure {
  readonly attempts: number;
  /** The number of symbols drawn, over all attempts. */
  readonly walked: number;
  /** The natural logarithm of the probability with which a single draw gives the accepted word. */
  readonly logProbability: number;
}

/** Samples words that meet the constraints of the plan. Serves one thread; not re-entrant. */
export interface WordPlan {
  /** The bytes of the plan's tables, including those that it shares with the model and other plans. */
  readonly byteLength: number;
  /**
   * Draws one word with its probability in the model under the constraints. Its only effect is to advance
   * `random`.
   * @throws AttemptsExhaustedError if no draw was acceptable, because the model has almost no such words
   */
  sample(random: RandomStream): string;
  /**
   * Draws like `sample`, and appends the word's UTF-8. Absent if that is not faster.
   * @returns false, without appending bytes, for a word that UTF-8 cannot encode or that contains NUL, which
   * PostgreSQL refuses; the caller must then reset `random`
   */
  readonly write?: (random: RandomStream, out: ByteSink) => boolean;
  /** Draws like `sample`, but returns measurements instead of the word. */
  measure(random: RandomStream): WordMeasure;
}
