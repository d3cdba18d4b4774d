import type { ByteSink } from '@understudy/bytes';
import type { SlotTexts } from '@understudy/expression';
import type { ValueMeter } from './value-meter.js';

/** Where generation stands: a cursor that the run moves and the cells read. One for each run. */
export interface Row {
  /** The cell's coordinate as two 32-bit words: the row's number, or an item's own within a repeat. */
  hi: number;
  lo: number;
  /** 0, or which retry this is. */
  attempt: number;
  /** The row's number, or the item's within a repeat; what `sequence` counts by. */
  index: number;
  /** Values of the names in scope, by slot. */
  readonly slots: unknown[];
  readonly meter: ValueMeter;
}

/** Makes the value of one generator for the row the cursor is at. Puts the cursor back where it found it. */
export type Cell = (row: Row) => unknown;

/**
 * Appends the UTF-8 of the value's text; `texts` holds those of the slots it reads.
 * @returns false where only the `Cell` can tell; then what was appended is to be taken off again
 */
export type TextCell = (row: Row, texts: SlotTexts, out: ByteSink) => boolean;
