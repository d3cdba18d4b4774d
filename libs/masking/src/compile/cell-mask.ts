import type { ColumnMask } from './column-mask.js';
import type { JsonMask } from '../rows/json-mask.js';
import type { UniqueScope } from '../unique/unique-rows.js';

/** Produces the new content of a column's cells. */
export type CellMask = ColumnMask | JsonMask;

/** Returns true if all rows of the table must arrive in one stream and in the same order in every run. */
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

/**
 * Returns true if the mask needs the original value. Returns false if it only needs to know whether the
 * original is NULL.
 */
export function needsOriginal(mask: CellMask): boolean {
  if ('leaves' in mask) return true;
  return mask.differs || mask.originalKey !== undefined || mask.unique !== undefined;
}

/** Returns the mask itself, or the masks of the values inside the documents of a JSON column. */
export function masksWithin(mask: CellMask): readonly ColumnMask[] {
  return 'leaves' in mask ? mask.leaves.map((leaf) => leaf.mask) : [mask];
}

export function uniqueScopes(mask: CellMask): readonly UniqueScope[] {
  return 'leaves' in mask ? [] : (mask.unique?.scopes ?? []);
}

/** Returns true if the mask uses 96 bits of the row key's hash instead of 64. */
export function needs96Bits(mask: CellMask): boolean {
  return !('leaves' in mask) && mask.uses96Bits === true && mask.originalKey === undefined;
}
