import { ByteSink } from '@understudy/bytes';
import { hasMembers } from '@understudy/expression';

import type { RecordWriter } from './json-record-writer.js';
import { writeJsonValue } from './write-json-value.js';
import { writeSqlJson } from './write-sql-json.js';
import { writeSqlIdentifier, writeSqlText } from './write-sql-text.js';

const OPEN = 0x28;
const CLOSE = 0x29;

/** The parts of a table name, without quotes: only the table, or the schema and the table. */
export type QualifiedName = readonly string[];

/** Appends `INSERT INTO "t" ("a", "b") VALUES` and a line feed. @throws NulCharacterError */
export function sqlInsertHead(table: QualifiedName, columns: readonly string[], sink: ByteSink): void {
  sink.writeAscii('INSERT INTO ');
  writeTableAndColumns(sink, table, columns);
  sink.writeAscii(' VALUES\n');
}

/** Appends `"s"."t" ("a", "b")`. @throws NulCharacterError */
export function writeTableAndColumns(sink: ByteSink, table: QualifiedName, columns: readonly string[]): void {
  table.forEach((part, i) => {
    if (i > 0) sink.writeAscii('.');
    writeSqlIdentifier(sink, part);
  });
  sink.writeAscii(' (');
  columns.forEach((column, i) => {
    if (i > 0) sink.writeAscii(', ');
    writeSqlIdentifier(sink, column);
  });
  sink.writeByte(CLOSE);
}

/**
 * Returns a writer for records as rows of an INSERT, such as `(1, 'Ann', true, NULL)`. The caller writes the
 * separators between rows. Numbers and booleans are written as in JSON, and arrays and objects as string
 * constants that contain JSON. For text with U+0000 the writer throws NulCharacterError, after it has
 * appended a part of the record.
 */
export function sqlRecordWriter(columns: readonly string[]): RecordWriter {
  return new SqlRecordWriter(columns.length);
}

class SqlRecordWriter implements RecordWriter {
  private readonly nested = new ByteSink(1 << 10);

  constructor(private readonly columnCount: number) {}

  write(values: readonly unknown[], sink: ByteSink): void {
    sink.writeByte(OPEN);
    for (let i = 0; i < this.columnCount; i++) {
      if (i > 0) sink.writeAscii(', ');
      this.writeValue(sink, values[i]);
    }
    sink.writeByte(CLOSE);
  }

  private writeValue(sink: ByteSink, value: unknown): void {
    if (typeof value === 'string') writeSqlText(sink, value);
    else if (hasMembers(value)) this.writeJson(sink, value);
    else if (typeof value === 'number' ? Number.isFinite(value) : value !== null && value !== undefined) {
      writeJsonValue(sink, value);
    } else sink.writeAscii('NULL');
  }

  private writeJson(sink: ByteSink, value: object): void {
    this.nested.length = 0;
    writeJsonValue(this.nested, value);
    writeSqlJson(sink, this.nested);
  }
}
