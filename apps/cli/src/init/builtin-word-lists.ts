import { builtinModels, readBuiltinAsset } from '@understudy/builtin-models';
import { WordLists, type ListName } from '@understudy/personal-data';

const LISTS: readonly ListName[] = ['first_names', 'last_names', 'cities'];

/** The names of persons and towns that ship, by locale: about half a megabyte of words. */
export function builtinWordLists(): WordLists {
  const locales = [...new Set(builtinModels().map(({ locale }) => locale))];
  return new WordLists(
    new Map(
      locales.map((locale) => {
        const words = LISTS.map((list) => [list, wordsOf(readBuiltinAsset(`${locale}/${list}`))] as const);
        return [locale, Object.fromEntries(words) as Record<ListName, readonly string[]>];
      }),
    ),
  );
}

function wordsOf(list: unknown): readonly string[] {
  if (!Array.isArray(list)) return [];
  return list.map((entry: unknown) =>
    String(typeof entry === 'object' && entry !== null ? Reflect.get(entry, 'value') : entry),
  );
}
