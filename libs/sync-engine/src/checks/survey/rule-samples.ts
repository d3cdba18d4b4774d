import { type CellMask, MaskingError, sampleValues } from '@understudy/masking';
import type { TriedColumn } from '../../plan/values/try-values.js';

const FEW = 100;
/** The number of different rows that are enough, and the number of rows after which no more are generated. */
const MANY = 5_000;
const MAX_ROWS = 50_000;

/** Generates values with the rules of one table, to try them on the server. */
export class RuleSamples {
  /** The columns whose rules fail, and those that the caller adds. */
  readonly broken = new Set<string>();

  constructor(
    private readonly masks: readonly CellMask[],
    private readonly bindings: readonly string[],
    private readonly types: ReadonlyMap<string, TriedColumn['type']>,
  ) {}

  /** Returns a hundred values of each column. */
  few(): readonly TriedColumn[] {
    const samples = this.draw(this.masks, FEW, 0);
    return [...samples].flatMap(([name, values]) => {
      const type = this.types.get(name);
      return type === undefined ? [] : [{ name, type, values }];
    });
  }

  /**
   * Returns different rows of some columns. If a rule has few values, as lists and models of names do, these are
   * nearly always all of them. One rare value is enough to make a copy fail.
   */
  many(columns: readonly TriedColumn[]): readonly TriedColumn[] {
    const masks = this.masksFor(columns.map(({ name }) => name));
    const rows = new Map<string, readonly (string | null)[]>();
    for (let from = 0; from < MAX_ROWS && rows.size < MANY; from += MANY) {
      const samples = this.draw(masks, MANY, from);
      for (let row = 0; row < MANY; row++) {
        const values = columns.map(({ name }) => samples.get(name)?.[row] ?? null);
        rows.set(JSON.stringify(values), values);
      }
    }
    const different = [...rows.values()];
    return columns.map((column, i) => ({ ...column, values: different.map((values) => values[i] ?? null) }));
  }

  /** Returns the masks of columns, and of the columns that these read. */
  private masksFor(names: readonly string[]): readonly CellMask[] {
    const needed = new Set(names);
    // A set also iterates over the values that are added on the way.
    for (const name of needed) {
      const mask = this.masks.find(({ column }) => column.name === name);
      if (mask !== undefined && 'references' in mask)
        mask.references.forEach((reference) => needed.add(reference));
    }
    return this.masks.filter(({ column }) => needed.has(column.name));
  }

  private draw(
    masks: readonly CellMask[],
    rows: number,
    from: number,
  ): ReadonlyMap<string, readonly (string | null)[]> {
    try {
      return sampleValues(masks, this.bindings, rows, from);
    } catch (error) {
      if (!(error instanceof MaskingError)) throw error;
      this.broken.add(error.column);
      return new Map();
    }
  }
}
