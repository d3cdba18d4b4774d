/** What a training run saw and kept; numbers only, never values. */
export interface TrainingReport {
  /** Distinct non-empty values, after case folding and NFC. Of prose, a value is a sentence (word) or a word (char). */
  readonly distinctValues: number;
  /** Sum of their weights. */
  readonly totalWeight: number;
  /** Calls of `add` with an empty value, which no model learns. */
  readonly emptyValues: number;
  /** Values too long to learn (65,536 code points). */
  readonly overlongValues: number;
  /** Lengths in code points. */
  readonly shortestValue: number;
  readonly longestValue: number;
  /** Of prose alone. */
  readonly sentences: number;
  readonly paragraphs: number;
  /** Transitions seen, and how many of them `minValues` and the dead ends took away; zero before `finish`. */
  readonly transitionsSeen: number;
  readonly transitionsKept: number;
  readonly states: number;
}
