import type { TableProgress } from '@understudy/sync-job';

/** The estimated size of a table, before its rows are copied. */
export interface TableSize {
  readonly rows: number;
  readonly bytes: number;
}

/** The counts of a table while its rows are copied. */
export interface TableCounts {
  readonly size: TableSize;
  readonly rows: number;
  readonly bytes: number;
  /** True if all rows are copied. The counts are then the totals. */
  readonly isCopied: boolean;
  readonly state: TableProgress['state'];
}

export function pendingTable(size: TableSize): TableCounts {
  return { size, rows: 0, bytes: 0, isCopied: false, state: 'pending' };
}

export function toProgress(counts: TableCounts, tableIndex: number): TableProgress {
  const { rows, bytes, state } = counts;
  return {
    tableIndex,
    rowsProcessed: rows,
    rowsTotal: counts.isCopied ? rows : expectedRows(counts),
    bytesProcessed: bytes,
    bytesTotal: counts.isCopied ? bytes : Math.max(bytes, counts.size.bytes),
    state,
  };
}

/**
 * Returns the estimated number of rows. If more rows than estimated are already copied, as in a table that
 * was never analysed, the function computes a new estimate from the rows and bytes copied so far.
 */
function expectedRows({ rows, bytes, size }: TableCounts): number {
  if (rows <= size.rows) return size.rows;
  return bytes > 0 && bytes < size.bytes ? Math.round((rows * size.bytes) / bytes) : rows;
}

/** The work of a table in addition to its size, in bytes. With it, the work of an empty table is not zero. */
const TABLE_ITSELF = 8192;

/**
 * Computes the done and the remaining work of a copy, in bytes of the source's tables. For each table, it
 * computes the fraction of copied rows and the fraction of copied bytes, and uses the smaller one. Both
 * fractions are estimates, and the smaller one makes the remaining time too long rather than too short. Pure.
 */
export function workOf(tables: readonly TableCounts[]): {
  readonly done: number;
  readonly remaining: number;
} {
  let done = 0;
  let remaining = 0;
  for (const counts of tables) {
    const work = counts.size.bytes + TABLE_ITSELF;
    const share = shareDone(counts);
    done += work * share;
    remaining += work * (1 - share);
  }
  return { done, remaining };
}

function shareDone({ size, rows, bytes, isCopied }: TableCounts): number {
  if (isCopied) return 1;
  const shares = [
    ...(size.rows > 0 ? [rows / size.rows] : []),
    ...(size.bytes > 0 ? [bytes / size.bytes] : []),
  ];
  return Math.min(1, ...(shares.length === 0 ? [0] : shares));
}
