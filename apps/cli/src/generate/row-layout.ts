import type { ByteSink } from '@understudy/bytes';
import { COPY_END, copyHead, copyRecordWriter } from '@understudy/copy-format';
import {
  csvHeader,
  csvRecordWriter,
  jsonRecordWriter,
  ndjsonRecordWriter,
  type QualifiedName,
  sqlInsertHead,
  sqlRecordWriter,
} from '@understudy/records';

export const FORMATS = ['json', 'csv', 'ndjson', 'sql', 'copy'] as const;
export type Format = (typeof FORMATS)[number];

/** The number of rows in one INSERT statement. */
export const ROWS_PER_INSERT = 500;

/** Describes how rows become bytes. Contains plain data only, because it is sent to threads. */
export interface RowLayout {
  readonly format: Format;
  readonly columns: readonly string[];
  /** The name of the table in the formats `sql` and `copy`; empty for other formats. */
  readonly table: QualifiedName;
  /** The number of rows in the whole output. With a range, only some of these rows are written. */
  readonly count: number;
  /** Whether to omit the header line of CSV and the lines before and after the rows of COPY. */
  readonly rowsOnly: boolean;
  /** The columns that have an array type, for the format `copy`. In other columns an array is written as JSON. */
  readonly arrays?: readonly string[];
}

/**
 * Appends a row, and the separators or headers around it. These depend only on the row's number. The outputs of
 * consecutive ranges, concatenated, therefore equal the output of the whole range.
 */
export type WriteRow = (index: number, values: readonly unknown[], sink: ByteSink) => void;

export function rowWriter(layout: RowLayout): WriteRow {
  return WRITERS[layout.format](layout);
}

const WRITERS: Readonly<Record<Format, (layout: RowLayout) => WriteRow>> = {
  json({ columns, count }) {
    const record = jsonRecordWriter(columns);
    return (index, values, sink) => {
      sink.writeAscii(index === 0 ? '[' : ',\n');
      record.write(values, sink);
      if (index === count - 1) sink.writeAscii(']\n');
    };
  },
  csv({ columns, rowsOnly }) {
    const record = csvRecordWriter(columns);
    return (index, values, sink) => {
      if (index === 0 && !rowsOnly) csvHeader(columns, sink);
      record.write(values, sink);
    };
  },
  ndjson({ columns }) {
    const record = ndjsonRecordWriter(columns);
    return (_, values, sink) => record.write(values, sink);
  },
  sql({ columns, table, count }) {
    const record = sqlRecordWriter(columns);
    return (index, values, sink) => {
      if (index % ROWS_PER_INSERT === 0) sqlInsertHead(table, columns, sink);
      record.write(values, sink);
      const ends = index % ROWS_PER_INSERT === ROWS_PER_INSERT - 1 || index === count - 1;
      sink.writeAscii(ends ? ';\n' : ',\n');
    };
  },
  copy({ columns, table, count, rowsOnly, arrays }) {
    const record = copyRecordWriter(columns, arrays);
    return (index, values, sink) => {
      if (index === 0 && !rowsOnly) copyHead(table, columns, sink);
      record.write(values, sink);
      if (index === count - 1 && !rowsOnly) sink.writeAscii(COPY_END);
    };
  },
};
