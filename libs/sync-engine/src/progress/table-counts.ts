import type { TableProgress } from '@understudy/sync-job';

/** What the source's catalog tells of a table before its rows move. */
export interface TableSize {
  readonly rows: number;
  readonly bytes: number;
}

/** A table's counts while its rows move. */
export interface TableCounts {
  readonly size: TableSize;
  readonly rows: number;
  readonly bytes: number;
  /** All rows are copied: from here on the counts are the totals. */
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

/** Where the planner was wrong (a table that nobody analysed), the rows so far and their bytes tell better. */
function expectedRows({ rows, bytes, size }: TableCounts): number {
  if (rows <= size.rows) return size.rows;
  return bytes > 0 && bytes < size.bytes ? Math.round((rows * size.bytes) / bytes) : rows;
}

/** What a table costs that holds nothing, as bytes. */
const TABLE_ITSELF = 8192;

/**
 * Pure. Work of a copy in bytes of the source's tables. A table's share is that of its rows or of its bytes, whichever is smaller:
 * both totals are estimates, and an end that comes early is better than one that keeps moving away.
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
