import { TextExcerpt } from './text-excerpt.js';
import { type MentionCounts, ValueSample } from './value-sample.js';

const LONGEST_TEXT = 1_000;
const MAX_VALUES = 500;

/** The texts of a column: some of their beginnings, and how many of all texts mention a person. */
export interface CollectedTexts {
  readonly values: readonly string[];
  readonly mentions: MentionCounts;
}

/** Collects the beginnings of a bounded number of texts, which it reads piece by piece, and searches all of them. */
export class TextCollector {
  private readonly texts = new ValueSample(MAX_VALUES);
  private excerpt = new TextExcerpt(LONGEST_TEXT);

  /** Adds a part of a text. */
  write(text: string): void {
    this.excerpt.push(text);
  }

  /** Ends a text. The next part belongs to another one. */
  end(): void {
    const { head, mention } = this.excerpt.finish();
    this.texts.add(head, mention);
    this.excerpt = new TextExcerpt(LONGEST_TEXT);
  }

  /** Returns what was found in the texts that have ended. */
  result(): CollectedTexts {
    return { values: this.texts.values, mentions: this.texts.mentions };
  }
}
