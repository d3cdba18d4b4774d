import type { ColumnMask } from './column-mask.js';
import type { JsonMask } from '../rows/json-mask.js';
import type { UniqueScope } from '../unique/unique-rows.js';

/** What makes the new content of a column's cells. */
export type CellMask = ColumnMask | JsonMask;

/** Do the table's rows have to come in one stream and in an order that is always the same? */
export function needsRowOrder(masks: Iterable<CellMask>): boolean {
  for (const mask of masks) {
    if (!('leaves' in mask) && mask.unique !== undefined) return true;
    if (
      masksWithin(mask).some(({ plan, originalKey }) => plan.countsRows === true && originalKey === undefined)
    ) {
      return true;
    }
  }
  return false;
}

/** Does it look at more of the original than whether it is NULL? */
export function needsOriginal(mask: CellMask): boolean {
  if ('leaves' in mask) return true;
  return mask.differs || mask.originalKey !== undefined || mask.unique !== undefined;
}

/** The mask itself, or those at the places of a JSON column. */
export function masksWithin(mask: CellMask): readonly ColumnMask[] {
  return 'leaves' in mask ? mask.leaves.map((leaf) => leaf.mask) : [mask];
}

export function uniqueScopes(mask: CellMask): readonly UniqueScope[] {
  return 'leaves' in mask ? [] : (mask.unique?.scopes ?? []);
}

/** Does it take three words of the row's hash? */
export function needs96Bits(mask: CellMask): boolean {
  return !('leaves' in mask) && mask.uses96Bits === true && mask.originalKey === undefined;
}
