import { readName } from '../clues/read-name.js';
import type { ColumnFacts } from './detection.js';
import type { Kind } from '../kind.js';
import { isFirstName, isLastName } from '../values/person-names.js';
import type { WordLists } from '../values/word-lists.js';

/**
 * Returns the kind of names in a column called `name`. The kind is the full name if most values consist of
 * several words. Otherwise, if another column of the table contains first names, this column contains last
 * names, and vice versa. If the other columns contain both or neither, the values decide.
 */
export function nameKindOf(
  { siblings = [] }: ColumnFacts,
  values: readonly string[],
  lists: WordLists,
): Kind {
  const single = values.filter((value) => !/[\s,]/.test(value)).length;
  if (values.length > 0 && single < values.length / 2) return 'full_name';
  const beside = new Set(
    siblings.flatMap((column) =>
      [...readName(column).clues].filter(([, strength]) => strength === 'strong').map(([kind]) => kind),
    ),
  );
  if (beside.has('first_name') && !beside.has('last_name')) return 'last_name';
  if (beside.has('last_name') && !beside.has('first_name')) return 'first_name';
  if (values.length === 0) return 'full_name';
  const first = values.filter((value) => isFirstName(value, lists)).length;
  const last = values.filter((value) => isLastName(value, lists)).length;
  if (Math.max(first, last) < values.length / 3) return 'full_name';
  return first >= last ? 'first_name' : 'last_name';
}
