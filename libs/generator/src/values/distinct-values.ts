import { decimalText, isExactDecimal, renderText } from '@understudy/expression';
import { sipHash128, utf8Bytes, type Key } from '@understudy/random';

const LONGEST_KEPT = 64;
/**
 * The hash key need not be secret, because a collision is harmless: if two texts have the same hash, the set
 * only refuses the second text although it is new. The set never accepts a value twice.
 */
const HASH_KEY: Key = Object.freeze({ a: 1, b: 2, c: 3, d: 4 });

/**
 * The set of values that a `unique` has accepted. Two arrays or objects are equal if they have the same JSON.
 * Two numbers are equal if their values are, such as 0.12345678901234567 and 0.123456789012345670. Long texts are stored
 * as 128-bit hashes, so that the memory does not depend on the length of the values.
 */
export class DistinctValues {
  private readonly scalars = new Set<unknown>();
  private readonly hashes = new Set<string>();
  private readonly words = new Int32Array(4);

  get size(): number {
    return this.scalars.size + this.hashes.size;
  }

  /**
   * Adds a value. Returns false if the set contains it already.
   * @throws EvaluationError if the JSON of an array or object is longer than 64 KiB
   */
  add(value: unknown): boolean {
    const before = this.size;
    if (isExactDecimal(value)) this.hashes.add(this.hash(`decimal ${decimalText(value).replace(/0+$/, '')}`));
    else if (typeof value === 'object') this.hashes.add(this.hash(`json ${renderText(value)}`));
    else if (typeof value === 'string' && value.length > LONGEST_KEPT) {
      this.hashes.add(this.hash(`text ${value}`));
    } else this.scalars.add(value);
    return this.size > before;
  }

  private hash(text: string): string {
    const bytes = utf8Bytes(text);
    sipHash128(HASH_KEY, bytes, 0, bytes.length, this.words);
    return this.words.join();
  }
}
