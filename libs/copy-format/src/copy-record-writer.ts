import { ByteSink } from '@understudy/bytes';
import { hasMembers } from '@understudy/expression';
import {
  type QualifiedName,
  type RecordWriter,
  writeJsonValue,
  writeTableAndColumns,
} from '@understudy/records';

import { arrayLiteral } from './array-literal.js';
import { writeNullField, writeTextField } from './write-text-field.js';

const TAB = 0x09;
const LINE_FEED = 0x0a;
const BACKSLASH = 0x5c;

/**
 * Appends `COPY "t" ("a", "b") FROM stdin;` and a line feed, after which psql reads rows.
 * @throws NulCharacterError if a name contains U+0000
 */
export function copyHead(table: QualifiedName, columns: readonly string[], sink: ByteSink): void {
  sink.writeAscii('COPY ');
  writeTableAndColumns(sink, table, columns);
  sink.writeAscii(' FROM stdin;\n');
}

/** The line by which psql recognises the end of the rows. */
export const COPY_END = '\\.\n';

/**
 * Returns a writer for records as rows of COPY's text format, each followed by a line feed. The writer writes
 * numbers and booleans as in JSON. It writes arrays and objects as JSON text, for columns of type json, jsonb
 * or text. For text with U+0000 it throws NulCharacterError, after it has appended a part of the record.
 * @param arrays the columns whose arrays are written as array literals of PostgreSQL instead of JSON
 */
export function copyRecordWriter(columns: readonly string[], arrays: readonly string[] = []): RecordWriter {
  return new CopyRecordWriter(columns.map((column) => arrays.includes(column)));
}

class CopyRecordWriter implements RecordWriter {
  private readonly nested = new ByteSink(1 << 10);

  constructor(private readonly takesArray: readonly boolean[]) {}

  write(values: readonly unknown[], sink: ByteSink): void {
    for (let i = 0; i < this.takesArray.length; i++) {
      if (i > 0) sink.writeByte(TAB);
      const value = values[i];
      if (Array.isArray(value) && this.takesArray[i]) writeTextField(sink, arrayLiteral(value));
      else this.writeField(sink, value);
    }
    sink.writeByte(LINE_FEED);
  }

  private writeField(sink: ByteSink, value: unknown): void {
    if (typeof value === 'string') writeTextField(sink, value);
    else if (hasMembers(value)) this.writeJson(sink, value);
    else if (typeof value === 'number' ? Number.isFinite(value) : value !== null && value !== undefined) {
      writeJsonValue(sink, value);
    } else writeNullField(sink);
  }

  /** Writes JSON text. It contains no control characters and no unpaired surrogates, so only backslashes are escaped. */
  private writeJson(sink: ByteSink, value: object): void {
    const { nested } = this;
    nested.length = 0;
    writeJsonValue(nested, value);
    const { bytes, length } = nested;
    sink.reserve(2 * length);
    let at = sink.length;
    for (let i = 0; i < length; i++) {
      const byte = bytes[i] as number;
      if (byte === BACKSLASH) sink.bytes[at++] = byte;
      sink.bytes[at++] = byte;
    }
    sink.length = at;
  }
}
