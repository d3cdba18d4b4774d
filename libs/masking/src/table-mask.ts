import { ByteSink } from '@understudy/bytes';
import {
  isNullField,
  NulCharacterError,
  readTextField,
  writeNullField,
  writeTextField,
} from '@understudy/copy-format';
import { type Key, sipHash128 } from '@understudy/random';
import type { CellMask } from './cell-mask.js';
import type { ColumnMask } from './column-mask.js';
import { cutToLength } from './cut-to-length.js';
import { drawValue, MAX_DRAWS } from './draw-value.js';
import { type JsonMask, maskDocument, MAX_JSON_BYTES } from './json-mask.js';
import { MaskingError } from './masking-errors.js';
import { orderByReferences } from './order-by-references.js';
import { textForm } from './text-form.js';

/** What becomes of one leading field of a source row. */
export type HeadField =
  | { readonly kind: 'keep' }
  /** Read for the row key alone. */
  | { readonly kind: 'drop' }
  | { readonly kind: 'null' }
  | { readonly kind: 'mask'; readonly mask: CellMask };

const TAB = 0x09;
const BLANK = 0x20;

interface Cell {
  readonly mask: CellMask;
  readonly field: number;
  readonly slot: number;
  /** Where the cell waits for its place in the row; none when it is produced in the row's order. */
  readonly waiting: ByteSink | undefined;
}

/**
 * Rewrites the head of a table's rows: a produced cell is a function of its column's key and the row key alone, never
 * of other rows or of chunks. Not reentrant: one instance serves one stream.
 */
export class TableMask {
  /** Names of columns in which a value was cut to the column's length. */
  readonly truncated = new Set<string>();
  readonly headFields: number;
  /** Cells to produce before the row is written, as a column further left refers to one further right. */
  private readonly ahead: readonly Cell[];
  private readonly byField: readonly (Cell | undefined)[];
  private readonly bindings: unknown[];
  /** Two words: what a cell takes of the row's hash. */
  private readonly rowKey = new Int32Array(2);
  /** The same of an original value, for a consistent rule. */
  private readonly originalHash = new Int32Array(2);

  /**
   * @param head what becomes of the leading fields, in their order; at least one
   * @param keyFields the first so many of them are the row key, at least 1
   * @param rowHashKey see `rowKeyOf`
   * @param bindings names of the produced columns in the order in which their masks were compiled to see them
   * @throws MaskingRuleError when columns refer to each other in a circle
   */
  constructor(
    private readonly head: readonly HeadField[],
    private readonly keyFields: number,
    private readonly rowHashKey: Key,
    bindings: readonly string[],
  ) {
    this.headFields = head.length;
    this.bindings = bindings.map(() => null);
    const fieldOf = new Map<CellMask, number>();
    head.forEach((item, field) => {
      if (item.kind === 'mask') fieldOf.set(item.mask, field);
    });
    const fieldsInOrder = orderByReferences([...fieldOf.keys()]).map((mask) => fieldOf.get(mask) ?? 0);
    const inRowOrder = fieldsInOrder.every((field, i) => i === 0 || field > (fieldsInOrder[i - 1] ?? 0));
    const cells = new Map<number, Cell>();
    for (const [mask, field] of fieldOf) {
      const waiting = inRowOrder ? undefined : new ByteSink(256);
      cells.set(field, { mask, field, slot: bindings.indexOf(mask.column.name), waiting });
    }
    this.byField = head.map((_, field) => cells.get(field));
    this.ahead = inRowOrder ? [] : fieldsInOrder.flatMap((field) => cells.get(field) ?? []);
  }

  /** A `HeadRewrite` of @understudy/copy-format. @throws MaskingError */
  readonly rewrite = (bytes: Uint8Array, bounds: Int32Array, out: ByteSink): void => {
    sipHash128(
      this.rowHashKey,
      bytes,
      bounds[0] as number,
      bounds[2 * this.keyFields - 1] as number,
      this.rowKey,
    );
    for (const cell of this.ahead) {
      const { waiting } = cell;
      if (waiting === undefined) continue;
      waiting.length = 0;
      this.produce(cell, bytes, bounds, waiting);
    }
    let first = true;
    for (let field = 0; field < this.head.length; field++) {
      const item = this.head[field] as HeadField;
      if (item.kind === 'drop') continue;
      if (!first) out.writeByte(TAB);
      first = false;
      if (item.kind === 'keep') {
        out.write(bytes, bounds[2 * field] as number, bounds[2 * field + 1] as number);
      } else if (item.kind === 'null') {
        writeNullField(out);
      } else {
        const cell = this.byField[field] as Cell;
        const from = out.length;
        if (cell.waiting === undefined) this.produce(cell, bytes, bounds, out);
        else out.write(cell.waiting.bytes, 0, cell.waiting.length);
        verifyDiffers(cell, bytes, bounds, out, from);
      }
    }
  };

