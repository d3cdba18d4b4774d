import { byOriginals } from '../compile/compile-column-mask.js';
import type { ColumnMask } from '../compile/column-mask.js';
import { isFolded } from '../values/canonical-value.js';
import { inKeyedOrder, type UniqueColumn, type UniqueScope } from './unique-rows.js';

/** A unique key that contains the column. */
export interface UniqueKeyPart {
  /** The key's other columns; empty if the column is the whole key. */
  readonly others: readonly UniqueColumn[];
  /** How the key compares the column. */
  readonly canonical?: UniqueScope['canonical'];
}

/**
 * Returns true if the mask practically never generates a value twice. Its values then need not be compared
 * with those of other rows. Values are generated from 96 bits of a hash: n rows hold a repeated value with a
 * probability below n² / 2^91. For 10^9 rows that is 4 in 10^10.
 */
export function cannotRepeat({ plan, column }: ColumnMask): boolean {
  const collisionFree = plan.traits?.collisionFree;
  if (collisionFree === undefined) return false;
  return (
    column.maxLength === undefined ||
    (collisionFree.length !== undefined && collisionFree.length <= column.maxLength)
  );
}

/**
 * Returns a mask whose values, or combinations with other columns, do not repeat. If a rule practically never
 * repeats a value, its values stay independent of other rows. For other rules, the rows must arrive in order.
 * @param parts one entry for each unique key that contains the column; at least one
 */
export function keepUnique(mask: ColumnMask, parts: readonly UniqueKeyPart[]): ColumnMask {
  if (cannotRepeat(mask)) return { ...mask, uses96Bits: true };
  const scopes: readonly UniqueScope[] = parts;
  const isUniqueByItself = parts.some(({ others }) => others.length === 0);
  const { numbered, neverRepeats } = mask.plan.traits ?? {};
  // Values may repeat after they are cut to a length, or if the key ignores differences between texts.
  const isExact = mask.column.maxLength === undefined && !parts.some(({ canonical }) => isFolded(canonical));
  if (!isUniqueByItself) return { ...mask, unique: { scopes } };
  // Each number selects one value. With `differs`, a number is lost if its value equals the row's old value,
  // so the numbers could run out before the last row.
  if (numbered !== undefined && !mask.differs) {
    const order = inKeyedOrder(mask.key, numbered);
    return { ...mask, unique: { scopes: isExact ? [] : scopes, ...(order && { numbered: order }) } };
  }
  return { ...mask, unique: { scopes: neverRepeats === true && isExact ? [] : scopes } };
}

/**
 * Returns a mask that maps each original integer in the rule's range to an integer of that range. Distinct
 * originals get distinct values, in any order of the rows. Returns undefined if the rule does not permit
 * this, for example because it does not produce a range of integers.
 */
export function permuteOriginals(mask: ColumnMask): ColumnMask | undefined {
  if (mask.originalKey !== undefined) return mask.integers === undefined ? undefined : mask;
  if (mask.plan.traits?.numbered?.from === undefined || mask.differs || mask.references.length > 0)
    return undefined;
  return byOriginals(mask, mask.key);
}
