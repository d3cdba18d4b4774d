import type { Alphabet } from './alphabet.js';
import type { ModelGraph } from './model-graph.js';
import type { ModelMetadata } from './model-metadata.js';
import type { Originals } from './originals.js';
import type { Histogram } from './histogram.js';

/** A checked model. Its arrays are views of the file's bytes: those must not change while it is in use. */
export interface NgramModel extends ModelMetadata {
  readonly order: number;
  readonly tokenType: 'char' | 'word';
  /** Different symbols, END not counted. */
  readonly tokenCount: number;
  /** Transitions, those to END counted. */
  readonly ngramCount: number;
  readonly stateCount: number;
  readonly byteLength: number;
  /** The file's CRC-32 as eight hex digits: tells versions apart, proves nothing. */
  readonly checksum: string;
  readonly graph: ModelGraph;
  readonly alphabet: Alphabet;
  readonly statistics: ModelStatistics;
  /** `locked`: recorded under a key that the reader was not given. */
  readonly originals: Originals | 'locked' | 'none';
}

/**
 * In code points. No model learns or writes a longer value: a hostile one could otherwise go on for billions of
 * symbols.
 */
export const LONGEST_WORD = 65_536;

/** What prose modes need to know of the text a model was trained on; undefined where it was no prose. */
export interface ModelStatistics {
  /** Lengths of the values in code points. */
  readonly lengths: Histogram;
  /** Words a sentence. */
  readonly sentenceWords: Histogram | undefined;
  /** Sentences a paragraph. */
  readonly paragraphSentences: Histogram | undefined;
}

/** What compiling needs of a model. */
export type SampledModel = Pick<NgramModel, 'graph' | 'alphabet' | 'originals'>;