  /** Appends the cell to `out`. */
  private produce(cell: Cell, bytes: Uint8Array, bounds: Int32Array, out: ByteSink): void {
    const { mask, field } = cell;
    const from = out.length;
    const start = bounds[2 * field] as number;
    const end = bounds[2 * field + 1] as number;
    if (isNullField(bytes, start, end)) {
      this.put(cell, null, out);
      return;
    }
    if ('leaves' in mask) {
      this.put(cell, this.maskJson(mask, bytes, start, end), out);
      return;
    }
    const stream = this.streamOf(mask, bytes, start, end);
    const draws = mask.differs ? MAX_DRAWS : 1;
    for (let attempt = 0; attempt < draws; attempt++) {
      const text = this.draw(mask, stream, attempt);
      this.put(cell, text, out);
      if (!mask.differs || text === null) return;
      if (!sameText(out, from, bytes, start, end, mask.column.isBlankPadded)) return;
      out.length = from;
    }
    throw new MaskingError(
      'generation_failed',
      mask.column.name,
      `no value other than the row's own in ${MAX_DRAWS} draws`,
    );
  }

  /** What tells the cell from others of its column: its row, or its original value. */
  private streamOf(
    { originalKey, column }: ColumnMask,
    bytes: Uint8Array,
    start: number,
    end: number,
  ): Int32Array {
    if (originalKey === undefined) return this.rowKey;
    let valueEnd = end;
    if (column.isBlankPadded) while (valueEnd > start && bytes[valueEnd - 1] === BLANK) valueEnd--;
    sipHash128(originalKey, bytes, start, valueEnd, this.originalHash);
    return this.originalHash;
  }

  private maskJson(mask: JsonMask, bytes: Uint8Array, start: number, end: number): string {
    if (end - start > MAX_JSON_BYTES) {
      const limit = `${MAX_JSON_BYTES / 1024 / 1024} MiB`;
      throw new MaskingError('value_invalid', mask.column.name, `a document of more than ${limit}`);
    }
    return maskDocument(mask, readTextField(bytes, start, end) ?? '', this.rowKey, this.bindings);
  }

  private draw(mask: ColumnMask, stream: Int32Array, attempt: number): string | null {
    const { column } = mask;
    const text = textForm(drawValue(mask, stream, attempt, this.bindings));
    if (text === null || column.maxLength === undefined || text.length <= column.maxLength) return text;
    const cut = cutToLength(text, column.maxLength);
    if (cut.length < text.length) this.truncated.add(column.name);
    return cut;
  }

  private put(cell: Cell, text: string | null, out: ByteSink): void {
    if (cell.slot !== -1) this.bindings[cell.slot] = text;
    if (text === null) {
      writeNullField(out);
      return;
    }
    try {
      writeTextField(out, text);
    } catch (error) {
      if (!(error instanceof NulCharacterError)) throw error;
      throw new MaskingError('value_invalid', cell.mask.column.name, error.message);
    }
  }
}

/** Of what was written, whichever way it came about. @throws MaskingError verification_failed */
function verifyDiffers(
  { mask, field }: Cell,
  bytes: Uint8Array,
  bounds: Int32Array,
  out: ByteSink,
  from: number,
): void {
  if (!('differs' in mask) || !mask.differs) return;
  const [start, end] = [bounds[2 * field] as number, bounds[2 * field + 1] as number];
  if (isNullField(bytes, start, end)) return;
  if (!sameText(out, from, bytes, start, end, mask.column.isBlankPadded)) return;
  throw new MaskingError('verification_failed', mask.column.name, 'a row would keep its own old value');
}

/** Both sides are written with the same escapes, so equal text means equal bytes. */
function sameText(
  written: ByteSink,
  from: number,
  bytes: Uint8Array,
  start: number,
  end: number,
  blankPadded: boolean,
): boolean {
  let length = written.length - from;
  let oldEnd = end;
  if (blankPadded) {
    while (length > 0 && written.bytes[from + length - 1] === BLANK) length--;
    while (oldEnd > start && bytes[oldEnd - 1] === BLANK) oldEnd--;
  }
  if (length !== oldEnd - start) return false;
  for (let i = 0; i < length; i++) if (written.bytes[from + i] !== bytes[start + i]) return false;
  return true;
}
