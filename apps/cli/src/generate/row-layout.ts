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

/** Rows of one INSERT. */
export const ROWS_PER_INSERT = 500;

/** How rows become bytes. Plain data: threads get it. */
export interface RowLayout {
  readonly format: Format;
  readonly columns: readonly string[];
  /** With `sql` and `copy`. */
  readonly table: QualifiedName;
  /** Rows of the whole, of which this may be a part. */
  readonly count: number;
  /** Leaves out CSV's header line, and what COPY has around its rows. */
  readonly rowsOnly: boolean;
  /** With `copy`: columns of an array type; elsewhere an array is JSON. */
  readonly arrays?: readonly string[];
}

/**
 * Appends a row with what stands before and after it. That depends on the row's number alone, so the parts of a whole put
 * together are its bytes, wherever it was cut.
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
