import { quoteIdentifier, quoteTable } from '@understudy/postgres';
import type { TableName } from '@understudy/sync-job';
import type { CopyLayout } from './copy-layout.js';
import type { Chunk } from './plan-chunks.js';
import type { CopyFormat } from './copy-format.js';

/**
 * The COPY that reads a chunk. COPY of a relation reads no system or generated columns and no part of it.
 * @param rowFilter SQL that its rows have to fulfil
 */
export function readChunkSql(
  layout: Pick<CopyLayout, 'read' | 'unseen' | 'readsMore' | 'orderBy'>,
  chunk: Chunk,
  rowFilter?: string,
  format: CopyFormat = 'text',
): string {
  const { relation, reads } = chunk;
  const { orderBy, unseen } = layout;
  const isPlain = orderBy.length === 0 && unseen.size === 0 && !layout.readsMore;
  const conditions = [...pageConditions(chunk), ...(rowFilter === undefined ? [] : [`(${rowFilter})`])];
  if (reads === 'table' && conditions.length === 0 && isPlain) {
    return `COPY ${quoteTable(relation)} ${columnList(layout.read)} TO STDOUT${OPTIONS[format]}`;
  }
  const from = `${reads === 'tree' ? '' : 'ONLY '}${quoteTable(relation)}`;
  const where = conditions.length === 0 ? '' : ` WHERE ${conditions.join(' AND ')}`;
  const order = orderBy.length === 0 ? '' : ` ORDER BY ${orderBy.map(quoteIdentifier).join(', ')}`;
  const fields = layout.read.map((name) => (unseen.has(name) ? presence(name) : quoteIdentifier(name)));
  return `COPY (SELECT ${fields.join(', ')} FROM ${from}${where}${order}) TO STDOUT${OPTIONS[format]}`;
}

/** NULL or nothing. A composite value whose fields are NULL is not itself NULL, which IS NULL would say of it. */
function presence(name: string): string {
  return `CASE WHEN ${quoteIdentifier(name)} IS DISTINCT FROM NULL THEN '' END`;
}

/** The COPY that writes rows, in whatever table has the columns. */
export function writeRowsSql(
  { written }: Pick<CopyLayout, 'written'>,
  into: TableName,
  format: CopyFormat = 'text',
): string {
  return `COPY ${quoteTable(into)} ${columnList(written)} FROM STDIN${OPTIONS[format]}`;
}

const OPTIONS = { text: '', binary: ' (FORMAT binary)' } as const;

/** A scan by ctid range reads these pages alone (PostgreSQL 14 and later). Row numbers begin at 1. */
function pageConditions({ fromPage, toPage }: Chunk): readonly string[] {
  return [
    ...(fromPage === undefined ? [] : [`ctid >= '(${fromPage},0)'::pg_catalog.tid`]),
    ...(toPage === undefined ? [] : [`ctid < '(${toPage},0)'::pg_catalog.tid`]),
  ];
}

function columnList(names: readonly string[]): string {
  return names.length === 0 ? '' : `(${names.map(quoteIdentifier).join(', ')})`;
}
