import { TextExcerpt } from './text-excerpt.js';

const LONGEST_TEXT = 1_000;

/** Collects an excerpt of each text, which it reads piece by piece. */
export class TextCollector {
  readonly values: string[] = [];
  private excerpt = new TextExcerpt(LONGEST_TEXT);

  /** Adds a part of a text. */
  write(text: string): void {
    this.excerpt.push(text);
  }

  /** Ends a text. The next part belongs to another one. */
  end(): void {
    this.values.push(this.excerpt.finish());
    this.excerpt = new TextExcerpt(LONGEST_TEXT);
  }
}
