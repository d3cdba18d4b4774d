import type { Alphabet } from './alphabet.js';
import type { ModelGraph } from './model-graph.js';
import type { ModelMetadata } from './model-metadata.js';
import type { Originals } from './originals.js';
import type { Histogram } from './histogram.js';

/**
 * A checked model. Its arrays are views of the file's bytes. The bytes must not change while the model is in
 * use.
 */
export interface NgramModel extends ModelMetadata {
  readonly order: number;
  readonly tokenType: 'char' | 'word';
  /** The number of different symbols without END. */
  readonly tokenCount: number;
  /** The number of transitions, including those to END. */
  readonly ngramCount: number;
  readonly stateCount: number;
  readonly byteLength: number;
  /**
   * The file's CRC-32 as eight hex digits. It distinguishes versions of a model, but does not prove that the
   * file is authentic.
   */
  readonly checksum: string;
  readonly graph: ModelGraph;
  readonly alphabet: Alphabet;
  readonly statistics: ModelStatistics;
  /**
   * `locked` if the file contains fingerprints made with a key that the reader did not receive. `none` if the
   * file contains no originals.
   */
  readonly originals: Originals | 'locked' | 'none';
}

/**
 * The maximum length of a value in code points. Without a maximum, a word of a hostile model could have
 * billions of symbols.
 */
export const LONGEST_WORD = 65_536;

/**
 * Lengths in the training data. The numbers of words and sentences are undefined if the model was not trained
 * on prose.
 */
export interface ModelStatistics {
  /** Lengths of the values in code points. */
  readonly lengths: Histogram;
  /** Words per sentence. */
  readonly sentenceWords: Histogram | undefined;
  /** Sentences per paragraph. */
  readonly paragraphSentences: Histogram | undefined;
}

/** The parts of a model that `compileWord` needs. */
export type SampledModel = Pick<NgramModel, 'graph' | 'alphabet' | 'originals'>;
