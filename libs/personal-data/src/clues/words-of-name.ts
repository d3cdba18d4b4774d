import type { Kind } from '../kind.js';

/**
 * The words of a column's or table's name in small plain letters: `customerEMail2` is customer, e, mail; `Straße` is strasse. Numbers at the
 * end are left out: they count columns.
 */
export function wordsOfName(name: string): readonly string[] {
  const words = plainLetters(
    name
      .replace(/([\p{Ll}\d])(\p{Lu})/gu, '$1 $2')
      .replace(/(\p{Lu})(\p{Lu}\p{Ll})/gu, '$1 $2')
      .replace(/(\p{L})(\d)/gu, '$1 $2')
      .replace(/(\d)(\p{L})/gu, '$1 $2'),
  )
    .split(/[^\p{L}\d]+/u)
    .filter((word) => word !== '');
  while (words.length > 1 && /^\d+$/.test(words.at(-1) ?? '')) words.pop();
  return words;
}

/** Small letters without marks. */
export function plainLetters(text: string): string {
  return text
    .normalize('NFD')
    .replace(/\p{Mn}/gu, '')
    .toLowerCase()
    .replace(/[ßłøæœđ]/g, (letter) => PLAIN[letter] ?? letter);
}

const PLAIN: Readonly<Record<string, string>> = { ß: 'ss', ł: 'l', ø: 'o', æ: 'ae', œ: 'oe', đ: 'd' };

/** Phrases of column names that speak for a kind: with spaces between words, in small plain letters. */
export interface Clue {
  readonly kind: Kind;
  /** A strong one is enough unless the values say otherwise; a weak one wants them to agree. */
  readonly strength: 'strong' | 'weak';
  readonly phrases: string;
}
