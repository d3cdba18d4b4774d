import { ByteSink } from '@understudy/bytes';
import { writeJsonString } from './write-json-string.js';
import { writeJsonValue } from './write-json-value.js';

/**
 * Returns a writer for records as JSON objects. The caller writes the separators between objects. The members
 * are in the order of `columns`, whereas `JSON.stringify` moves integer-like names to the front. Each member
 * has the bytes that `JSON.stringify` would write, except bigints and ExactDecimals, which `JSON.stringify`
 * rejects. They are written with all their digits.
 * @param columns the unique names of the columns
 */
export function jsonRecordWriter(columns: readonly string[]): RecordWriter {
  return new JsonRecordWriter(columns, '}');
}

/** Returns a writer for records as JSON objects, each followed by a line feed. */
export function ndjsonRecordWriter(columns: readonly string[]): RecordWriter {
  return new JsonRecordWriter(columns, '}\n');
}

class JsonRecordWriter implements RecordWriter {
  /** The text before each value, such as `{"a":` and `,"b":`. */
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
 * Writes records that have the same columns. Keeps no state between records: the bytes of a record depend
 * only on its values. So the records of one output can be divided among several writers and sinks, and the
 * concatenated bytes stay the same.
 */
export interface RecordWriter {
  /**
   * Appends one record. Cost: one pass over the values.
   * @param values one value for each column, in order: a string, number, bigint, ExactDecimal, boolean, null, or
   *   an array or plain object of these. NaN, ±Infinity and undefined are written as null, as `JSON.stringify` does
   *   in an array.
   */
  write(values: readonly unknown[], sink: ByteSink): void;
}
