import { renderText } from '@understudy/expression';
import { sipHash128, utf8Bytes, type Key } from '@understudy/random';

const LONGEST_KEPT = 64;
/** Any key does: two texts of one hash make a value drawn once more, never one given twice. */
const HASH_KEY: Key = Object.freeze({ a: 1, b: 2, c: 3, d: 4 });

/**
 * The values that a `unique` has given. Arrays and objects are the same when their JSON is. Long texts are kept as
 * 128-bit hashes, so that the memory of a run does not grow with the size of its values.
 */
export class DistinctValues {
  private readonly scalars = new Set<unknown>();
  private readonly hashes = new Set<string>();
  private readonly words = new Int32Array(4);

  get size(): number {
    return this.scalars.size + this.hashes.size;
  }

  /**
   * False when it is there already.
   * @throws EvaluationError when the JSON of an array or object is longer than 64 KiB
   */
  add(value: unknown): boolean {
    const before = this.size;
    if (typeof value === 'object') this.hashes.add(this.hash(`json ${renderText(value)}`));
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
