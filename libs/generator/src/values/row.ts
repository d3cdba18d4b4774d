import type { ByteSink } from '@understudy/bytes';
import type { SlotTexts } from '@understudy/expression';
import type { ValueMeter } from './value-meter.js';

/**
 * The current position of a run. The run updates the position, and the cells read it. Runs do not share a
 * `Row`.
 */
export interface Row {
  /**
   * Two 32-bit words that select the cell's random values: the row number, or the identity of the row in a
   * column rule. Within a repeat, they are a random coordinate plus the number of the item.
   */
  hi: number;
  lo: number;
  /** 0 for the first draw, then the number of the retry. */
  attempt: number;
  /** The number of the row, or of the item within a repeat. `sequence` uses it. */
  index: number;
  /** The values of the names in scope, by slot. */
  readonly slots: unknown[];
  readonly meter: ValueMeter;
}

/**
 * Computes the value of one generator for the current row. A cell that changes the row restores it
 * afterwards.
 */
export type Cell = (row: Row) => unknown;

/**
 * Appends the UTF-8 of the value's text. `texts` contains the texts of the slots that the cell reads.
 * @returns false if only the `Cell` can produce the text; the caller must then remove the bytes that were
 * appended
 */
export type TextCell = (row: Row, texts: SlotTexts, out: ByteSink) => boolean;
