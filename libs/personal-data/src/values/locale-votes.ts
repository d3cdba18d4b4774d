import type { Kind } from '../kind.js';
import type { ListName, WordLists } from './word-lists.js';

/** The sum of the votes of a column's values, by locale. See {@link localeVotes}. */
export type LocaleVotes = ReadonlyMap<string, number>;

const LIST_OF: Partial<Readonly<Record<Kind, ListName>>> = {
  first_name: 'first_names',
  last_name: 'last_names',
  city: 'cities',
};

/**
 * Counts votes for locales. Each value has one vote, and a full name has two: one for its first and one for
 * its last name. All locales whose lists contain the name share a vote equally.
 */
export function localeVotes(kind: Kind, values: readonly string[], lists: WordLists): LocaleVotes {
  const votes = new Map<string, number>();
  const count = (list: ListName, word: string): void => {
    const bits = lists.localesOf(list, word);
    const known = lists.locales.filter((_, bit) => (bits & (1 << bit)) !== 0);
    for (const locale of known) votes.set(locale, (votes.get(locale) ?? 0) + 1 / known.length);
  };
  const list = LIST_OF[kind];
  for (const value of values) {
    if (list !== undefined) count(list, value.trim());
    else if (kind === 'full_name') {
      const words = value.trim().split(/[\s,]+/);
      count('first_names', words[0] ?? '');
      count('last_names', words.at(-1) ?? '');
    }
  }
  return votes;
}

/** Returns the locale with the most votes, or undefined if it has fewer than three votes. */
export function leadingLocale(votes: Iterable<LocaleVotes>): string | undefined {
  const sums = new Map<string, number>();
  for (const one of votes) for (const [locale, vote] of one) sums.set(locale, (sums.get(locale) ?? 0) + vote);
  const [best] = [...sums].sort((a, b) => b[1] - a[1]);
  return best === undefined || best[1] < 3 ? undefined : best[0];
}
