import type { NumberedValues } from '@understudy/generator';
import { type Key, KeyedPermutation } from '@understudy/random';
import type { Canonical } from '../values/canonical-value.js';

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

/** How each original of a key is drawn so that no two become the same value. */
export interface OriginalAttempts {
  /** By number, each original one of its own; otherwise the number is which draw is taken. */
  readonly isNumbered: boolean;
  readonly numbered?: UniqueRows['numbered'];
  /** The original's number: which draw, 0 for those not noted; or its own, -1 when it is not known. */
  of(stream: Int32Array): number;
}

/** Integers of a rule's range among themselves: each becomes another, no two the same, whatever other rows hold. */
export class IntegerPermutation {
  readonly min: number;
  readonly max: number;
  private readonly permutation: KeyedPermutation;

  constructor(key: Key, { from, count }: Required<Pick<NumberedValues, 'from' | 'count'>>) {
    this.min = from;
    this.max = from + count - 1;
    this.permutation = new KeyedPermutation(key, count);
  }

  has(value: number): boolean {
    return value >= this.min && value <= this.max;
  }

  /** @param value one that it has */
  of(value: number): number {
    return this.min + this.permutation.of(value - this.min);
  }
}
