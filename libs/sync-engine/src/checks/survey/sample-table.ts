import { readTextField } from '@understudy/copy-format';
import {
  type Client,
  copyOutMessages,
  type MessageReceiver,
  quoteIdentifier,
  quoteTable,
} from '@understudy/postgres';
import { chooseSample, type ChosenSample, type SampleSize } from './choose-sample.js';
import type { ListedTable, SurveyedColumn } from './surveyed-table.js';

export interface SampleRequest extends SampleSize {
  readonly table: ListedTable;
  /** Columns whose values are short or may be cut. `readDocuments` reads the others. */
  readonly columns: readonly SurveyedColumn[];
  readonly timeoutMs: number;
}

/** Receives the non-NULL values of a column, cut to their beginnings. */
export type ValueSink = (column: SurveyedColumn, value: string) => void;

export interface TableSample extends ChosenSample {
  /** The number of rows that were read. */
  readonly rows: number;
  /** The columns with values that were cut. */
  readonly truncated: ReadonlySet<string>;
}

/** The approximate limit for the characters that a reader keeps of one table. Wide tables get shorter values. */
const BUDGET = 16_000_000;
const KEPT_ROWS = 500;
const LONGEST_TEXT = 1_000;
const SHORTEST_TEXT = 50;
/** If a column has fewer non-NULL values than this in the sample, the rest of the table is searched for such values. */
const SPARSE = 3;
const SPARSE_COLUMNS = 20;
const SPARSE_MS = 500;
const SPARSE_ROWS = 50;

/**
 * Reads the rows of a table, or of a large table the rows of pages that TABLESAMPLE selects from all of its parts. If
 * a table does not change, each call reads the same rows. Must run in a transaction.
 * @param progress receives the sample before its rows are read, and again at the end or before an error
 */
export async function sampleTable(
  client: Client,
  request: SampleRequest,
  sink: ValueSink,
  progress: (sample: TableSample) => void,
): Promise<void> {
  const { table, columns } = request;
  const chosen = await chooseSample(client, request);
  const longest = Math.max(
    SHORTEST_TEXT,
    Math.min(LONGEST_TEXT, Math.floor(BUDGET / (KEPT_ROWS * Math.max(1, columns.length)))),
  );
  const truncated = new Set<string>();
  const counts = new Map<SurveyedColumn, number>();
  let rows = 0;
  const read = (read: readonly SurveyedColumn[], from: string, onRow: () => void) => {
    const fields = read.map((column) => textOf(column, longest)).join(', ');
    const receiver = new RowReceiver((values) => {
      onRow();
      read.forEach((column, i) => {
        const value = values[i];
        if (value === null || value === undefined) return;
        counts.set(column, (counts.get(column) ?? 0) + 1);
        if (value.length >= longest) truncated.add(column.name);
        sink(column, value);
      });
    });
    return copyOutMessages(client, `COPY (SELECT ${fields} FROM ${from}) TO STDOUT`, receiver);
  };
  try {
    progress({ ...chosen, rows, truncated });
    if (columns.length > 0) await read(columns, chosen.from, () => rows++);
    else rows = chosen.total;
  } finally {
    progress({ ...chosen, rows, truncated });
  }
  const sparse = columns.filter((column) => isSparse(chosen, column, counts.get(column) ?? 0));
  for (const column of sparse.slice(0, SPARSE_COLUMNS))
    await searchNonNull(client, table, column, (from) => read([column], from, () => undefined));
}

/** Returns whether a sample has so few non-NULL values of a column that the rest of the table is searched for more. */
export function isSparse(
  { share }: Pick<TableSample, 'share'>,
  { notNull }: SurveyedColumn,
  values: number,
): boolean {
  return share < 1 && !notNull && values < SPARSE;
}

/**
 * Runs a query on the rows in which a column is not NULL.
 * @returns undefined if the server does not find such rows in time
 */
export async function searchNonNull<T>(
  client: Client,
  { name }: ListedTable,
  column: SurveyedColumn,
  query: (from: string) => Promise<T>,
): Promise<T | undefined> {
  await client.query(`SAVEPOINT sparse; SET LOCAL statement_timeout = ${SPARSE_MS}`);
  try {
    // For a composite value, IS NOT NULL would be false if one of its fields is NULL.
    const where = `WHERE ${quoteIdentifier(column.name)} IS DISTINCT FROM NULL`;
    const found = await query(`${quoteTable(name)} ${where} LIMIT ${SPARSE_ROWS}`);
    // Also restores the time limit.
    await client.query('ROLLBACK TO SAVEPOINT sparse');
    return found;
  } catch {
    await client.query('ROLLBACK TO SAVEPOINT sparse');
    return undefined;
  }
}

/** Reads the beginning of a value. For a compressed or external value, the server reads no more than that. */
function textOf({ name }: SurveyedColumn, longest: number): string {
  return `pg_catalog.left(${quoteIdentifier(name)}::pg_catalog.text, ${longest})`;
}

const TAB = 0x09;

/** Splits rows of COPY's text format into their fields. */
class RowReceiver implements MessageReceiver {
  /** The part of a row that has arrived, if its message has several parts. */
  private begun: Uint8Array | undefined;

  constructor(private readonly onRow: (values: readonly (string | null)[]) => void) {}

  take(bytes: Uint8Array, start: number, end: number, isLast: boolean): void {
    if (this.begun === undefined && isLast) {
      this.split(bytes, start, end);
      return;
    }
    const part = bytes.subarray(start, end);
    this.begun = this.begun === undefined ? part.slice() : Buffer.concat([this.begun, part]);
    if (!isLast) return;
    this.split(this.begun, 0, this.begun.length);
    this.begun = undefined;
  }

  flush(): undefined {
    // The bytes are already processed.
  }

  /** Splits a row, whose last byte is a newline. */
  private split(bytes: Uint8Array, start: number, end: number): void {
    const values: (string | null)[] = [];
    let from = start;
    for (let at = start; at < end - 1; at++) {
      if (bytes[at] !== TAB) continue;
      values.push(readTextField(bytes, from, at));
      from = at + 1;
    }
    values.push(readTextField(bytes, from, end - 1));
    this.onRow(values);
  }
}
