import { ByteSink } from '@understudy/bytes';
import { GenerationError, type RecordCursor, type SchemaPlan } from '@understudy/generator';
import { NulCharacterError } from '@understudy/records';

import { rowWriter, type RowLayout, type WriteRow } from './row-layout.js';
import type { RowRange } from './generation-task.js';

/** A chunk ends with the row that brings it to this size. */
export const CHUNK_BYTES = 128 * 1024;
/**
 * The generators limit the work of one API request. Starting a new request after this many rows keeps the CLI
 * below these limits.
 */
const ROWS_PER_REQUEST = 100;

/** Rows as bytes. Contains plain data only, because threads send it. */
export interface Chunk {
  readonly bytes: Uint8Array;
  readonly from: number;
  /** The number of the row after the last row of the chunk. */
  readonly next: number;
  /** The reason why the row `next` could not be generated. */
  readonly failure?: string;
}

/**
 * Generates the rows of one seed. A chunk depends only on its range. If the plan is `ordered`, chunks must be
 * requested in ascending order.
 */
export class RowMaker {
  private readonly cursor: RecordCursor;
  private readonly write: WriteRow;
  private readonly sink = new ByteSink(2 * CHUNK_BYTES);

  constructor(
    plan: SchemaPlan,
    seed: number,
    private readonly layout: RowLayout,
  ) {
    this.cursor = plan.open(seed);
    this.write = rowWriter(layout);
  }

  /** Returns the first rows of a range, up to the size of a chunk. */
  chunk({ from, to }: RowRange): Chunk {
    const { cursor, sink } = this;
    for (let index = from; index < to; index += 1) {
      if ((index - from) % ROWS_PER_REQUEST === 0) cursor.startRequest();
      const { length } = sink;
      try {
        cursor.moveTo(index);
        this.write(index, cursor.values, sink);
      } catch (error) {
        sink.length = length;
        return { bytes: sink.take(), from, next: index, failure: this.describe(error, index) };
      }
      if (sink.length >= CHUNK_BYTES) return { bytes: sink.take(), from, next: index + 1 };
    }
    return { bytes: sink.take(), from, next: to };
  }

  private describe(error: unknown, index: number): string {
    if (error instanceof GenerationError) return error.message;
    if (!(error instanceof NulCharacterError)) throw error;
    const column = this.cursor.values.findIndex((value) => typeof value === 'string' && value.includes('\0'));
    return `generators.${this.layout.columns[column] ?? ''}: row ${index} contains U+0000, which PostgreSQL cannot store`;
  }
}
