import { isEmail, isWrittenAsPhone } from '../values/contact.js';

/** The characters around a mention that an excerpt contains at most. */
const MOST_OF_MENTION = 200;
/** A number inside a word, as in a hash, is no phone number. */
const PHONE = /(?<![A-Za-z0-9])\+?\d[\d ()-]{7,16}\d(?![A-Za-z0-9])/g;
const SEPARATORS = /[\s<>(),;:"'=]/;

/**
 * Keeps the beginning of a text of any length and, if a later part mentions an e-mail address or a phone
 * number, the first such mention. Needs memory only for what it keeps.
 */
export class TextExcerpt {
  private head = '';
  /** The end of the part behind the beginning, in which a mention may have begun. */
  private tail = '';
  private mention: string | undefined;

  /** @param most the number of characters to keep from the beginning */
  constructor(private readonly most: number) {}

  push(text: string): void {
    const room = this.most - this.head.length;
    if (room > 0) this.head += text.slice(0, room);
    if (room >= text.length || this.mention !== undefined) return;
    // A mention can begin in the head and end behind it.
    if (this.tail === '') this.tail = this.head.slice(-MOST_OF_MENTION);
    this.search(this.tail + text.slice(Math.max(0, room)), false);
  }

  /** Returns the beginning and the mention. The text must be complete. */
  finish(): string {
    if (this.mention === undefined && this.tail !== '') this.search(this.tail, true);
    return this.mention === undefined ? this.head : `${this.head} … ${this.mention}`;
  }

  private search(text: string, isEnd: boolean): void {
    this.mention = findMention(text, isEnd);
    this.tail = text.slice(-MOST_OF_MENTION);
  }
}

/**
 * Finds an e-mail address or a phone number.
 * @param isEnd whether the text ends here; if not, a mention at its end may continue
 */
function findMention(text: string, isEnd: boolean): string | undefined {
  for (let at = text.indexOf('@'); at !== -1; at = text.indexOf('@', at + 1)) {
    const word = wordAround(text, at);
    if (word.end === text.length && !isEnd) break;
    const address = text.slice(word.start, word.end).replace(/[.!?]+$/, '');
    if (isEmail(address)) return address;
  }
  for (const { 0: digits, index } of text.matchAll(PHONE)) {
    if (index + digits.length === text.length && !isEnd) break;
    if (isWrittenAsPhone(digits)) return digits;
  }
  return undefined;
}

function wordAround(text: string, at: number): { readonly start: number; readonly end: number } {
  let [start, end] = [at, at + 1];
  while (start > 0 && at - start < MOST_OF_MENTION && !SEPARATORS.test(text.charAt(start - 1))) start--;
  while (end < text.length && end - at < MOST_OF_MENTION && !SEPARATORS.test(text.charAt(end))) end++;
  return { start, end };
}

/** Tests whether a text, which may be a single word, contains an e-mail address or a phone number. */
export function hasMention(text: string): boolean {
  return findMention(text, true) !== undefined;
}
