import { ByteSink, decodeUtf8 } from '@understudy/bytes';
import {
  beginBinaryField,
  endBinaryField,
  type TextOfBinary,
  writeBinaryField,
  writeBinaryNull,
  writeBinaryText,
} from '@understudy/copy-format';
import { type Key, sipHash128 } from '@understudy/random';
import { type CellMask, needsRowOrder } from '../compile/cell-mask.js';
import type { ColumnMask } from '../compile/column-mask.js';
import { writeGenerated } from '../values/generate-value.js';
import { type Cell, type HeadField, TableMask } from './table-mask.js';

/** How one leading field of a source row is written in COPY's binary format. No field can be dropped. */
export type BinaryHeadField = Exclude<HeadField<ColumnMask>, { readonly kind: 'drop' }>;

/**
 * Returns true if the mask generates values from the row key and does not need rows in order. Such a mask
 * uses the original only to check whether it is NULL or equals the new value.
 */
export function isBinaryMask(mask: CellMask): mask is ColumnMask {
  return !('leaves' in mask) && mask.originalKey === undefined && !needsRowOrder([mask]);
}

const TAB = 0x09;
const NULL_TEXT = '\\N';
const LENGTH_BYTES = 4;

/**
 * Masks rows in COPY's binary format. Each masked column holds text and its mask passes {@link isBinaryMask}.
 * The values equal those that `TextTableMask` produces for the same rows.
 */
export class BinaryTableMask extends TableMask {
  private readonly keyText = new ByteSink(256);

  /**
   * @param key one writer for each field of the row key, at least one; these fields come first in a row
   * @param rowHashKey see `rowKeyOf`
   * @throws MaskingRuleError if columns refer to each other in a cycle
   */
  constructor(
    head: readonly BinaryHeadField[],
    private readonly key: readonly TextOfBinary[],
    private readonly rowHashKey: Key,
    bindings: readonly string[],
  ) {
    super(head, bindings, -1, LENGTH_BYTES);
  }

  protected hashKey(words: Int32Array): void {
    const { key, keyText, bytes, bounds } = this;
    keyText.length = 0;
    for (let field = 0; field < key.length; field++) {
      if (field > 0) keyText.writeByte(TAB);
      const end = bounds[2 * field + 1] as number;
      if (end === -1) keyText.writeAscii(NULL_TEXT);
      else (key[field] as TextOfBinary)(keyText, bytes, bounds[2 * field] as number, end);
    }
    sipHash128(this.rowHashKey, keyText.bytes, 0, keyText.length, words);
  }

  protected isNull(field: number): boolean {
    return this.bounds[2 * field + 1] === -1;
  }

  protected writeKept(field: number, out: ByteSink): void {
    writeBinaryField(out, this.bytes, this.bounds[2 * field] as number, this.bounds[2 * field + 1] as number);
  }

  protected writeText(text: string | null, out: ByteSink): void {
    if (text === null) writeBinaryNull(out);
    else writeBinaryText(out, text);
  }

  protected override generate(cell: Cell, attempt: number, out: ByteSink): boolean {
    if (this.writeDirectly(cell, attempt, out)) return true;
    this.readBindings(cell);
    return super.generate(cell, attempt, out);
  }

  /**
   * Appends the value with `write` of its plan.
   * @returns false, with nothing appended, if the caller must use `value` of the plan instead
   */
  private writeDirectly({ writer, maxLength, slot }: Cell, attempt: number, out: ByteSink): boolean {
    if (writer === undefined) return false;
    const from = out.length;
    beginBinaryField(out);
    const isWritten = writeGenerated(writer, this.row.key, attempt, this.texts, out);
    const bytes = out.length - from - LENGTH_BYTES;
    // A text of n bytes has at most n characters. If the bytes exceed the limit, the characters must be
    // counted in the text.
    if (!isWritten || maxLength < bytes) {
      out.length = from;
      return false;
    }
    endBinaryField(out, from);
    if (slot !== -1) this.bind(slot, undefined, out, from + LENGTH_BYTES);
    return true;
  }

  /** Decodes the values that the column refers to and that exist only as bytes. */
  private readBindings({ refersTo }: Cell): void {
    const { sinks, starts, ends } = this.texts;
    for (const slot of refersTo) {
      if (this.bindings[slot] !== undefined) continue;
      const { bytes } = sinks[slot] as ByteSink;
      this.bindings[slot] = decodeUtf8(bytes, starts[slot] as number, ends[slot] as number);
    }
  }
}
