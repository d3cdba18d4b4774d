import { Histogram } from '../model/histogram.js';

/** Words a sentence, for models that were not trained on prose and draw theirs one by one: 4 to 12, mostly 6 to 9. */
export const DEFAULT_SENTENCE_WORDS = new Histogram(
  Uint32Array.of(4, 1, 5, 2, 6, 3, 7, 4, 8, 4, 9, 3, 10, 2, 11, 1, 12, 1),
);

/** Sentences a paragraph, for models that were not trained on prose: 3 to 6. */
export const DEFAULT_PARAGRAPH_SENTENCES = new Histogram(Uint32Array.of(3, 1, 4, 2, 5, 2, 6, 1));
