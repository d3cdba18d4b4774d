import { findMention, LONGEST_MENTION, type Mention } from '../mentions/find-mention.js';

/** The number of characters that one search inspects. */
const WINDOW = 8_192;

/** The beginning of a text, and what the whole text mentions first. */
export interface Excerpt {
  readonly head: string;
  readonly mention: Mention | undefined;
}

/**
 * Keeps the beginning of a text of any length, and searches all of the text for a mention of a person. Needs memory
 * only for what it keeps.
 */
export class TextExcerpt {
  private head = '';
  /** The part that is not searched, and the end of the part before it, in which a mention may have begun. */
  private rest = '';
  private mention: Mention | undefined;

  /** @param most the number of characters to keep from the beginning */
  constructor(private readonly most: number) {}

  push(text: string): void {
    const room = this.most - this.head.length;
    if (room > 0) this.head += text.slice(0, room);
    if (this.mention !== undefined) return;
    this.rest += text;
    if (this.rest.length >= WINDOW) this.search(false);
  }

  /** Returns the beginning and the mention. The text must be complete. */
  finish(): Excerpt {
    if (this.mention === undefined && this.rest !== '') this.search(true);
    return { head: this.head, mention: this.mention };
  }

  private search(isEnd: boolean): void {
    this.mention = findMention(this.rest, isEnd);
    this.rest = this.rest.slice(-LONGEST_MENTION);
  }
}
