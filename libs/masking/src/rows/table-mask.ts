import { ByteSink } from '@understudy/bytes';
import { NulCharacterError } from '@understudy/copy-format';
import { needs96Bits, uniqueScopes, type CellMask } from '../compile/cell-mask.js';
import type { ColumnMask } from '../compile/column-mask.js';
import {
  generateForOriginal,
  generateValue,
  MAX_ATTEMPTS,
  originalStream,
  textOf,
  type TextWriter,
  textWriterOf,
} from '../values/generate-value.js';
import { maskDocument } from './json-mask.js';
import { MaskingError } from '../compile/masking-errors.js';
import { orderByReferences } from '../compile/order-by-references.js';
import { sameText } from '../values/same-text.js';
import { UniqueValues, type WrittenField } from '../unique/unique-values.js';

/** How one leading field of a source row is written. */
export type HeadField<Mask extends CellMask = CellMask> =
  | { readonly kind: 'keep'; readonly name?: string }
  /** The field is part of the row key and is not written. */
  | { readonly kind: 'drop' }
  | { readonly kind: 'null' }
  | { readonly kind: 'mask'; readonly mask: Mask };

/**
 * A masked column of the stream. All cells are objects of one shape, because V8 reads properties of objects with many
 * shapes much more slowly. What the code reads for each row of a large table is therefore a property of the cell and
 * not of its mask, whose optional properties give it many shapes.
 */
export interface Cell {
  readonly mask: CellMask;
  /** Undefined if the plan of the mask cannot write texts. */
  readonly writer: TextWriter | undefined;
  /** The length limit of the column's type, in code points; Infinity if there is none. */
  readonly maxLength: number;
  readonly isBlankPadded: boolean;
  readonly field: number;
  /** Index of the column in `bindings`, or −1 if no mask can read the column. */
  readonly slot: number;
  /** Slots of the columns that the mask reads. */
  readonly refersTo: readonly number[];
  /** Holds the cell until it is written, if cells are not produced in the order of the row's fields. */
  readonly waiting: ByteSink;
  readonly differs: boolean;
  /** The maximum number of values to generate for one cell. */
  readonly attempts: number;
  readonly unique: UniqueValues | undefined;
  /** The number of values that `unique.numbered` has supplied so far. */
  taken: number;
}

const NOWHERE = new ByteSink(1);
/** A column that the job fills with NULL. */
const NULL_FIELD: WrittenField = { bytes: Uint8Array.of(0x5c, 0x4e), start: 0, end: 2 };

/**
 * Rewrites the head (the leading fields) of a table's rows. A masked cell depends only on its mask and its
 * own row: the row key, the original value and the columns that the mask reads. It does not depend on other
 * rows or on chunks. Masks that need rows in order (`needsRowOrder`) are the exception: their cells also
 * depend on the rows before. A stream with such a mask must contain all rows of the table, in the same order
 * in every run. Not reentrant: one instance serves one stream. Each subclass reads and writes one format of
 * COPY.
 */
export abstract class TableMask {
  /** Names of columns in which a value was cut to the column's length. */
  readonly truncated = new Set<string>();
  readonly headFields: number;
  /** The current row. Field i of its head is `bytes[bounds[2i], bounds[2i + 1])`. */
  protected bytes: Uint8Array = new Uint8Array();
  protected bounds: Int32Array = new Int32Array();
  protected readonly row: { readonly key: Int32Array; number: number };
  /** Values of the masked columns, by slot. */
  protected readonly bindings: unknown[];
  /** For each entry of `bindings`, the sink that contains its text and the bounds of the text. */
  protected readonly texts: {
    readonly sinks: ByteSink[];
    readonly starts: Int32Array;
    readonly ends: Int32Array;
  };
  /** The masked cells, by field. */
  private readonly cells: readonly (Cell | undefined)[];
  /**
   * The cells in the order in which they must be produced before the row is written. Empty if each cell can
   * be produced when its field is written.
   */
  private readonly ahead: readonly Cell[];
  private readonly fieldOf: ReadonlyMap<string | undefined, number>;
  private readonly originalHash = new Int32Array(3);

