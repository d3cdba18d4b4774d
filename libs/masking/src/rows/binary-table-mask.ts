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

/** Says how one leading field of a source row in COPY's binary format is written: no field can be dropped. */
export type BinaryHeadField = Exclude<HeadField<ColumnMask>, { readonly kind: 'drop' }>;

/**
 * Tells whether a mask's values are text and a function of the row's key only: the mask checks no more of the original
 * than whether it is NULL or the same.
 */
export function isBinaryMask(mask: CellMask): mask is ColumnMask {
  return !('leaves' in mask) && mask.originalKey === undefined && !needsRowOrder([mask]);
}

const TAB = 0x09;
const NULL_TEXT = '\\N';
const LENGTH_BYTES = 4;

/**
 * Masks rows in COPY's binary format, in columns of text whose masks are {@link isBinaryMask}. The values are those
 * that `TextTableMask` gives the same rows.
 */
export class BinaryTableMask extends TableMask {
  private readonly keyText = new ByteSink(256);

  /**
   * @param key for each of the first fields, which are the row key: how its text is made; at least one
   * @param rowHashKey see `rowKeyOf`
   * @throws MaskingRuleError when columns refer to each other in a circle
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

  /** Lets the plan write the value. @returns false, with nothing appended, if the value has to be made first */
  private writeDirectly({ mask, slot }: Cell, attempt: number, out: ByteSink): boolean {
    if ('leaves' in mask || mask.plan.write === undefined) return false;
    const from = out.length;
    beginBinaryField(out);
    const isWritten = writeGenerated(mask, this.row.key, attempt, this.texts, out);
    const bytes = out.length - from - LENGTH_BYTES;
    // So many bytes are at most so many characters. If there are more bytes, only the text has the number.
    if (!isWritten || (mask.column.maxLength ?? bytes) < bytes) {
      out.length = from;
      return false;
    }
    endBinaryField(out, from);
    if (slot !== -1) this.bind(slot, undefined, out, from + LENGTH_BYTES);
    return true;
  }

  /** Makes texts of the values that the column refers to and that are bytes only. */
  private readBindings({ refersTo }: Cell): void {
    const { sinks, starts, ends } = this.texts;
    for (const slot of refersTo) {
      if (this.bindings[slot] !== undefined) continue;
      const { bytes } = sinks[slot] as ByteSink;
      this.bindings[slot] = decodeUtf8(bytes, starts[slot] as number, ends[slot] as number);
    }
  }
}
