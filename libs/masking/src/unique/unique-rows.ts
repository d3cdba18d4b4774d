import type { NumberedValues } from '@understudy/generator';
import { type Key, KeyedPermutation } from '@understudy/random';
import type { Canonical } from '../values/canonical-value.js';

/** The values that must not repeat: those of one column, or the combinations of several columns. */
export interface UniqueScope {
  /** The other columns of the key; none if the column itself is unique. */
  readonly others: readonly UniqueColumn[];
  readonly canonical?: Canonical;
}

export interface UniqueColumn {
  readonly name: string;
  readonly canonical?: Canonical;
}

/** How the values of a column are made unique, row by row. */
export interface UniqueRows {
  /**
   * The scopes whose values or combinations must be remembered; empty if the rule cannot produce a value
   * twice.
   */
  readonly scopes: readonly UniqueScope[];
  /** Values are selected by number: the n-th row gets the n-th value in a keyed order. */
  readonly numbered?: { readonly values: NumberedValues; readonly order: KeyedPermutation };
}

/** Orders the values of a column by a permutation that depends only on `key`. */
export function inKeyedOrder(key: Key, values: NumberedValues): UniqueRows['numbered'] {
  return { values, order: new KeyedPermutation(key, values.count) };
}

/**
 * How a value is selected for each original of the columns that share a mask, so that no two originals get
 * the same value.
 */
export interface OriginalAttempts {
  /**
   * True if each original has a unique number that selects its value. If false, the number of an original is
   * its attempt: the count of candidates that were rejected for it.
   */
  readonly isNumbered: boolean;
  readonly numbered?: UniqueRows['numbered'];
  /** Returns the original's number. For an original without an entry, returns -1 if `isNumbered`, else 0. */
  of(stream: Int32Array): number;
}

/**
 * The originals of a key whose canonical form does not decide which other originals they are equal to. The
 * server found the classes of equal originals. All originals of a class get the hash of its representative.
 */
export interface OriginalClasses {
  /**
   * Writes the hash of the original `bytes[start, end)` to `out`, three 32-bit words. The original is a field of
   * COPY's text format, without the trailing blanks of char(n).
   * @returns false if the hash of the original's canonical form is right
   */
  find(bytes: Uint8Array, start: number, end: number, out: Int32Array): boolean;
  /** Returns whether `bytes[start, end)` is a text of the class with this hash. Known only with `differs`. */
  hasText(stream: Int32Array, bytes: Uint8Array, start: number, end: number): boolean;
}

/**
 * Permutes the integers of a rule's range, so that no two of them become the same. The result does not depend
 * on other rows.
 */
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

  /** @param value a value for which `has` is true */
  of(value: number): number {
    return this.min + this.permutation.of(value - this.min);
  }
}
