import { ByteSink } from '@understudy/bytes';
import { writeJsonString } from './write-json-string.js';
import { writeJsonValue } from './write-json-value.js';

/**
 * Records as JSON objects, without anything between or after them. The members stand in the order of `columns`, whatever
 * their names (`JSON.stringify` would move integer-like ones to the front); each is byte for byte what
 * `JSON.stringify` writes, and a bigint is written as an integer in full.
 * @param columns names, unique
 */
export function jsonRecordWriter(columns: readonly string[]): RecordWriter {
  return new JsonRecordWriter(columns, '}');
}

/** Records as JSON objects, each ended by a line feed. */
export function ndjsonRecordWriter(columns: readonly string[]): RecordWriter {
  return new JsonRecordWriter(columns, '}\n');
}

class JsonRecordWriter implements RecordWriter {
  /** What stands before each value: `{"a":`, `,"b":`. */
  private readonly leads: readonly Uint8Array[];
  private readonly end: Uint8Array;

  constructor(columns: readonly string[], end: string) {
    const sink = new ByteSink(64);
    this.leads = columns.map((column, i) => {
      sink.writeAscii(i === 0 ? '{' : ',');
      writeJsonString(sink, column);
      sink.writeAscii(':');
      return sink.take();
    });
    sink.writeAscii(columns.length === 0 ? `{${end}` : end);
    this.end = sink.take();
  }

  write(values: readonly unknown[], sink: ByteSink): void {
    const { leads, end } = this;
    for (let i = 0; i < leads.length; i++) {
      const lead = leads[i] as Uint8Array;
      sink.write(lead, 0, lead.length);
      writeJsonValue(sink, values[i]);
    }
    sink.write(end, 0, end.length);
  }
}

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
