import { ByteSink } from '@understudy/bytes';
import { isNullField, writeTextField } from '@understudy/copy-format';
import { deriveKey, type Key, sipHash128 } from '@understudy/random';
import { type Canonical, canonicalEnd, writeCanonical } from '../values/canonical-value.js';
import type { ColumnMask } from '../compile/column-mask.js';
import { generateForOriginal, MAX_ATTEMPTS, originalStream, textOf } from '../values/generate-value.js';
import { FingerprintTable, MAX_FINGERPRINTS } from './fingerprint-table.js';
import { MaskingError } from '../compile/masking-errors.js';
import { type OriginalAttempts, inKeyedOrder } from './unique-rows.js';
import { sameText } from '../values/same-text.js';

/** There are more originals than the agent's memory can hold, or more than the rule has values. */
export class TooManyOriginalsError extends Error {
  constructor(readonly reason: 'memory' | 'variety') {
    super(
      reason === 'memory'
        ? `the key has more than ${MAX_FINGERPRINTS} originals`
        : 'the key has more originals than the rule has values',
    );
    this.name = 'TooManyOriginalsError';
  }
}

export interface OriginalAttemptsOptions {
  /**
   * True to select values by number. Rules that depend on the row number need this, and so do rules with few
   * values in relation to the number of originals.
   */
  readonly numbered?: boolean;
  /** How the key compares new values, if not like its originals. */
  readonly compared?: Canonical;
  /** True if equal originals may be added more than once, for example in two spellings. */
  readonly mayRepeat?: boolean;
}

/**
 * Receives the originals of all columns that share a mask. Add the originals before any row is copied, and in
 * the same order in every run. If values are selected by number, the builder numbers the originals.
 *
 * If values are not selected by number, the builder generates candidates for each original. It stops at a
 * candidate that differs from the values of all earlier originals. It stores the number of that candidate (the
 * attempt), unless the candidate is the first. To compare candidates with earlier values, it keeps a
 * fingerprint of every value in memory.
 */
export class OriginalAttemptsBuilder {
  count = 0;
  private readonly seen = new FingerprintTable();
  /** The originals' own fingerprints; undefined if the originals that are added are all different. */
  private readonly added: FingerprintTable | undefined;
  private readonly numbers = new FingerprintTable(true);
  private readonly seenKey: Key;
  private readonly stream = new Int32Array(3);
  private readonly words = new Int32Array(2);
  private readonly text = new ByteSink(256);
  private readonly maxOriginals: number;

  /**
   * @param mask a mask with an `originalKey`; its `maxLength` is the smallest of all columns that share the
   * mask
   */
  constructor(
    private readonly mask: ColumnMask,
    private readonly options: OriginalAttemptsOptions = {},
  ) {
    this.added = options.mayRepeat === true ? new FingerprintTable() : undefined;
    this.seenKey = deriveKey(mask.key, 'seen');
    this.maxOriginals = mask.plan.variety?.()?.most ?? Infinity;
  }

  /**
   * Adds one original, a field of COPY's text format. The same original must not be added twice, unless
   * `mayRepeat` is true.
   * @param by the mask of the column that has the original
   * @throws TooManyOriginalsError, MaskingError
   */
  add(bytes: Uint8Array, start: number, end: number, by: ColumnMask = this.mask): void {
    if (isNullField(bytes, start, end)) return;
    const { mask, stream, added } = this;
    originalStream(by, bytes, start, end, stream);
    const [high = 0, low = 0] = stream;
    // Two texts of one value, such as 5 and 5.0, are one original.
    if (added?.has(high, low) === true) return;
    if (this.count === MAX_FINGERPRINTS) throw new TooManyOriginalsError('memory');
    if (this.count >= this.maxOriginals) throw new TooManyOriginalsError('variety');
    added?.add(high, low);
    if (this.options.numbered === true) {
      if (this.numbers.add(high, low, this.count)) this.count++;
      return;
    }
    this.count++;
    for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
      const text = textOf(mask, generateForOriginal(mask, stream, attempt, bytes, start, end));
      if (text === null) return;
      if (!this.isFree(text, by, bytes, start, end)) continue;
      if (attempt > 0) this.numbers.add(high, low, attempt);
      return;
    }
    throw new MaskingError(
      'unique_capacity',
      mask.column.name,
      `${MAX_ATTEMPTS} attempts gave no value that is new`,
    );
  }

  finish(): OriginalAttempts {
    const { numbers, mask } = this;
    const numbered = this.options.numbered === true;
    const values = mask.plan.traits?.numbered;
    return {
      isNumbered: numbered,
      ...(numbered && values ? { numbered: inKeyedOrder(mask.key, values) } : {}),
      of: numbered
        ? (stream) => numbers.numberOf(stream[0] as number, stream[1] as number)
        : (stream) => Math.max(0, numbers.numberOf(stream[0] as number, stream[1] as number)),
    };
  }

  private isFree(made: string, by: ColumnMask, bytes: Uint8Array, start: number, end: number): boolean {
    const { text, mask, words, stream } = this;
    text.length = 0;
    writeTextField(text, made);
    const length = text.length;
    const { isBlankPadded } = by.column;
    if (mask.differs) {
      if (sameText(text, 0, bytes, start, end, isBlankPadded)) return false;
      const trimmedEnd = canonicalEnd(isBlankPadded ? 'padded' : undefined, text.bytes, 0, length);
      if (by.originalClasses?.hasText(stream, text.bytes, 0, trimmedEnd) === true) return false;
    }
    writeCanonical(text, this.options.compared ?? mask.column.canonical, text.bytes, 0, length);
    sipHash128(this.seenKey, text.bytes, length, text.length, words);
    return this.seen.add(words[0] as number, words[1] as number);
  }
}
