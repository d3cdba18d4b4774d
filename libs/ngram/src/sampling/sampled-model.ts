import type { NgramModel } from '../model/ngram-model.js';

/** What compiling needs of a model. */
export type SampledModel = Pick<NgramModel, 'graph' | 'alphabet' | 'originals'>;
