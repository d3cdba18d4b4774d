import type { Kind } from '../kind.js';
import { type Clue, plainLetters, wordsOfName } from './words-of-name.js';
import { CONTACT_CLUES } from './contact-clues.js';
import { CONTENT_CLUES } from './content-clues.js';
import {
  ABOUT_WORDS,
  DATE_PARTS,
  PERSON_WORDS,
  QUALIFIERS,
  STATEMENT_WORDS,
  THING_WORDS,
} from './context-words.js';
import { IDENTITY_CLUES } from './identity-clues.js';
import { PERSON_CLUES } from './person-clues.js';
import { SENSITIVE_CLUES } from './sensitive-clues.js';
import { TECHNICAL_CLUES } from './technical-clues.js';

/** A column's name, split into words, with the clues that it contains. */
export interface ParsedName {
  /**
   * The clues of the phrase that {@link longestAtEnd} returns: the strength of each clue, by kind. Empty if
   * other words show that the column does not contain the data itself, as in `has_email`.
   */
  readonly clues: ReadonlyMap<Kind, Clue['strength']>;
  /**
   * The kinds whose phrase is a strong clue, but only a weak one in this name, because unknown words follow, as
   * in `password_portal`. Empty if such a word is about a thing, as in `phone_model`.
   */
  readonly partial: ReadonlySet<Kind>;
  /** The words before the matching phrase, or all words if no phrase matches. */
  readonly before: readonly string[];
  /** The words after the matching phrase. */
  readonly after: readonly string[];
  readonly words: readonly string[];
}

interface Phrase {
  readonly text: string;
  readonly clue: Clue;
}

/**
 * A phrase of a strong clue with at least this many letters also matches at the end of a longer word, as in
 * `kundentelefon`.
 */
const GLUED_FROM = 6;

/** Splits a column's name into words and finds its clues. */
export function readName(name: string): ParsedName {
  const words = wordsOfName(name);
  const found = longestAtEnd(words);
  if (found === undefined) {
    return { clues: new Map(), partial: new Set(), before: words, after: [], words };
  }
  const before = words.slice(0, found.start);
  const after = words.slice(found.end);
  const isDate = found.clues.some(({ kind }) => kind === 'birth_date');
  const isPart = (word: string): boolean => isQualifier(word) || (isDate && DATE_PARTS.has(word));
  const isWhole = after.every((word) => isPart(word) || PERSON_WORDS.has(word));
  const isAbout = (word: string): boolean =>
    ABOUT_WORDS.has(word) && !(isWhole && isDate && DATE_PARTS.has(word));
  const isVoid = after.some(isAbout) || before.some((word) => STATEMENT_WORDS.has(word));
  const clues = new Map<Kind, Clue['strength']>();
  for (const { kind, strength } of isVoid ? [] : found.clues) {
    if (clues.get(kind) !== 'strong') clues.set(kind, isWhole ? strength : 'weak');
  }
  const isOfThing = after.some((word) => THING_WORDS.has(word) && !PERSON_WORDS.has(word));
  const strong =
    isVoid || isWhole || isOfThing ? [] : found.clues.filter((clue) => clue.strength === 'strong');
  return { clues, partial: new Set(strong.map(({ kind }) => kind)), before, after, words };
}

function isQualifier(word: string): boolean {
  return QUALIFIERS.has(word) || /^\d+$/.test(word);
}

/**
 * Returns whether the words of a name are about people or about things; undefined if no word indicates one of
 * them. The last such word decides.
 */
export function subjectOf(words: readonly string[]): 'person' | 'thing' | undefined {
  for (const word of [...words].reverse()) {
    if (PERSON_WORDS.has(word)) return 'person';
    if (THING_WORDS.has(word)) return 'thing';
  }
  return undefined;
}

interface Found {
  readonly start: number;
  readonly end: number;
  readonly clues: readonly Clue[];
}

/**
 * Finds the phrase that matches a clue and is closest to the end of the name. If several such phrases have
 * the same end, returns the longest. Prefers an earlier phrase with a strong clue if the last phrase has only
 * weak clues and consists of qualifiers (`email_hash`) or words for people (`dob_customer`). Also prefers
 * it if the last phrase consists of qualifiers only (`tel_domicile`).
 */
function longestAtEnd(words: readonly string[]): Found | undefined {
  const found = lastPhrase(words);
  if (found === undefined) return found;
  const rest = words.slice(found.start);
  const isStrong = found.clues.some(({ strength }) => strength === 'strong');
  if (isStrong && !rest.every(isQualifier)) return found;
  if (!rest.every((word) => QUALIFIERS.has(word) || PERSON_WORDS.has(word))) return found;
  const before = longestAtEnd(words.slice(0, found.start));
  const strong = before?.clues.find(({ strength }) => strength === 'strong');
  if (strong === undefined) return found;
  // After a text or a picture, the name of a person means its author, as in `comment_author`.
  const isMadeByThem = MADE.has(strong.kind) && rest.some((word) => PERSON_WORDS.has(word));
  return isMadeByThem ? found : before;
}

const MADE: ReadonlySet<Kind> = new Set(['free_text', 'photo']);

function lastPhrase(words: readonly string[]): Found | undefined {
  for (let end = words.length; end > 0; end--) {
    for (let start = 0; start < end; start++) {
      const clues = PHRASES.get(words.slice(start, end).join(''));
      if (clues !== undefined) return { start, end, clues };
    }
    const glued = gluedTo(words[end - 1] ?? '');
    if (glued !== undefined) return { start: end - 1, end, clues: [glued.clue] };
  }
  return undefined;
}

function gluedTo(word: string): Phrase | undefined {
  if (word.length <= GLUED_FROM || NOT_GLUED.has(word)) return undefined;
  const ends = GLUED.filter(({ text }) => word.endsWith(text));
  return ends.sort((a, b) => b.text.length - a.text.length)[0];
}

/** Words that end with the phrase of a clue but have another meaning. */
const NOT_GLUED = new Set(['automobile', 'headphone', 'headphones', 'microphone', 'smartphone', 'capacity']);

const PHRASES: ReadonlyMap<string, readonly Clue[]> = phrases();
const GLUED: readonly Phrase[] = [...PHRASES].flatMap(([text, clues]) =>
  text.length >= GLUED_FROM && /^[a-z]+$/.test(text)
    ? clues.filter(({ strength }) => strength === 'strong').map((clue) => ({ text, clue }))
    : [],
);

function phrases(): ReadonlyMap<string, readonly Clue[]> {
  const all = new Map<string, Clue[]>();
  for (const clue of [
    ...PERSON_CLUES,
    ...CONTACT_CLUES,
    ...IDENTITY_CLUES,
    ...TECHNICAL_CLUES,
    ...CONTENT_CLUES,
    ...SENSITIVE_CLUES,
  ]) {
    for (const phrase of clue.phrases.flatMap((line) => line.split(','))) {
      const text = plainLetters(phrase).replace(/\s+/g, '');
      all.set(text, [...(all.get(text) ?? []), clue]);
    }
  }
  return all;
}
