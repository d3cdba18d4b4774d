import { isWhiteSpace, isWordUnit } from './character-classes.js';

/** Receives the position of a word in a text. */
export type WordListener = (text: string, from: number, to: number) => void;

const APOSTROPHE = 0x27;
const HYPHEN = 0x2d;
const TYPOGRAPHIC_APOSTROPHE = 0x2019;
/** Marks that remain attached to the word before them. */
const CLAUSE_MARKS = unitsOf(',;:');
/**
 * Quotation marks, brackets, dashes and marks of emphasis. They are removed around words, because a generated
 * sentence could not pair them.
 */
const AROUND_WORDS = unitsOf(
  '"\'`()[]{}<>*_\u2013\u2014\u2026\u2018\u2019\u201a\u201c\u201d\u201e\u00ab\u00bb\u2039\u203a-' +
    '\u300c\u300d\u300e\u300f\uff08\uff09',
);

/** Splits a text at white space. */
export function splitAtSpaces(text: string, from: number, to: number, listener: WordListener): void {
  for (let at = from; at < to;) {
    const start = skipSpaces(text, at, to);
    at = endOfWord(text, start, to);
    if (at > start) listener(text, start, at);
  }
}

/**
 * Splits a sentence into words. Removes quotation marks, brackets and dashes around them, but keeps a comma
 * or similar mark after a word. Leaves out words that contain no letter and no digit.
 */
export function splitProse(text: string, from: number, to: number, listener: WordListener): void {
  for (let at = from; at < to;) {
    let start = skipSpaces(text, at, to);
    at = endOfWord(text, start, to);
    let end = at;
    while (start < end && AROUND_WORDS.has(text.charCodeAt(start))) start += 1;
    while (end > start && !isWordUnit(text.charCodeAt(end - 1)) && text.charAt(end - 1) !== '%') end -= 1;
    if (end === start) continue;
    if (end < at && CLAUSE_MARKS.has(text.charCodeAt(end))) end += 1;
    listener(text, start, end);
  }
}

/** Finds runs of letters and digits, which may contain single apostrophes and hyphens. */
export function splitLetters(text: string, from: number, to: number, listener: WordListener): void {
  for (let at = from; at < to;) {
    if (!isWordUnit(text.charCodeAt(at))) {
      at += 1;
      continue;
    }
    const start = at;
    for (at += 1; at < to; at += 1) {
      const unit = text.charCodeAt(at);
      if (isWordUnit(unit)) continue;
      const isJoint = unit === APOSTROPHE || unit === HYPHEN || unit === TYPOGRAPHIC_APOSTROPHE;
      if (!isJoint || at + 1 >= to || !isWordUnit(text.charCodeAt(at + 1))) break;
    }
    listener(text, start, at);
  }
}

function skipSpaces(text: string, from: number, to: number): number {
  let at = from;
  while (at < to && isWhiteSpace(text.charCodeAt(at))) at += 1;
  return at;
}

function endOfWord(text: string, from: number, to: number): number {
  let at = from;
  while (at < to && !isWhiteSpace(text.charCodeAt(at))) at += 1;
  return at;
}

function unitsOf(text: string): ReadonlySet<number> {
  return new Set(Array.from(text, (character) => character.charCodeAt(0)));
}
