import { ByteSink } from '@understudy/bytes';
import { isNullField, writeTextField } from '@understudy/copy-format';
import { deriveKey, type Key, sipHash128 } from '@understudy/random';
import { writeCanonical } from '../values/canonical-value.js';
import type { ColumnMask } from '../compile/column-mask.js';
import { generateForOriginal, MAX_ATTEMPTS, originalStream, textOf } from '../values/generate-value.js';
import { FingerprintTable, MAX_FINGERPRINTS } from './fingerprint-table.js';
import { MaskingError } from '../compile/masking-errors.js';
import { type OriginalAttempts, inKeyedOrder } from './unique-rows.js';
import { sameText } from '../values/same-text.js';

/** More originals than can be told apart within the agent's memory, or than the rule has values. */
export class TooManyOriginalsError extends Error {
  constructor(readonly reason: 'memory' | 'variety') {
    super(reason === 'memory' ? `more than ${MAX_FINGERPRINTS} originals` : 'more originals than values');
    this.name = 'TooManyOriginalsError';
  }
}

/**
 * Goes through the originals of a key before any row is copied, in an order that is always the same, and finds a draw for
 * each that no earlier one has taken. What it remembers of most of them is nothing: only other draws than the first are
 * noted. While it works it holds a fingerprint of every value.
 */
export class OriginalAttemptsBuilder {
  count = 0;
  private readonly seen = new FingerprintTable();
  private readonly notes = new FingerprintTable(true);
  private readonly seenKey: Key;
  private readonly stream = new Int32Array(3);
  private readonly words = new Int32Array(2);
  private readonly text = new ByteSink(256);
  private readonly most: number;

  /**
   * @param mask by originals, with the shortest length of the columns that share it
   * @param numbered takes values by number: for rules that count rows, and for many originals and few values
   */
  constructor(
    private readonly mask: ColumnMask,
    private readonly numbered: boolean,
  ) {
    this.seenKey = deriveKey(mask.key, 'seen');
    this.most = mask.plan.variety?.()?.most ?? Infinity;
  }

  /** One original, a field of COPY's text format. The same one must not come twice. @throws TooManyOriginalsError, MaskingError */
  add(bytes: Uint8Array, start: number, end: number): void {
    if (isNullField(bytes, start, end)) return;
    if (this.count === MAX_FINGERPRINTS) throw new TooManyOriginalsError('memory');
    if (this.count >= this.most) throw new TooManyOriginalsError('variety');
    const { mask, stream } = this;
    originalStream(mask, bytes, start, end, stream);
    const [high = 0, low = 0] = stream;
    if (this.numbered) {
      // Two texts of one value (5 and 5.0) are one original.
      if (this.notes.add(high, low, this.count)) this.count++;
      return;
    }
    this.count++;
    for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
      const text = textOf(mask, generateForOriginal(mask, stream, attempt, bytes, start, end));
      if (text === null) return;
      if (!this.isFree(text, bytes, start, end)) continue;
      if (attempt > 0) this.notes.add(high, low, attempt);
      return;
    }
    throw new MaskingError('generation_failed', mask.column.name, `no new value in ${MAX_ATTEMPTS} draws`);
  }

  finish(): OriginalAttempts {
    const { notes, mask, numbered } = this;
    const values = mask.plan.traits?.numbered;
    return {
      isNumbered: numbered,
      ...(numbered && values ? { numbered: inKeyedOrder(mask.key, values) } : {}),
      of: numbered
        ? (stream) => notes.numberOf(stream[0] as number, stream[1] as number)
        : (stream) => Math.max(0, notes.numberOf(stream[0] as number, stream[1] as number)),
    };
  }

  private isFree(made: string, bytes: Uint8Array, start: number, end: number): boolean {
    const { text, mask, words } = this;
    const { canonical } = mask.column;
    text.length = 0;
    writeTextField(text, made);
    const length = text.length;
    if (mask.differs && sameText(text, 0, bytes, start, end, false)) return false;
    writeCanonical(text, canonical, text.bytes, 0, length);
    sipHash128(this.seenKey, text.bytes, length, text.length, words);
    return this.seen.add(words[0] as number, words[1] as number);
  }
}