  /**
   * @param head how the leading fields are written, in their order; at least one
   * @param bindings names of the masked columns, in the order that their masks were compiled with
   * @param separator byte between two fields, −1 for none
   * @param prefixBytes number of bytes of a written field before its text
   * @throws MaskingRuleError if columns refer to each other in a cycle
   */
  protected constructor(
    private readonly head: readonly HeadField[],
    bindings: readonly string[],
    private readonly separator: number,
    private readonly prefixBytes: number,
  ) {
    this.headFields = head.length;
    const { length } = bindings;
    this.bindings = bindings.map(() => null);
    this.texts = {
      sinks: bindings.map(() => NOWHERE),
      starts: new Int32Array(length),
      ends: new Int32Array(length),
    };
    this.fieldOf = new Map(head.map((item, field) => [nameOf(item), field]));
    this.cells = head.map((item, field) =>
      item.kind === 'mask' ? cellOf(item.mask, field, bindings) : undefined,
    );
    const inFieldOrder = this.cells.filter((cell) => cell !== undefined);
    const masks = inFieldOrder.map(({ mask }) => mask);
    // A third 32-bit word makes the hash 50 % slower.
    this.row = { key: new Int32Array(masks.some(needs96Bits) ? 3 : 2), number: -1 };
    const ordered = orderByReferences(masks).map((mask) => inFieldOrder[masks.indexOf(mask)] as Cell);
    const readsOthers = masks.some((mask) => uniqueScopes(mask).some(({ others }) => others.length > 0));
    this.ahead = readsOthers || ordered.some((cell, i) => cell !== inFieldOrder[i]) ? ordered : [];
  }

  /**
   * Writes one row's head. Implements `HeadRewrite` and `BinaryHeadRewrite` of @understudy/copy-format.
   * @throws MaskingError
   */
  readonly rewrite = (bytes: Uint8Array, bounds: Int32Array, out: ByteSink): void => {
    this.bytes = bytes;
    this.bounds = bounds;
    this.hashKey(this.row.key);
    this.row.number++;
    for (const cell of this.ahead) {
      cell.waiting.length = 0;
      this.produce(cell, cell.waiting);
    }
    let first = true;
    for (let field = 0; field < this.head.length; field++) {
      const { kind } = this.head[field] as HeadField;
      if (kind === 'drop') continue;
      if (!first && this.separator !== -1) out.writeByte(this.separator);
      first = false;
      if (kind === 'keep') {
        this.writeKept(field, out);
      } else if (kind === 'null') {
        this.writeText(null, out);
      } else {
        const cell = this.cells[field] as Cell;
        if (this.ahead.length === 0) this.produce(cell, out);
        else out.write(cell.waiting.bytes, 0, cell.waiting.length);
      }
    }
  };

  /** Hashes the row key as COPY's text format writes it. */
  protected abstract hashKey(words: Int32Array): void;
  protected abstract isNull(field: number): boolean;
  protected abstract writeKept(field: number, out: ByteSink): void;
  /**
   * Appends a text in the format of the subclass.
   * @throws NulCharacterError with nothing appended
   */
  protected abstract writeText(text: string | null, out: ByteSink): void;

  /**
   * Appends the `attempt`-th value for the cell.
   * @returns false if the value is NULL
   */
  protected generate(cell: Cell, attempt: number, out: ByteSink): boolean {
    const { mask, field } = cell;
    const start = this.bounds[2 * field] as number;
    const end = this.bounds[2 * field + 1] as number;
    let text: string | null;
    if ('leaves' in mask) {
      text = maskDocument(mask, this.bytes, start, end, this.row, this.bindings);
    } else if (mask.originalKey === undefined) {
      text = textOf(mask, this.generateForRow(cell, mask, attempt), this.recordCut);
    } else {
      if (attempt === 0) originalStream(mask, this.bytes, start, end, this.originalHash);
      const value = generateForOriginal(mask, this.originalHash, attempt, this.bytes, start, end);
      text = textOf(mask, value, this.recordCut);
    }
    this.put(cell, text, out);
    return text !== null;
  }

  /**
   * Makes a value visible to other masks. Its text is `out` from `start` to the end.
   * @param value undefined if the value exists only as bytes in `out`
   */
  protected bind(slot: number, value: string | null | undefined, out: ByteSink, start: number): void {
    const { sinks, starts, ends } = this.texts;
    this.bindings[slot] = value;
    sinks[slot] = out;
    starts[slot] = start;
    ends[slot] = out.length;
  }

