import { byOriginals } from '../compile/compile-column-mask.js';
import type { ColumnMask } from '../compile/column-mask.js';
import { inKeyedOrder, type UniqueColumn, type UniqueScope } from './unique-rows.js';

/** A column's part in one unique key. */
export interface UniqueKeyPart {
  /** The key's other columns; none when the column is the key. */
  readonly others: readonly UniqueColumn[];
  /** As the key compares the column. */
  readonly canonical?: UniqueScope['canonical'];
}

/**
 * May a mask be trusted to make no value twice without a look at other rows: by what is left of chance? 96 bits of a hash
 * are drawn from, so that n rows hold one value twice with a probability below n² / 2^91: at a thousand million rows
 * 4 in 10^10.
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
 * The mask of a column whose values, alone or with those of other columns, may not repeat. Rules with room enough stay
 * independent of other rows; others need rows in order.
 * @param parts at least one
 */
export function keepUnique(mask: ColumnMask, parts: readonly UniqueKeyPart[]): ColumnMask {
  if (cannotRepeat(mask)) return { ...mask, uses96Bits: true };
  const scopes: readonly UniqueScope[] = parts;
  const isUniqueAlone = parts.some(({ others }) => others.length === 0);
  const { numbered, neverRepeats } = mask.plan.traits ?? {};
  // What is cut to a length, or compared without case, may repeat however it was made.
  const isExact =
    mask.column.maxLength === undefined && parts.every(({ canonical }) => canonical !== 'folded');
  if (!isUniqueAlone) return { ...mask, unique: { scopes } };
  // A number whose value is the row's old one would be lost, and the last rows might need it.
  if (numbered !== undefined && !mask.differs) {
    const order = inKeyedOrder(mask.key, numbered);
    return { ...mask, unique: { scopes: isExact ? [] : scopes, ...(order && { numbered: order }) } };
  }
  return { ...mask, unique: { scopes: neverRepeats === true && isExact ? [] : scopes } };
}

/**
 * The mask as a function of the originals, which permutes the integers of the rule's range, so that originals that are
 * distinct stay so in any order of the rows. Undefined when the rule's values are no such integers.
 */
export function permuteOriginals(mask: ColumnMask): ColumnMask | undefined {
  if (mask.originalKey !== undefined) return mask.integers === undefined ? undefined : mask;
  if (mask.plan.traits?.numbered?.from === undefined || mask.differs || mask.references.length > 0)
    return undefined;
  return byOriginals(mask, mask.key);
}
