import type { Histogram } from './histogram.js';

/** What prose modes need to know of the text a model was trained on; undefined where it was no prose. */
export interface ModelStatistics {
  /** Lengths of the values in code points. */
  readonly lengths: Histogram;
  /** Words a sentence. */
  readonly sentenceWords: Histogram | undefined;
  /** Sentences a paragraph. */
  readonly paragraphSentences: Histogram | undefined;
}
