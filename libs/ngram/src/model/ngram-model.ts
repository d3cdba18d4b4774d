import type { Alphabet } from './alphabet.js';
import type { ModelGraph } from './model-graph.js';
import type { ModelMetadata } from './model-metadata.js';
import type { ModelStatistics } from './model-statistics.js';
import type { Originals } from './originals.js';

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
