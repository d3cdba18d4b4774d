import type { WordLists } from './word-lists.js';

/** Tests for a text that stands for a missing value, such as `n/a`. */
export function isFiller(text: string): boolean {
  return /^(?:n ?[./]? ?[an]\.?|none|null|nil|unknown|unbekannt|inconnu|desconocido|k\. ?a\.|keine?(?: angaben?)?|brak|ohne|tb[ad]|missing|undefined|empty|not (?:set|given|known|available|provided|applicable)|[-–—?.*_#/ ]+|[0x9]+)$/i.test(
    text,
  );
}

/** A value stands for a missing one if at least this share and number of the values are equal to it. */
const REPEATED = { share: 0.2, least: 3 };

/**
 * Returns the values without those that stand for a missing value: the known texts, and one that is often repeated
 * and fails the test of a kind. No list has the words of all languages.
 */
export function withoutFillers(
  values: readonly string[],
  { loose }: { readonly loose: (text: string, lists: WordLists) => boolean },
  lists: WordLists,
): readonly string[] {
  const known = values.filter((value) => !isFiller(value));
  const counts = new Map<string, number>();
  for (const value of known) counts.set(value, (counts.get(value) ?? 0) + 1);
  const [most = ['', 0] as const] = [...counts].sort((a, b) => b[1] - a[1]);
  const isFrequent = most[1] >= Math.max(REPEATED.least, known.length * REPEATED.share);
  return isFrequent && !loose(most[0], lists) ? known.filter((value) => value !== most[0]) : known;
}
