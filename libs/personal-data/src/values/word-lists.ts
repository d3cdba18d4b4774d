import { plainLetters } from '../clues/words-of-name.js';

const LIST_NAMES = ['first_names', 'last_names', 'cities'] as const;
export type ListName = (typeof LIST_NAMES)[number];

/** Lists of names by locale, to know a name when it is seen. */
export class WordLists {
  private readonly places: ReadonlyMap<ListName, Map<string, number>>;
  readonly locales: readonly string[];

  /** @param lists locale → what it has; at most 31 locales */
  constructor(lists: ReadonlyMap<string, Readonly<Record<ListName, readonly string[]>>>) {
    this.locales = [...lists.keys()];
    this.places = new Map(LIST_NAMES.map((list) => [list, new Map()]));
    this.locales.forEach((locale, bit) => {
      for (const [list, words] of this.places) {
        for (const word of lists.get(locale)?.[list] ?? []) {
          const key = plainLetters(word);
          words.set(key, (words.get(key) ?? 0) | (1 << bit));
        }
      }
    });
  }

  /**
   * Reads the lists of each locale.
   * @param readAsset returns an asset by its id, like `en_US/cities`: an array of words, or of objects with a `value`
   */
  static read(locales: readonly string[], readAsset: (id: string) => unknown): WordLists {
    const listsOf = (locale: string) =>
      Object.fromEntries(LIST_NAMES.map((list) => [list, wordsOf(readAsset(`${locale}/${list}`))])) as Record<
        ListName,
        readonly string[]
      >;
    return new WordLists(new Map(locales.map((locale) => [locale, listsOf(locale)])));
  }

  has(list: ListName, word: string): boolean {
    return this.localesOf(list, word) !== 0;
  }

  /** The locales whose list has the word, a bit each in the order of `locales`. */
  localesOf(list: ListName, word: string): number {
    return this.places.get(list)?.get(plainLetters(word)) ?? 0;
  }
}

function wordsOf(asset: unknown): readonly string[] {
  if (!Array.isArray(asset)) return [];
  return asset.map((entry: unknown) =>
    String(typeof entry === 'object' && entry !== null ? Reflect.get(entry, 'value') : entry),
  );
}
