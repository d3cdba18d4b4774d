import type { GenerationMode } from '../model/model-metadata.js';

/**
 * The parameters of each mode. Counts are whole numbers. Texts are compared after NFC, and lengths count code
 * points. `MODE_LIMITS` contains the bounds. If `startsWith` is absent, the constraint of the same name
 * applies.
 */
export interface ModeParameters extends Record<GenerationMode, object> {
  readonly word: { readonly startsWith?: string };
  readonly sentence: {
    /** Default: drawn from the sentence lengths of the training text. */
    readonly wordCount?: number;
    /**
     * The mark that ends the sentence. If several are given, one is picked for each sentence. Default: `.`
     */
    readonly punctuation?: string | readonly string[];
    readonly startsWith?: string;
  };
  readonly text: {
    /** The maximum length including the suffix. Default: 200. */
    readonly maxChars?: number;
    /** Default: none. */
    readonly suffix?: string;
    readonly startsWith?: string;
  };
  readonly paragraph: {
    /** Default: drawn from the paragraph lengths of the training text. */
    readonly sentenceCount?: number;
    readonly startsWith?: string;
  };
  readonly poem: {
    /** The number of lines in total. Default: 4. */
    readonly verses?: number;
    /** The number of lines between blank lines. Default: 4. */
    readonly stanzaLength?: number;
    /** The maximum number of words per line. Default: 8. */
    readonly maxWords?: number;
  };
  readonly acrostic: {
    /** One line is generated for each code point, and starts with it. Default: none. */
    readonly initials?: string;
    /** The maximum number of words per line. Default: 8. */
    readonly maxWords?: number;
  };
  readonly real_word: { readonly prefix?: string };
}

/** The maximum values of parameters. The minimum of all counts is 1. */
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
  /** The number of elements of an array. */
  punctuations: 64,
});

/** The maximum length of a generated text in code points, for all modes. */
export const LONGEST_TEXT = 65_536;
