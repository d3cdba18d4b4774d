import { plainLetters } from '../clues/words-of-name.js';

const LIST_NAMES = ['first_names', 'last_names', 'cities'] as const;
export type ListName = (typeof LIST_NAMES)[number];

/** Lists of known first names, last names and towns by locale. */
export class WordLists {
  /** Maps each list to its words, and each word to a bit set of the locales whose list contains the word. */
  private readonly localeBits: ReadonlyMap<ListName, Map<string, number>>;
  readonly locales: readonly string[];

  /** @param lists the lists of each locale; at most 31 locales, because each has a bit in a number */
  constructor(lists: ReadonlyMap<string, Readonly<Record<ListName, readonly string[]>>>) {
    this.locales = [...lists.keys()];
    this.localeBits = new Map(LIST_NAMES.map((list) => [list, new Map()]));
    this.locales.forEach((locale, bit) => {
      for (const [list, words] of this.localeBits) {
        for (const word of lists.get(locale)?.[list] ?? []) {
          const key = plainLetters(word);
          words.set(key, (words.get(key) ?? 0) | (1 << bit));
        }
      }
    });
  }

  /**
   * Reads the lists of each locale.
   * @param readAsset returns an asset by an id such as `en_US/cities`: an array of words, or of objects with a `value`
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

  /** Returns the locales whose list contains the word, as a bit set in the order of `locales`. */
  localesOf(list: ListName, word: string): number {
    return this.localeBits.get(list)?.get(plainLetters(word)) ?? 0;
  }
}

function wordsOf(asset: unknown): readonly string[] {
  if (!Array.isArray(asset)) return [];
  return asset.map((entry: unknown) =>
    String(typeof entry === 'object' && entry !== null ? Reflect.get(entry, 'value') : entry),
  );
}
