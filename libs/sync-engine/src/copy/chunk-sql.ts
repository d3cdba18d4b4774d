import { quoteIdentifier, quoteTable } from '@understudy/postgres';
import type { TableName } from '@understudy/sync-job';
import { inRelations } from '../plan/subset/row-filter.js';
import type { CopyLayout } from './copy-layout.js';
import type { Chunk } from './plan-chunks.js';
import type { CopyFormat } from './copy-format.js';

/**
 * Returns the COPY statement that reads a chunk. If possible, this is COPY of the table's name, which returns
 * all rows, without system columns and generated columns. Otherwise, it is COPY of a query.
 * @param rowFilter an SQL condition that the rows must satisfy
 */
export function readChunkSql(
  layout: Pick<CopyLayout, 'read' | 'nullFlagOnly' | 'readsExtraColumns' | 'orderBy'>,
  chunk: Chunk,
  rowFilter?: string,
  format: CopyFormat = 'text',
): string {
  const { relation, reads, leaves } = chunk;
  const { orderBy, nullFlagOnly } = layout;
  const isPlain = orderBy.length === 0 && nullFlagOnly.size === 0 && !layout.readsExtraColumns;
  const conditions = [
    ...pageConditions(chunk),
    ...(leaves === undefined ? [] : [inRelations(leaves)]),
    ...(rowFilter === undefined ? [] : [`(${rowFilter})`]),
  ];
  if (reads === 'table' && conditions.length === 0 && isPlain) {
    return `COPY ${quoteTable(relation)} ${columnList(layout.read)} TO STDOUT${OPTIONS[format]}`;
  }
  const from = `${reads === 'tree' ? '' : 'ONLY '}${quoteTable(relation)}`;
  const where = conditions.length === 0 ? '' : ` WHERE ${conditions.join(' AND ')}`;
  const order = orderBy.length === 0 ? '' : ` ORDER BY ${orderBy.map(quoteIdentifier).join(', ')}`;
  const fields = layout.read.map((name) => (nullFlagOnly.has(name) ? nullFlag(name) : quoteIdentifier(name)));
  return `COPY (SELECT ${fields.join(', ')} FROM ${from}${where}${order}) TO STDOUT${OPTIONS[format]}`;
}

/**
 * Returns SQL that is NULL if the column is NULL, and an empty text otherwise. `IS NULL` would also be true
 * for a composite value whose fields are all NULL.
 */
function nullFlag(name: string): string {
  return `CASE WHEN ${quoteIdentifier(name)} IS DISTINCT FROM NULL THEN '' END`;
}

/** Returns the COPY statement that writes rows into a table that has the written columns. */
export function writeRowsSql(
  { written }: Pick<CopyLayout, 'written'>,
  into: TableName,
  format: CopyFormat = 'text',
): string {
  return `COPY ${quoteTable(into)} ${columnList(written)} FROM STDIN${OPTIONS[format]}`;
}

const OPTIONS = { text: '', binary: ' (FORMAT binary)' } as const;

/**
 * Returns SQL conditions with which the server scans only the chunk's pages. Row numbers in a page start at
 * 1, so `(n,0)` is before all rows of page n.
 */
function pageConditions({ fromPage, toPage }: Chunk): readonly string[] {
  return [
    ...(fromPage === undefined ? [] : [`ctid >= '(${fromPage},0)'::pg_catalog.tid`]),
    ...(toPage === undefined ? [] : [`ctid < '(${toPage},0)'::pg_catalog.tid`]),
  ];
}

function columnList(names: readonly string[]): string {
  return names.length === 0 ? '' : `(${names.map(quoteIdentifier).join(', ')})`;
}
