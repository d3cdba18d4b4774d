import { ByteSink } from '@understudy/bytes';
import {
  isNullField,
  NulCharacterError,
  readTextField,
  writeNullField,
  writeTextField,
} from '@understudy/copy-format';
import { type Key, sipHash128 } from '@understudy/random';
import { uniqueScopes, wantsRoom, type CellMask } from './cell-mask.js';
import type { ColumnMask } from './column-mask.js';
import { drawOriginal, drawValue, MAX_DRAWS, originalStream, textOf } from './draw-value.js';
import { type JsonMask, maskDocument, MAX_JSON_BYTES } from './json-mask.js';
import { MaskingError } from './masking-errors.js';
import { orderByReferences } from './order-by-references.js';
import { sameText } from './same-text.js';
import { UniqueValues, type WrittenField } from './unique-values.js';

/** What becomes of one leading field of a source row. */
export type HeadField =
  | { readonly kind: 'keep'; readonly name?: string }
  /** Read for the row key alone. */
  | { readonly kind: 'drop' }
  | { readonly kind: 'null' }
  | { readonly kind: 'mask'; readonly mask: CellMask };

const TAB = 0x09;
/** A column that the job fills with NULL. */
const NULL_FIELD: WrittenField = { bytes: Uint8Array.of(0x5c, 0x4e), start: 0, end: 2 };

interface Cell {
  readonly mask: CellMask;
  readonly field: number;
  readonly slot: number;
  /** Where the cell waits for its place in the row; none when it is produced in the row's order. */
  readonly waiting: ByteSink | undefined;
  readonly unique: UniqueValues | undefined;
  /** Values that were taken by number. */
  taken: number;
}

/**
 * Rewrites the head of a table's rows: a produced cell is a function of its column's key and the row key alone, never
 * of other rows or of chunks, unless its mask needs rows in order (`needsRowOrder`): then it is one of the rows before it
 * as well, and the stream has to hold all rows of the table in an order that is always the same. Not reentrant: one instance
 * serves one stream.
 */
export class TableMask {
  /** Names of columns in which a value was cut to the column's length. */
  readonly truncated = new Set<string>();
  readonly headFields: number;
  /** Cells to produce before the row is written, as a column further left refers to one further right. */
  private readonly ahead: readonly Cell[];
  private readonly byField: readonly (Cell | undefined)[];
  private readonly bindings: unknown[];
  private readonly fieldOf = new Map<string, number>();
  private readonly row: { readonly key: Int32Array; number: number };
  /** Three words of an original value, for a mask by originals. */
  private readonly originalHash = new Int32Array(3);

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
      const name =
        item.kind === 'mask' ? item.mask.column.name : item.kind === 'keep' ? item.name : undefined;
      if (name !== undefined) this.fieldOf.set(name, field);
    });
    const masks = [...fieldOf.keys()];
    // A third word of the hash costs half as much again as two.
    this.row = { key: new Int32Array(masks.some(wantsRoom) ? 3 : 2), number: -1 };
    const fieldsInOrder = orderByReferences(masks).map((mask) => fieldOf.get(mask) ?? 0);
    const readsOthers = masks.some((mask) => uniqueScopes(mask).some(({ others }) => others.length > 0));
    const inRowOrder =
      !readsOthers && fieldsInOrder.every((field, i) => i === 0 || field > (fieldsInOrder[i - 1] ?? 0));
    const cells = new Map<number, Cell>();
    for (const [mask, field] of fieldOf) {
      const waiting = inRowOrder ? undefined : new ByteSink(256);
      const scopes = uniqueScopes(mask);
      const unique = 'leaves' in mask || scopes.length === 0 ? undefined : new UniqueValues(mask, scopes);
      const slot = bindings.indexOf(mask.column.name);
      cells.set(field, { mask, field, slot, waiting, unique, taken: 0 });
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
      this.row.key,
    );
    this.row.number++;
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
    const isByOriginal = mask.originalKey !== undefined;
    if (isByOriginal) originalStream(mask, bytes, start, end, this.originalHash);
    // How an original is drawn again is settled before the rows: see OriginalDraws.
    const differs = mask.differs && mask.redraws === undefined;
    const draws = differs || cell.unique !== undefined ? MAX_DRAWS : 1;
    for (let attempt = 0; attempt < draws; attempt++) {
      const value = isByOriginal
        ? drawOriginal(mask, this.originalHash, attempt, bytes, start, end)
        : this.drawForRow(cell, mask, attempt);
      const text = textOf(mask, value, this.noteCut);
      this.put(cell, text, out);
      if (text === null) return;
      const isOld = differs && sameText(out, from, bytes, start, end, mask.column.isBlankPadded);
      if (!isOld && this.isNew(cell, { bytes: out.bytes, start: from, end: out.length }, bytes, bounds))
        return;
      out.length = from;
    }
    const wanted = cell.unique === undefined ? "other than the row's own" : 'that is new';
    throw new MaskingError('generation_failed', mask.column.name, `no value ${wanted} in ${MAX_DRAWS} draws`);
  }

  private readonly noteCut = (column: string): void => {
    this.truncated.add(column);
  };

  private drawForRow(cell: Cell, mask: ColumnMask, attempt: number): unknown {
    const { row, bindings } = this;
    const value = drawValue(mask, row.key, attempt, bindings, row.number);
    const numbered = mask.unique?.numbered;
    if (numbered === undefined || value === null) return value;
    if (cell.taken === numbered.values.count) {
      throw new MaskingError('generation_failed', mask.column.name, 'the rule has fewer values than rows');
    }
    return numbered.values.at(numbered.order.of(cell.taken++));
  }

  private isNew({ unique }: Cell, own: WrittenField, bytes: Uint8Array, bounds: Int32Array): boolean {
    return unique === undefined || unique.take(own, (name) => this.writtenField(name, bytes, bounds));
  }

  /** A column of the row as it will be written. */
  private writtenField(name: string, bytes: Uint8Array, bounds: Int32Array): WrittenField {
    const field = this.fieldOf.get(name);
    if (field === undefined) return NULL_FIELD;
    const waiting = this.byField[field]?.waiting;
    if (waiting !== undefined) return { bytes: waiting.bytes, start: 0, end: waiting.length };
    return { bytes, start: bounds[2 * field] as number, end: bounds[2 * field + 1] as number };
  }

  private maskJson(mask: JsonMask, bytes: Uint8Array, start: number, end: number): string {
    if (end - start > MAX_JSON_BYTES) {
      const limit = `${MAX_JSON_BYTES / 1024 / 1024} MiB`;
      throw new MaskingError('value_invalid', mask.column.name, `a document of more than ${limit}`);
    }
    return maskDocument(mask, readTextField(bytes, start, end) ?? '', this.row, this.bindings);
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
