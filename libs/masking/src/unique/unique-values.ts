import { ByteSink } from '@understudy/bytes';
import { isNullField } from '@understudy/copy-format';
import { deriveKey, type Key, sipHash128 } from '@understudy/random';
import { writeCanonical } from '../values/canonical-value.js';
import type { ColumnMask } from '../compile/column-mask.js';
import { FingerprintTable, MAX_FINGERPRINTS } from './fingerprint-table.js';
import { MaskingError } from '../compile/masking-errors.js';
import type { UniqueScope } from './unique-rows.js';

/** A field in the form that will be written: `bytes[start, end)`. */
export interface WrittenField {
  readonly bytes: Uint8Array;
  readonly start: number;
  readonly end: number;
}

const TAB = 0x09;

/**
 * Remembers the combinations that a column has produced in one stream of rows, as 64-bit fingerprints. If a
 * new combination has the fingerprint of an earlier one, the caller must generate another value. A
 * combination is therefore never produced twice.
 */
export class UniqueValues {
  private readonly tables: readonly FingerprintTable[];
  private readonly fingerprintKey: Key;
  private readonly text = new ByteSink(256);
  private readonly words: Int32Array;

  constructor(
    private readonly mask: ColumnMask,
    private readonly scopes: readonly UniqueScope[],
  ) {
    this.tables = scopes.map(() => new FingerprintTable());
    this.fingerprintKey = deriveKey(mask.key, 'seen');
    this.words = new Int32Array(2);
  }

  /**
   * Adds a value to every scope, or to none if any scope already has its combination. A combination with a
   * NULL equals no other.
   * @param other returns the field of another column of the row
   * @returns false if the value is not new
   * @throws MaskingError key_too_large for more than MAX_FINGERPRINTS values
   */
  take(own: WrittenField, other: (name: string) => WrittenField): boolean {
    const fingerprints = this.scopes.map((scope) => this.fingerprint(scope, own, other));
    const isTaken = fingerprints.some(
      (words, i) => words !== undefined && this.table(i).has(words.high, words.low),
    );
    if (isTaken) return false;
    fingerprints.forEach((words, i) => {
      if (words === undefined) return;
      if (this.table(i).size === MAX_FINGERPRINTS) {
        const message = `unique supports at most ${MAX_FINGERPRINTS} values: use a rule that contains a uuid`;
        throw new MaskingError('key_too_large', this.mask.column.name, message);
      }
      this.table(i).add(words.high, words.low);
    });
    return true;
  }

  private table(i: number): FingerprintTable {
    return this.tables[i] as FingerprintTable;
  }

  private fingerprint(
    { others, canonical }: UniqueScope,
    own: WrittenField,
    other: (name: string) => WrittenField,
  ): { high: number; low: number } | undefined {
    const { text, words } = this;
    text.length = 0;
    writeCanonical(text, canonical, own.bytes, own.start, own.end);
    for (const column of others) {
      const { bytes, start, end } = other(column.name);
      if (isNullField(bytes, start, end)) return undefined;
      text.writeByte(TAB);
      writeCanonical(text, column.canonical, bytes, start, end);
    }
    sipHash128(this.fingerprintKey, text.bytes, 0, text.length, words);
    return { high: words[0] as number, low: words[1] as number };
  }
}
