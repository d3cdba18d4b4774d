import { type Client, quoteIdentifier, quoteTable } from '@understudy/postgres';
import type { ListedTable, SurveyedColumn } from './surveyed-table.js';

export interface SampleRequest {
  readonly table: ListedTable;
  readonly columns: readonly SurveyedColumn[];
  /** The requested number of rows. */
  readonly rows: number;
  readonly timeoutMs: number;
}

export interface TableSample {
  /** The non-NULL values of each column, as truncated texts. The elements of an array are separate values. */
  readonly values: ReadonlyMap<string, readonly string[]>;
  readonly rows: number;
  /** False if the table could not be read in time. */
  readonly isComplete: boolean;
}

/**
 * The approximate limit for the characters in one table's sample, not counting JSON documents. Wide tables
 * get fewer rows and shorter values.
 */
const BUDGET = 8_000_000;
const LONGEST_TEXT = 1_000;
const LONGEST_DOCUMENT = 20_000;
/** The size in bytes on disk above which a value is not read. */
const LARGEST_VALUE = 64 * 1024;
/** Tables with at most this many pages are read from their start. */
const SMALL_PAGES = 64;
/**
 * If a column has fewer non-NULL values than this in the sample, the table is searched again for such values.
 */
const SPARSE = 3;
const SPARSE_COLUMNS = 20;
const SPARSE_MS = 500;
const SEPARATOR = '\u001f';

/**
 * Reads some rows of a table. In a large table, these rows come from pages that TABLESAMPLE selects. If a
 * table does not change, each call reads the same rows. Must run in a transaction.
 */
export async function sampleTable(client: Client, request: SampleRequest): Promise<TableSample> {
  const { table, columns } = request;
  const values = new Map<string, string[]>(columns.map(({ name }) => [name, []]));
  if (columns.length === 0) return { values, rows: 0, isComplete: true };
  const rows = Math.max(10, Math.min(request.rows, Math.floor(BUDGET / (columns.length * 200))));
  const longest = Math.max(50, Math.min(LONGEST_TEXT, Math.floor(BUDGET / (rows * columns.length))));
  const sampled = await read(client, columns, longest, `${source(table, rows)} LIMIT ${rows}`);
  const found =
    sampled.length < Math.min(rows, table.estimatedRows) / 4
      ? await read(client, columns, longest, `${quoteTable(table.name)} LIMIT ${rows}`)
      : sampled;
  for (const row of found) {
    columns.forEach((column, i) => add(values.get(column.name) ?? [], row[i], column));
  }
  if (found.length >= rows) await fillSparse(client, request, longest, values);
  return { values, rows: found.length, isComplete: true };
}

async function fillSparse(
  client: Client,
  { table, columns }: SampleRequest,
  longest: number,
  values: ReadonlyMap<string, string[]>,
): Promise<void> {
  const sparse = columns.filter(({ name, notNull }) => !notNull && (values.get(name)?.length ?? 0) < SPARSE);
  for (const column of sparse.slice(0, SPARSE_COLUMNS)) {
    await client.query(`SAVEPOINT sparse; SET LOCAL statement_timeout = ${SPARSE_MS}`);
    try {
      const where = `${quoteTable(table.name)} WHERE ${quoteIdentifier(column.name)} IS NOT NULL LIMIT 50`;
      const rows = await read(client, [column], longest, where);
      for (const [value] of rows) add(values.get(column.name) ?? [], value, column);
      await client.query('RELEASE SAVEPOINT sparse');
    } catch {
      // No value was found in time, so the column is treated as empty.
      await client.query('ROLLBACK TO SAVEPOINT sparse');
    }
  }
}

function source({ name, pages, estimatedRows }: ListedTable, rows: number): string {
  if (pages <= SMALL_PAGES || estimatedRows <= rows * 2) return quoteTable(name);
  const percent = Math.min(100, Math.max(0.0001, (rows * 4 * 100) / estimatedRows));
  return `${quoteTable(name)} TABLESAMPLE SYSTEM (${percent}) REPEATABLE (1)`;
}

async function read(
  client: Client,
  columns: readonly SurveyedColumn[],
  longest: number,
  from: string,
): Promise<readonly (readonly (string | null)[])[]> {
  const fields = columns.map((column) => textOf(column, longest)).join(', ');
  const { rows } = await client.query<(string | null)[]>({
    text: `SELECT ${fields} FROM ${from}`,
    rowMode: 'array',
  });
  return rows;
}

function textOf({ name, type, isArray }: SurveyedColumn, longest: number): string {
  const column = quoteIdentifier(name);
  const isSmall = `pg_catalog.pg_column_size(${column}) <= ${LARGEST_VALUE}`;
  if (isArray) {
    const text = `pg_catalog.array_to_string(${column}, E'\\x1f')`;
    return `CASE WHEN ${isSmall} THEN pg_catalog.left(${text}, ${longest}) END`;
  }
  // A truncated document would not be valid JSON.
  if (type === 'json' || type === 'jsonb') {
    const text = `${column}::pg_catalog.text`;
    return `CASE WHEN ${isSmall} AND pg_catalog.length(${text}) <= ${LONGEST_DOCUMENT} THEN ${text} END`;
  }
  return `CASE WHEN ${isSmall} THEN pg_catalog.left(${column}::pg_catalog.text, ${longest}) END`;
}

function add(values: string[], value: string | null | undefined, { isArray }: SurveyedColumn): void {
  if (value === null || value === undefined) return;
  if (isArray) values.push(...value.split(SEPARATOR).slice(0, 10));
  else values.push(value);
}
