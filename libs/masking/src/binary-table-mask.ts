import { ByteSink, decodeUtf8 } from '@understudy/bytes';
import {
  beginBinaryField,
  endBinaryField,
  NulCharacterError,
  type TextOfBinary,
  writeBinaryField,
  writeBinaryNull,
  writeBinaryText,
} from '@understudy/copy-format';
import { type Key, sipHash128 } from '@understudy/random';
import { needsRowOrder, wantsRoom, type CellMask } from './cell-mask.js';
import type { ColumnMask } from './column-mask.js';
import { drawValue, MAX_DRAWS, textOf, writeDrawn } from './draw-value.js';
import { MaskingError } from './masking-errors.js';
import { orderByReferences } from './order-by-references.js';
import { sameText } from './same-text.js';

/** What becomes of one leading field of a source row that comes in COPY's binary format. */
export type BinaryHeadField =
  | { readonly kind: 'keep' }
  | { readonly kind: 'null' }
  | { readonly kind: 'mask'; readonly mask: ColumnMask };

/** A mask whose values are text and a function of the row's key alone: nothing of the original but whether it is NULL, or the same. */
export function isBinaryMask(mask: CellMask): mask is ColumnMask {
  return !('leaves' in mask) && mask.originalKey === undefined && !needsRowOrder([mask]);
}

const TAB = 0x09;
const NULL_TEXT = '\\N';
const LENGTH_BYTES = 4;
const NOWHERE = new ByteSink(1);

interface Cell {
  readonly mask: ColumnMask;
  readonly field: number;
  readonly slot: number;
  /** Slots of the columns that it reads. */
  readonly refersTo: readonly number[];
  /** Where the cell waits for its place in the row; none when it is produced in the row's order. */
  readonly waiting: ByteSink | undefined;
}

/**
 * As `TableMask` of rows in COPY's binary format, for columns of text whose masks are {@link isBinaryMask}: the same values for the same
 * rows. Not reentrant: one instance serves one stream.
 */
export class BinaryTableMask {
  /** Names of columns in which a value was cut to the column's length. */
  readonly truncated = new Set<string>();
  /** Cells to produce before the row is written, as a column further left refers to one further right. */
  private readonly ahead: readonly Cell[];
  private readonly byField: readonly (Cell | undefined)[];
  /** Texts of the produced columns, undefined where they stand in `texts` alone. */
  private readonly bindings: (string | null | undefined)[];
  /** The same, where they were written. */
  private readonly texts: {
    readonly sinks: ByteSink[];
    readonly starts: Int32Array;
    readonly ends: Int32Array;
  };
  private readonly rowKey: Int32Array;
  private readonly keyText = new ByteSink(256);

  /**
   * @param head what becomes of the leading fields, in their order; at least one
   * @param key for each of the first fields, which are the row key: how its text is made; at least one
   * @param rowHashKey see `rowKeyOf`
   * @param bindings names of the produced columns in the order in which their masks were compiled to see them
   * @throws MaskingRuleError when columns refer to each other in a circle
   */
  constructor(
    private readonly head: readonly BinaryHeadField[],
    private readonly key: readonly TextOfBinary[],
    private readonly rowHashKey: Key,
    bindings: readonly string[],
  ) {
    this.bindings = bindings.map(() => null);
    const count = bindings.length;
    this.texts = {
      sinks: bindings.map(() => NOWHERE),
      starts: new Int32Array(count),
      ends: new Int32Array(count),
    };
    const fieldOf = new Map<ColumnMask, number>();
    head.forEach((item, field) => {
      if (item.kind === 'mask') fieldOf.set(item.mask, field);
    });
    const masks = [...fieldOf.keys()];
    this.rowKey = new Int32Array(masks.some(wantsRoom) ? 3 : 2);
    const fieldsInOrder = orderByReferences(masks).map((mask) => fieldOf.get(mask as ColumnMask) ?? 0);
    const inRowOrder = fieldsInOrder.every((field, i) => i === 0 || field > (fieldsInOrder[i - 1] ?? 0));
    const cells = new Map<number, Cell>();
    for (const [mask, field] of fieldOf) {
      const waiting = inRowOrder ? undefined : new ByteSink(256);
      const slot = bindings.indexOf(mask.column.name);
      const refersTo = mask.references.map((name) => bindings.indexOf(name)).filter((at) => at !== -1);
      cells.set(field, { mask, field, slot, waiting, refersTo });
    }
    this.byField = head.map((_, field) => cells.get(field));
    this.ahead = inRowOrder ? [] : fieldsInOrder.flatMap((field) => cells.get(field) ?? []);
  }

