import type { ColumnMask } from './column-mask.js';
import type { JsonMask } from './json-mask.js';

/** What makes the new content of a column's cells. */
export type CellMask = ColumnMask | JsonMask;
