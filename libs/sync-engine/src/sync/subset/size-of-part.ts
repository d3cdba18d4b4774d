import type { TableSize } from '../progress/table-counts.js';

/** What some of a table's rows are in bytes, if they are like the others. @param rows of the part, exactly */
export function sizeOfPart({ rows, bytes }: TableSize, part: number): TableSize {
  return { rows: part, bytes: Math.round(bytes * Math.min(1, part / Math.max(1, rows))) };
}
