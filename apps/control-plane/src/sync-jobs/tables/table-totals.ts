import { TABLE_STATUSES, type TableStatus } from '@understudy/sync-job';

import type { TableState } from '../sync-job.js';

/** The sums over the tables of a job. A sum is at most the largest safe integer. */
export interface TableTotals {
  readonly rowsProcessed: number;
  /** Null while the number of one table is unknown. */
  readonly rowsTotal: number | null;
  readonly bytesProcessed: number;
  readonly bytesTotal: number | null;
  /** The number of tables with each status. */
  readonly counts: Readonly<Record<TableStatus, number>>;
}

export function totalsOf(tables: readonly TableState[]): TableTotals {
  const sum = (count: (table: TableState) => number | null) =>
    tables.reduce<number | null>((total, table) => added(total, count(table)), 0);
  return {
    rowsProcessed: sum(({ rowsProcessed }) => rowsProcessed) ?? 0,
    rowsTotal: sum(({ rowsTotal }) => rowsTotal),
    bytesProcessed: sum(({ bytesProcessed }) => bytesProcessed) ?? 0,
    bytesTotal: sum(({ bytesTotal }) => bytesTotal),
    counts: countsOf((status) => tables.filter((table) => table.status === status).length),
  };
}

/** Reads one row for each status of a job's tables. $1 = job. pg returns the sums as texts. */
export const TABLE_TOTALS = `
  SELECT status, count(*)::integer AS tables, sum(rows_processed) AS rows_processed,
    sum(bytes_processed) AS bytes_processed,
    CASE WHEN count(rows_total) = count(*) THEN sum(rows_total) END AS rows_total,
    CASE WHEN count(bytes_total) = count(*) THEN sum(bytes_total) END AS bytes_total
  FROM sync_job_tables WHERE job_id = $1 GROUP BY status`;

export interface StatusTotals {
  readonly status: TableStatus;
  readonly tables: number;
  readonly rows_processed: string;
  readonly rows_total: string | null;
  readonly bytes_processed: string;
  readonly bytes_total: string | null;
}

/** @param rows the result of {@link TABLE_TOTALS} */
export function totalsOfRows(rows: readonly StatusTotals[]): TableTotals {
  const states = rows.map((row) => ({
    status: row.status,
    rowsProcessed: Number(row.rows_processed),
    rowsTotal: row.rows_total === null ? null : Number(row.rows_total),
    bytesProcessed: Number(row.bytes_processed),
    bytesTotal: row.bytes_total === null ? null : Number(row.bytes_total),
  }));
  const counts = countsOf((status) => rows.find((row) => row.status === status)?.tables ?? 0);
  return { ...totalsOf(states), counts };
}

function countsOf(count: (status: TableStatus) => number): Record<TableStatus, number> {
  return Object.fromEntries(TABLE_STATUSES.map((status) => [status, count(status)])) as Record<
    TableStatus,
    number
  >;
}

function added(total: number | null, count: number | null): number | null {
  return total === null || count === null ? null : Math.min(total + count, Number.MAX_SAFE_INTEGER);
}