  private produce(cell: Cell, out: ByteSink): void {
    const { differs, attempts, unique } = cell;
    if (this.isNull(cell.field)) {
      this.put(cell, null, out);
      return;
    }
    const start = out.length;
    for (let attempt = 0; attempt < attempts; attempt++) {
      if (!this.generate(cell, attempt, out)) return;
      const isOld = differs && this.isOld(cell, out, start + this.prefixBytes);
      if (!isOld && (unique === undefined || this.isNew(unique, out, start))) return;
      out.length = start;
    }
    const wanted = unique === undefined ? "differs from the row's own" : 'is new';
    const { name } = cell.mask.column;
    if (attempts > 1)
      throw new MaskingError(
        unique === undefined ? 'generation_failed' : 'unique_capacity',
        name,
        `${MAX_ATTEMPTS} attempts gave no value that ${wanted}`,
      );
    throw new MaskingError('verification_failed', name, "the new value equals the row's old value");
  }

  private generateForRow(cell: Cell, mask: ColumnMask, attempt: number): unknown {
    const value = generateValue(mask, this.row.key, attempt, this.bindings, this.row.number);
    const numbered = mask.unique?.numbered;
    if (numbered === undefined || value === null) return value;
    if (cell.taken === numbered.values.count) {
      throw new MaskingError('unique_capacity', mask.column.name, 'the rule has fewer values than rows');
    }
    return numbered.values.at(numbered.order.of(cell.taken++));
  }

  private put(cell: Cell, text: string | null, out: ByteSink): void {
    const start = out.length;
    try {
      this.writeText(text, out);
    } catch (error) {
      if (!(error instanceof NulCharacterError)) throw error;
      throw new MaskingError('value_invalid', cell.mask.column.name, error.message);
    }
    if (cell.slot !== -1) this.bind(cell.slot, text, out, start + this.prefixBytes);
  }

  private isOld({ field, isBlankPadded }: Cell, out: ByteSink, from: number): boolean {
    const start = this.bounds[2 * field] as number;
    const end = this.bounds[2 * field + 1] as number;
    return sameText(out, from, this.bytes, start, end, isBlankPadded);
  }

  private isNew(unique: UniqueValues, { bytes, length }: ByteSink, start: number): boolean {
    return unique.take({ bytes, start, end: length }, (name) => this.writtenField(name));
  }

  /** Returns the field of a column in the form in which it will be written. */
  private writtenField(name: string): WrittenField {
    const { bytes, bounds, cells } = this;
    const field = this.fieldOf.get(name);
    if (field === undefined) return NULL_FIELD;
    const waiting = cells[field]?.waiting;
    if (waiting !== undefined) return { bytes: waiting.bytes, start: 0, end: waiting.length };
    return { bytes, start: bounds[2 * field] as number, end: bounds[2 * field + 1] as number };
  }

  private readonly recordCut = (column: string): void => {
    this.truncated.add(column);
  };
}

function nameOf(item: HeadField): string | undefined {
  return item.kind === 'mask' ? item.mask.column.name : item.kind === 'keep' ? item.name : undefined;
}

function cellOf(mask: CellMask, field: number, bindings: readonly string[]): Cell {
  const isJson = 'leaves' in mask;
  const scopes = uniqueScopes(mask);
  const unique = isJson || scopes.length === 0 ? undefined : new UniqueValues(mask, scopes);
  const differs = !isJson && mask.differs;
  return {
    mask,
    writer: isJson ? undefined : textWriterOf(mask),
    maxLength: (isJson ? undefined : mask.column.maxLength) ?? Infinity,
    isBlankPadded: !isJson && mask.column.isBlankPadded,
    field,
    slot: bindings.indexOf(mask.column.name),
    refersTo: mask.references.map((name) => bindings.indexOf(name)).filter((at) => at !== -1),
    waiting: new ByteSink(256),
    differs,
    // If the mask has `originalAttempts`, these have already selected the attempt.
    attempts: (differs && mask.originalAttempts === undefined) || unique !== undefined ? MAX_ATTEMPTS : 1,
    unique,
    taken: 0,
  };
}
