import { plainLetters } from '../clues/words-of-name.js';

export type ListName = 'first_names' | 'last_names' | 'cities';

/** Lists of names by locale, to know a name when it is seen. */
export class WordLists {
  private readonly places: ReadonlyMap<ListName, Map<string, number>>;
  readonly locales: readonly string[];

  /** @param lists locale → what it has; at most 31 locales */
  constructor(lists: ReadonlyMap<string, Readonly<Record<ListName, readonly string[]>>>) {
    this.locales = [...lists.keys()];
    this.places = new Map(
      (['first_names', 'last_names', 'cities'] as const).map((list) => [list, new Map()]),
    );
    this.locales.forEach((locale, bit) => {
      for (const [list, words] of this.places) {
        for (const word of lists.get(locale)?.[list] ?? []) {
          const key = plainLetters(word);
          words.set(key, (words.get(key) ?? 0) | (1 << bit));
        }
      }
    });
  }

  has(list: ListName, word: string): boolean {
    return this.localesOf(list, word) !== 0;
  }

  /** The locales whose list has the word, a bit each in the order of `locales`. */
  localesOf(list: ListName, word: string): number {
    return this.places.get(list)?.get(plainLetters(word)) ?? 0;
  }
}
