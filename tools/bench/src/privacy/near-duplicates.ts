import { compileWord, type NgramModel } from '@understudy/ngram';
import { RandomStream, rootKey } from '@understudy/random';

import type { ColumnValue, NameColumn } from './name-column.js';

const VALUES_DRAWN = 10_000;
const LETTERS = [...'abcdefghijklmnopqrstuvwxyz'];

/**
 * Measures the share of near duplicates among values that are generated with the default options of private
 * models.
 */
export function nearDuplicates(model: NgramModel, column: NameColumn, round: number) {
  const plan = compileWord(model, { excludeOriginals: true });
  const random = new RandomStream();
  const key = rootKey('privacy near duplicates', round);
  const made = Array.from({ length: VALUES_DRAWN }, (_, i) => plan.sample(random.seek(key, i)).toLowerCase());
  const shareNear = (values: readonly ColumnValue[]): number => {
    const known = new Set(values.map(({ value }) => value.toLowerCase()));
    return made.filter((word) => isNear(word, known)).length / made.length;
  };
  return {
    /**
     * Share of the generated values that become a training value if one letter is inserted, deleted or
     * replaced.
     */
    of_members: shareNear(column.members),
    /**
     * The same share for outsiders, on which the model was not trained. It shows how often mere similarity
     * makes a generated value a near duplicate.
     */
    of_outsiders: shareNear(column.outsiders),
  };
}

/** Checks whether inserting, deleting or replacing one letter turns `word` into a known value. */
function isNear(word: string, known: ReadonlySet<string>): boolean {
  for (let at = 0; at <= word.length; at += 1) {
    const [before, after] = [word.slice(0, at), word.slice(at)];
    const rest = after.slice(1);
    if (after !== '' && known.has(before + rest)) return true;
    for (const letter of LETTERS) {
      if (known.has(before + letter + after)) return true;
      if (after !== '' && letter !== after.charAt(0) && known.has(before + letter + rest)) return true;
    }
  }
  return false;
}
