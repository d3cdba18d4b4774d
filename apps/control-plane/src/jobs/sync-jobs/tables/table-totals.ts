import { TABLE_STATUSES, type TableStatus } from '@understudy/sync-job';
import type { EntityManager } from 'typeorm';

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

/** Reads one row for each job and status of its tables. $1 = ids of the jobs. pg returns the sums as texts. */
const TABLE_TOTALS = `
  SELECT job_id, status, count(*)::integer AS tables, sum(rows_processed) AS rows_processed,
    sum(bytes_processed) AS bytes_processed,
    CASE WHEN count(rows_total) = count(*) THEN sum(rows_total) END AS rows_total,
    CASE WHEN count(bytes_total) = count(*) THEN sum(bytes_total) END AS bytes_total
  FROM sync_job_tables WHERE job_id = ANY ($1) GROUP BY job_id, status`;

/** Returns the sums of each job in one query. A job without tables is not in the result. */
export async function readTableTotals(
  manager: Pick<EntityManager, 'query'>,
  jobIds: readonly string[],
): Promise<Map<string, TableTotals>> {
  if (jobIds.length === 0) return new Map();
  const rows = await manager.query<StatusTotals[]>(TABLE_TOTALS, [jobIds]);
  const byJob = new Map<string, StatusTotals[]>();
  for (const row of rows) byJob.set(row.job_id, [...(byJob.get(row.job_id) ?? []), row]);
  return new Map([...byJob].map(([id, ofJob]) => [id, totalsOfRows(ofJob)]));
}

interface StatusTotals {
  readonly job_id: string;
  readonly status: TableStatus;
  readonly tables: number;
  readonly rows_processed: string;
  readonly rows_total: string | null;
  readonly bytes_processed: string;
  readonly bytes_total: string | null;
}

function totalsOfRows(rows: readonly StatusTotals[]): TableTotals {
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
