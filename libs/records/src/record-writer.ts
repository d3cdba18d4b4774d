import type { ByteSink } from '@understudy/bytes';

/**
 * Writes records of one fixed list of columns. Holds no state between records: the bytes of a record depend on its values
 * alone, so records split over several writers and sinks give the same bytes.
 */
export interface RecordWriter {
  /**
   * Appends one record. Cost: one pass over the values.
   * @param values in column order, as many as there are columns: string, number, bigint, boolean, null, arrays and plain
   *   objects of them. What JSON cannot hold (NaN, ±Infinity, undefined) is written as null, as `JSON.stringify` does in
   *   an array.
   */
  write(values: readonly unknown[], sink: ByteSink): void;
}
