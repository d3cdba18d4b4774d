import type { NumberedValues } from '@understudy/generator';
import { type Key, KeyedPermutation } from '@understudy/random';

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