  /** A `BinaryHeadRewrite` of @understudy/copy-format. @throws MaskingError */
  readonly rewrite = (bytes: Uint8Array, bounds: Int32Array, out: ByteSink): void => {
    this.hashKey(bytes, bounds);
    for (const cell of this.ahead) {
      const { waiting } = cell;
      if (waiting === undefined) continue;
      waiting.length = 0;
      this.produce(cell, bytes, bounds, waiting);
    }
    for (let field = 0; field < this.head.length; field++) {
      const item = this.head[field] as BinaryHeadField;
      if (item.kind === 'keep') {
        writeBinaryField(out, bytes, bounds[2 * field] as number, bounds[2 * field + 1] as number);
      } else if (item.kind === 'null') {
        writeBinaryNull(out);
      } else {
        const cell = this.byField[field] as Cell;
        if (cell.waiting === undefined) this.produce(cell, bytes, bounds, out);
        else out.write(cell.waiting.bytes, 0, cell.waiting.length);
      }
    }
  };

  /** Of the key's text, as a row in COPY's text format has it. */
  private hashKey(bytes: Uint8Array, bounds: Int32Array): void {
    const { key, keyText } = this;
    keyText.length = 0;
    for (let field = 0; field < key.length; field++) {
      if (field > 0) keyText.writeByte(TAB);
      const end = bounds[2 * field + 1] as number;
      if (end === -1) keyText.writeAscii(NULL_TEXT);
      else (key[field] as TextOfBinary)(keyText, bytes, bounds[2 * field] as number, end);
    }
    sipHash128(this.rowHashKey, keyText.bytes, 0, keyText.length, this.rowKey);
  }

  private produce(cell: Cell, bytes: Uint8Array, bounds: Int32Array, out: ByteSink): void {
    const { mask, field } = cell;
    const start = bounds[2 * field] as number;
    const end = bounds[2 * field + 1] as number;
    if (end === -1) {
      this.put(cell, null, out);
      return;
    }
    const from = out.length;
    const draws = mask.differs ? MAX_DRAWS : 1;
    for (let attempt = 0; attempt < draws; attempt++) {
      if (!this.write(cell, attempt, out)) {
        this.readBindings(cell);
        const text = textOf(mask, drawValue(mask, this.rowKey, attempt, this.bindings), this.noteCut);
        this.put(cell, text, out);
        if (text === null) return;
      }
      if (!mask.differs) return;
      if (!sameText(out, from + LENGTH_BYTES, bytes, start, end, mask.column.isBlankPadded)) return;
      out.length = from;
    }
    throw new MaskingError(
      'generation_failed',
      mask.column.name,
      `no value other than the row's own in ${MAX_DRAWS} draws`,
    );
  }

  private readonly noteCut = (column: string): void => {
    this.truncated.add(column);
  };

  /** By the plan's writer. @returns false, with nothing appended, where only the value tells */
  private write({ mask, slot }: Cell, attempt: number, out: ByteSink): boolean {
    const from = out.length;
    beginBinaryField(out);
    const isWritten = writeDrawn(mask, this.rowKey, attempt, this.texts, out);
    const bytes = out.length - from - LENGTH_BYTES;
    // No more bytes are no more characters; of more, their text tells.
    if (!isWritten || (mask.column.maxLength ?? bytes) < bytes) {
      out.length = from;
      return false;
    }
    endBinaryField(out, from);
    if (slot !== -1) this.bind(slot, undefined, out, from + LENGTH_BYTES);
    return true;
  }

  private bind(slot: number, text: string | null | undefined, sink: ByteSink, start: number): void {
    const { sinks, starts, ends } = this.texts;
    this.bindings[slot] = text;
    sinks[slot] = sink;
    starts[slot] = start;
    ends[slot] = sink.length;
  }

  /** Makes texts of what its column refers to and stands in bytes alone. */
  private readBindings({ refersTo }: Cell): void {
    const { sinks, starts, ends } = this.texts;
    for (const slot of refersTo) {
      if (this.bindings[slot] !== undefined) continue;
      const { bytes } = sinks[slot] as ByteSink;
      this.bindings[slot] = decodeUtf8(bytes, starts[slot] as number, ends[slot] as number);
    }
  }

  private put({ mask, slot }: Cell, text: string | null, out: ByteSink): void {
    const from = out.length;
    if (text === null) {
      writeBinaryNull(out);
      if (slot !== -1) this.bind(slot, null, out, out.length);
      return;
    }
    try {
      writeBinaryText(out, text);
    } catch (error) {
      if (!(error instanceof NulCharacterError)) throw error;
      throw new MaskingError('value_invalid', mask.column.name, error.message);
    }
    if (slot !== -1) this.bind(slot, text, out, from + LENGTH_BYTES);
  }
}
