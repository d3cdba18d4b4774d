import type { Kind } from '../kind.js';

/**
 * Splits the name of a column or table into words of lower-case letters without diacritics. `customerEMail2`
 * gives customer, e and mail; `Straße` gives strasse. Drops a number at the end, because it only
 * distinguishes similar columns, as in `phone1` and `phone2`.
 */
export function wordsOfName(name: string): readonly string[] {
  const words = name
    .replace(/([\p{Ll}\d])(\p{Lu})/gu, '$1 $2')
    .replace(/(\p{Lu})(\p{Lu}\p{Ll})/gu, '$1 $2')
    .replace(/(\p{L})(\d)/gu, '$1 $2')
    .replace(/(\d)(\p{L})/gu, '$1 $2')
    .normalize('NFC')
    .toLowerCase()
    .split(/[^\p{L}\p{M}\d]+/u)
    .map((word) => HOMOGRAPHS.get(word) ?? plainLetters(word))
    .filter((word) => word !== '');
  while (words.length > 1 && /^\d+$/.test(words.at(-1) ?? '')) words.pop();
  return words;
}

/** Words that would have another meaning without diacritics, with a spelling that has none: pay is no longitude. */
const HOMOGRAPHS: ReadonlyMap<string, string> = new Map([
  ['lön', 'loen'],
  ['løn', 'loen'],
]);

/** Returns a text in lower case and without diacritics. */
export function plainLetters(text: string): string {
  return text
    .normalize('NFD')
    .replace(/\p{Mn}/gu, '')
    .toLowerCase()
    .replace(/[ßłøæœđ]/g, (letter) => PLAIN[letter] ?? letter);
}

const PLAIN: Readonly<Record<string, string>> = { ß: 'ss', ł: 'l', ø: 'o', æ: 'ae', œ: 'oe', đ: 'd' };

/** Phrases of column names that indicate a kind of personal data. */
export interface Clue {
  readonly kind: Kind;
  /** A strong clue is sufficient unless the values contradict it. A weak clue counts only if the values confirm it. */
  readonly strength: 'strong' | 'weak';
  /** Lines of phrases. Commas separate phrases, spaces separate the words of a phrase. */
  readonly phrases: readonly string[];
}
