import type { NumberedValues } from '@understudy/generator';
import { type Key, KeyedPermutation } from '@understudy/random';
import type { Canonical } from './canonical-value.js';

/** What must not repeat: the values of a column, or those of some columns together. */
export interface UniqueScope {
  /** The other columns of the key; none when the column's own values may not repeat. */
  readonly others: readonly UniqueColumn[];
  readonly canonical?: Canonical;
}

export interface UniqueColumn {
  readonly name: string;
  readonly canonical?: Canonical;
}

/** How a column's values are kept from repeating, row by row. */
export interface UniqueRows {
  /** Combinations to remember; none where the values cannot repeat by how they are made. */
  readonly scopes: readonly UniqueScope[];
  /** Values are taken by number instead of drawn: the n-th row's in a keyed order. */
  readonly numbered?: { readonly values: NumberedValues; readonly order: KeyedPermutation };
}

/** A column's values by number, in an order that its key alone knows. */
export function inKeyedOrder(key: Key, values: NumberedValues): UniqueRows['numbered'] {
  return { values, order: new KeyedPermutation(key, values.count) };
}
