import { ByteSink } from '@understudy/bytes';
import { hasMembers, isExactDecimal } from '@understudy/expression';

import type { RecordWriter } from './json-record-writer.js';
import { writeCsvText } from './write-csv-text.js';
import { writeJsonValue } from './write-json-value.js';
import { writeQuotedJson } from './write-quoted-json.js';

const COMMA = 0x2c;
const CARRIAGE_RETURN = 0x0d;
const LINE_FEED = 0x0a;

/**
 * Appends the header line of CSV: the names of the columns and CR LF.
 * @param columns at least one column
 */
export function csvHeader(columns: readonly string[], sink: ByteSink): void {
  columns.forEach((column, i) => {
    if (i > 0) sink.writeByte(COMMA);
    writeCsvText(sink, column);
  });
  endLine(sink);
}

/**
 * Returns a writer for records as lines of CSV (RFC 4180, UTF-8) that end with CR LF. Fields are quoted only
 * if necessary. Null becomes an empty field, and the empty string becomes `""`. Numbers and booleans are
 * written as in JSON, and arrays and objects as JSON text. If there is only one column, null also becomes `""`,
 * because readers skip empty lines.
 *
 * Values are not changed. A spreadsheet may read text that begins with `=`, `+`, `-` or `@` as a formula, so
 * import such files as text.
 * @param columns at least one column
 */
export function csvRecordWriter(columns: readonly string[]): RecordWriter {
  return new CsvRecordWriter(columns.length);
}

class CsvRecordWriter implements RecordWriter {
  private readonly nested = new ByteSink(1 << 10);

  constructor(private readonly columnCount: number) {}

  write(values: readonly unknown[], sink: ByteSink): void {
    const start = sink.length;
    for (let i = 0; i < this.columnCount; i++) {
      if (i > 0) sink.writeByte(COMMA);
      this.writeField(sink, values[i]);
    }
    if (this.columnCount === 1 && sink.length === start) writeCsvText(sink, '');
    endLine(sink);
  }

  private writeField(sink: ByteSink, value: unknown): void {
    if (typeof value === 'string') {
      writeCsvText(sink, value);
    } else if (hasMembers(value)) {
      this.nested.length = 0;
      writeJsonValue(this.nested, value);
      writeQuotedJson(sink, this.nested);
    } else if (typeof value === 'number' ? Number.isFinite(value) : isPresent(value)) {
      writeJsonValue(sink, value);
    }
  }
}

function isPresent(value: unknown): boolean {
  return typeof value === 'boolean' || typeof value === 'bigint' || isExactDecimal(value);
}

function endLine(sink: ByteSink): void {
  sink.writeByte(CARRIAGE_RETURN);
  sink.writeByte(LINE_FEED);
}
