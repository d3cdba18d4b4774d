/** Statistics of a training run. They contain only numbers, never values. */
export interface TrainingReport {
  /**
   * The number of distinct non-empty values, after case folding and NFC. In prose, a value is a sentence for
   * word tokens and a word for char tokens.
   */
  readonly distinctValues: number;
  /** The sum of the weights of all learned values, including repeats. */
  readonly totalWeight: number;
  /** The number of calls of `add` with an empty value, which is not learned. */
  readonly emptyValues: number;
  /** The number of values with more than 65,536 code points, which are not learned. */
  readonly overlongValues: number;
  /** The length in code points of the shortest and the longest learned value. */
  readonly shortestValue: number;
  readonly longestValue: number;
  /** The numbers of sentences and paragraphs of the prose. */
  readonly sentences: number;
  readonly paragraphs: number;
  /**
   * `transitionsSeen` counts the distinct transitions that occurred. `finish` removes those that occurred in
   * fewer than `minValues` distinct values, and dead ends. `transitionsKept` counts the rest, and is 0 before
   * `finish`.
   */
  readonly transitionsSeen: number;
  readonly transitionsKept: number;
  readonly states: number;
}
