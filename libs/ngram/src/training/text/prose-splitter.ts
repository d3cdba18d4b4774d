import { isWhiteSpace } from './character-classes.js';

export interface ProseListener {
  /** Receives a sentence, `text[from, to)`, without its final marks. It may be blank. */
  sentence(text: string, from: number, to: number): void;
  /** Called for a sentence that is longer than `LONGEST_SENTENCE` and therefore left out. */
  overlong(): void;
  /** Called at the end of a paragraph, even if it has no sentence. */
  paragraph(): void;
}

/** The maximum length of a sentence in UTF-16 units. Longer sentences are left out. */
export const LONGEST_SENTENCE = 131_072;
/**
 * The maximum number of UTF-16 units after a mark that are inspected to decide whether the mark ends a
 * sentence.
 */
const LOOKAHEAD = 1000;

/**
 * A mark or a line end is processed only when more UTF-16 units than this are available from its position on.
 * At the end of the text, it is processed in any case.
 */
const FAR_ENOUGH = LOOKAHEAD * 2 + 2;

const NEWLINE = 0x0a;
const FULL_STOP = 0x2e;
const ENDING = unitsOf('.!?\u2026\u3002\uff01\uff1f');
/** These Chinese and Japanese marks end a sentence without white space after them. */
const CJK_ENDING = unitsOf('\u3002\uff01\uff1f');
const CLOSING = unitsOf('"\')]}\u00bb\u2019\u201d\u203a\u300d\u300f\uff09');

/**
 * Abbreviations after which a full stop does not end a sentence. Single letters and words with an inner full
 * stop are recognised without the list.
 */
const ABBREVIATIONS = new Set(
  [
    'mr mrs ms dr st jr sr prof gen col capt lt sgt rev hon gov sen rep messrs mme',
    'mlle vs cf viz no nos vol fig art sec ch pp ed mt ft co inc ltd jan feb',
    'aug sept oct nov dec hr fr nr bzw ca evtl usw sra srta dott sig bl pl al ul',
    'tel np mgr ing \u0443\u043b \u0433 \u0434\u0440',
  ].flatMap((line) => line.split(' ')),
);
const LONGEST_ABBREVIATION = 8;

/**
 * Splits a stream of prose into sentences and paragraphs. The positions at which the stream is split into
 * chunks have no effect.
 *
 * A sentence ends at a blank line, at the end of the text, and at one of . ! ? … before white space. It also
 * ends at a Chinese or Japanese mark. A full stop that follows an abbreviation or an initial, or that
 * precedes a lower-case letter, does not end a sentence. The splitter keeps only the current sentence and
 * chunk in memory.
 */
export class ProseSplitter {
  private pending = '';
  /** The start of the current sentence in `pending`. `at` is the position at which reading continues. */
  private start = 0;
  private at = 0;
  private isOverlong = false;

  constructor(private readonly listener: ProseListener) {}

  push(chunk: string): void {
    this.pending = this.pending.slice(this.start) + chunk;
    this.at -= this.start;
    this.start = 0;
    this.read(false);
  }

  /** Ends a document. */
  end(): void {
    this.push('');
    this.read(true);
    this.endSentence(this.pending.length, this.pending.length);
    this.listener.paragraph();
    this.pending = '';
    this.start = 0;
    this.at = 0;
  }

  /**
   * Reads the text until it needs a later chunk to decide whether a sentence or paragraph ends. With `isEnd`,
   * reads all of the text.
   */
  private read(isEnd: boolean): void {
    const text = this.pending;
    const length = text.length;
    while (this.at < length) {
      const { at } = this;
      const unit = text.charCodeAt(at);
      const isMark = unit <= 0x3f || unit >= 0x2026;
      if (isMark && (unit === NEWLINE || ENDING.has(unit))) {
        if (!isEnd && length - at <= FAR_ENOUGH) return;
        if (unit === NEWLINE) this.readNewline(text, at);
        else this.readEnding(text, at, unit);
      } else {
        this.at = at + 1;
      }
      if (this.at - this.start > LONGEST_SENTENCE) {
        this.isOverlong = true;
        this.start = this.at;
      }
    }
  }

  /** Ends the paragraph if the next line is blank. */
  private readNewline(text: string, at: number): void {
    const next = skipSpaces(text, at + 1, true);
    if (next >= text.length || next - at > LOOKAHEAD || text.charCodeAt(next) === NEWLINE) {
      this.endSentence(at, next);
      this.listener.paragraph();
    } else {
      this.at = next;
    }
  }

  private readEnding(text: string, at: number, unit: number): void {
    let end = at + 1;
    let isCjk = CJK_ENDING.has(unit);
    let isFullStop = unit === FULL_STOP;
    while (end < text.length && end - at < LOOKAHEAD) {
      const next = text.charCodeAt(end);
      if (ENDING.has(next)) {
        isCjk ||= CJK_ENDING.has(next);
        isFullStop &&= next === FULL_STOP;
      } else if (!CLOSING.has(next)) {
        break;
      }
      end += 1;
    }
    const isSpaced = end >= text.length || isWhiteSpace(text.charCodeAt(end));
    if (isCjk || (isSpaced && !(isFullStop && this.isAbbreviated(text, at, end)))) this.endSentence(at, end);
    else this.at = end;
  }

  private isAbbreviated(text: string, at: number, end: number): boolean {
    const next = skipSpaces(text, end, false);
    if (next < text.length && isSmallLetter(text.charAt(next))) return true;
    if (end !== at + 1) return false;
    let from = at;
    while (from > this.start && at - from <= LONGEST_ABBREVIATION) {
      const unit = text.charCodeAt(from - 1);
      if (isWhiteSpace(unit)) break;
      from -= 1;
    }
    while (from < at && (CLOSING.has(text.charCodeAt(from)) || text.charAt(from) === '(')) from += 1;
    if (at - from > LONGEST_ABBREVIATION) return false;
    const word = text.slice(from, at);
    if (word.length === 1) return word !== 'I' && word.toLowerCase() !== word.toUpperCase();
    return word.includes('.') || ABBREVIATIONS.has(word.toLowerCase());
  }

  private endSentence(to: number, next: number): void {
    if (this.isOverlong) this.listener.overlong();
    else if (to > this.start) this.listener.sentence(this.pending, this.start, to);
    this.isOverlong = false;
    this.start = next;
    this.at = next;
  }
}

function skipSpaces(text: string, from: number, staysOnLine: boolean): number {
  let at = from;
  while (at < text.length && at - from < LOOKAHEAD) {
    const unit = text.charCodeAt(at);
    if (!isWhiteSpace(unit) || (staysOnLine && unit === NEWLINE)) break;
    at += 1;
  }
  return at;
}

function isSmallLetter(letter: string): boolean {
  return letter.toLowerCase() === letter && letter.toUpperCase() !== letter;
}

function unitsOf(text: string): ReadonlySet<number> {
  return new Set(Array.from(text, (character) => character.charCodeAt(0)));
}
