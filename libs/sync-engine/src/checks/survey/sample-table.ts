import { type Client, quoteIdentifier, quoteTable } from '@understudy/postgres';
import type { ListedTable, SurveyedColumn } from './surveyed-table.js';

export interface SampleRequest {
  readonly table: ListedTable;
  /** Columns whose values are short or may be cut. `readDocuments` reads the others. */
  readonly columns: readonly SurveyedColumn[];
  /** The requested number of rows. */
  readonly rows: number;
  readonly timeoutMs: number;
}

export interface TableSample {
  /** The non-NULL values of each column, as truncated texts. */
  readonly values: ReadonlyMap<string, readonly string[]>;
  /** The columns with truncated values. */
  readonly truncated: ReadonlySet<string>;
  readonly rows: number;
  /** The requested number of rows, or fewer in a wide table. */
  readonly requestedRows: number;
  /** The `FROM` item whose first rows are the sample. */
  readonly from: string;
}

/** The approximate limit for the characters in one table's sample. Wide tables get fewer rows and shorter values. */
const BUDGET = 8_000_000;
const LONGEST_TEXT = 1_000;
/** Tables with at most this many pages are read from their start. */
const SMALL_PAGES = 64;
/**
 * If a column has fewer non-NULL values than this in the sample, the table is searched again for such values.
 */
const SPARSE = 3;
const SPARSE_COLUMNS = 20;
const SPARSE_MS = 500;
const SPARSE_ROWS = 50;

/**
 * Reads some rows of a table. In a large table, these rows come from pages that TABLESAMPLE selects. If a
 * table does not change, each call reads the same rows. Must run in a transaction.
 */
export async function sampleTable(client: Client, request: SampleRequest): Promise<TableSample> {
  const { table, columns } = request;
  const values = new Map<string, string[]>(columns.map(({ name }) => [name, []]));
  const width = Math.max(1, columns.length);
  const rows = Math.max(10, Math.min(request.rows, Math.floor(BUDGET / (width * 200))));
  const longest = Math.max(50, Math.min(LONGEST_TEXT, Math.floor(BUDGET / (rows * width))));
  const drawn = source(table, rows);
  const sampled = await read(client, columns, longest, `${drawn} LIMIT ${rows}`);
  const isTooSmall = sampled.length < Math.min(rows, table.estimatedRows) / 4;
  const from = isTooSmall ? quoteTable(table.name) : drawn;
  const found = isTooSmall ? await read(client, columns, longest, `${from} LIMIT ${rows}`) : sampled;
  const truncated = new Set<string>();
  const add = (name: string, value: string | null | undefined): void => {
    if (value === null || value === undefined) return;
    values.get(name)?.push(value);
    if (value.length >= longest) truncated.add(name);
  };
  for (const row of found) columns.forEach(({ name }, i) => add(name, row[i]));
  const sample = { values, truncated, rows: found.length, requestedRows: rows, from };
  const sparse = columns.filter((column) => isSparse(sample, column, values.get(column.name)?.length ?? 0));
  for (const column of sparse.slice(0, SPARSE_COLUMNS)) {
    const more = await searchNonNull(client, table, column, (rowsOf) =>
      read(client, [column], longest, rowsOf),
    );
    for (const [value] of more ?? []) add(column.name, value);
  }
  return sample;
}

/** Returns whether a sample has so few non-NULL values of a column that the table is searched for more. */
export function isSparse(
  { rows, requestedRows }: Pick<TableSample, 'rows' | 'requestedRows'>,
  { notNull }: SurveyedColumn,
  values: number,
): boolean {
  return rows >= requestedRows && !notNull && values < SPARSE;
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

/** Reads the beginning of a value. For a compressed or external value, the server reads no more than that. */
function textOf({ name }: SurveyedColumn, longest: number): string {
  return `pg_catalog.left(${quoteIdentifier(name)}::pg_catalog.text, ${longest})`;
}
