import type { GenerationMode } from '../model/model-metadata.js';

/**
 * The parameters of each mode. Counts are whole numbers, texts are compared after NFC, lengths count code points; the
 * bounds are those of `MODE_LIMITS`. Where `startsWith` is not given, that of the constraints is taken.
 */
export interface ModeParameters extends Record<GenerationMode, object> {
  readonly word: { readonly startsWith?: string };
  readonly sentence: {
    /** Default: as many as sentences have that the model was trained on. */
    readonly wordCount?: number;
    /** What ends the sentence; of several one is picked. Default `.` */
    readonly punctuation?: string | readonly string[];
    readonly startsWith?: string;
  };
  readonly text: {
    /** Default 200; the suffix counts. */
    readonly maxChars?: number;
    /** Default: none. */
    readonly suffix?: string;
    readonly startsWith?: string;
  };
  readonly paragraph: {
    /** Default: as many as paragraphs have that the model was trained on. */
    readonly sentenceCount?: number;
    readonly startsWith?: string;
  };
  readonly poem: {
    /** Lines in all. Default 4. */
    readonly verses?: number;
    /** Lines before a blank one. Default 4. */
    readonly stanzaLength?: number;
    /** Of a line. Default 8. */
    readonly maxWords?: number;
  };
  readonly acrostic: {
    /** A line for each of its code points, which it begins with. Default: none. */
    readonly initials?: string;
    /** Of a line. Default 8. */
    readonly maxWords?: number;
  };
  readonly real_word: { readonly prefix?: string };
}

/** The largest values that parameters may have; all counts are from 1. */
export const MODE_LIMITS = Object.freeze({
  wordCount: 1000,
  sentenceCount: 100,
  maxChars: 65_536,
  verses: 200,
  stanzaLength: 200,
  maxWords: 50,
  /** Code points. */
  initials: 200,
  startsWith: 1000,
  prefix: 1000,
  suffix: 1000,
  punctuation: 16,
  /** Members of an array. */
  punctuations: 64,
});

/** In code points: no mode makes a longer text. */
export const LONGEST_TEXT = 65_536;
