import { isWhiteSpace } from './character-classes.js';

export interface ProseListener {
  /** A sentence, `text[from, to)`, without the marks that end it. May be blank. */
  sentence(text: string, from: number, to: number): void;
  /** A sentence longer than `LONGEST_SENTENCE`, which is left out. */
  overlong(): void;
  /** The end of a paragraph, which may have had no sentence. */
  paragraph(): void;
}

/** In UTF-16 units. */
export const LONGEST_SENTENCE = 131_072;
/** How far behind a mark the splitter looks to tell what it ends. */
const LOOKAHEAD = 1000;

/** Two looks ahead, and the mark itself. */
const FAR_ENOUGH = LOOKAHEAD * 2 + 2;

const NEWLINE = 0x0a;
const FULL_STOP = 0x2e;
const ENDING = unitsOf('.!?\u2026\u3002\uff01\uff1f');
/** End a sentence whatever follows: their scripts put no space behind them. */
const CJK_ENDING = unitsOf('\u3002\uff01\uff1f');
const CLOSING = unitsOf('"\')]}\u00bb\u2019\u201d\u203a\u300d\u300f\uff09');

/** Before a full stop that ends no sentence; single letters and words with a stop inside are told without a list. */
const ABBREVIATIONS = new Set(
  (
    'mr mrs ms dr st jr sr prof gen col capt lt sgt rev hon gov sen rep messrs mme mlle vs cf viz no nos vol fig ' +
    'art sec ch pp ed mt ft co inc ltd jan feb aug sept oct nov dec hr fr nr bzw ca evtl usw sra srta dott sig ' +
    'bl pl al ul tel np mgr ing \u0443\u043b \u0433 \u0434\u0440'
  ).split(' '),
);
const LONGEST_ABBREVIATION = 8;

/**
 * Splits prose into sentences and paragraphs as it streams in; what comes out does not depend on where the stream was
 * cut. A sentence ends at . ! ? … (and those of CJK) before white space, at a blank line or at the end; a full stop
 * does not end it behind an abbreviation or an initial, nor before a small letter. Holds one sentence in memory.
 */
export class ProseSplitter {
  private pending = '';
  /** Where the sentence begins, and where to go on reading. */
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

  /** The end of a document. */
  end(): void {
    this.push('');
    this.read(true);
    this.endSentence(this.pending.length, this.pending.length);
    this.listener.paragraph();
    this.pending = '';
    this.start = 0;
    this.at = 0;
  }

  /** Reads as far as it can be decided without what follows, or to the end. */
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

  /** A blank line ends the paragraph. */
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
