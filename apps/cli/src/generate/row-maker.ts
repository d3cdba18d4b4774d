import { ByteSink } from '@understudy/bytes';
import { GenerationError, type RecordCursor, type SchemaPlan } from '@understudy/generator';
import { NulCharacterError } from '@understudy/records';

import { rowWriter, type RowLayout, type WriteRow } from './row-layout.js';
import type { RowRange } from './generation-task.js';

/** A chunk ends with the row that brings it to this. */
export const CHUNK_BYTES = 128 * 1024;
/** What one request of the API may make is no limit here; so many rows stay within it. */
const ROWS_PER_REQUEST = 100;

/** Rows as bytes. Plain data: threads send it. */
export interface Chunk {
  readonly bytes: Uint8Array;
  readonly from: number;
  /** The row after the last one of the chunk. */
  readonly next: number;
  /** Why there is no row `next`. */
  readonly failure?: string;
}

/** Makes the rows of one seed. A chunk depends on its place alone, unless the plan is `ordered`: then go upwards. */
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

  /** The first rows of a range, as many as a chunk holds. */
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
    return `generators.${this.layout.columns[column] ?? ''}: row ${index} holds U+0000, which PostgreSQL cannot store`;
  }
}
