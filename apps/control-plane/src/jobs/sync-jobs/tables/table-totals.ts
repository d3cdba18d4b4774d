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

/** Reads one row for each job and status of its tables. $1 = ids of the jobs. */
const TABLE_TOTALS = `
  SELECT job_id AS "jobId", status, count(*)::integer AS tables, sum(rows_processed)::float8 AS "rowsProcessed",
    sum(bytes_processed)::float8 AS "bytesProcessed",
    CASE WHEN count(rows_total) = count(*) THEN sum(rows_total)::float8 END AS "rowsTotal",
    CASE WHEN count(bytes_total) = count(*) THEN sum(bytes_total)::float8 END AS "bytesTotal"
  FROM sync_job_tables WHERE job_id = ANY ($1) GROUP BY job_id, status`;

/** Returns the sums of each job in one query. A job without tables is not in the result. */
export async function readTableTotals(
  manager: Pick<EntityManager, 'query'>,
  jobIds: readonly string[],
): Promise<Map<string, TableTotals>> {
  if (jobIds.length === 0) return new Map();
  const rows = await manager.query<StatusTotals[]>(TABLE_TOTALS, [jobIds]);
  const byJob = new Map<string, StatusTotals[]>();
  for (const row of rows) byJob.set(row.jobId, [...(byJob.get(row.jobId) ?? []), row]);
  return new Map([...byJob].map(([id, ofJob]) => [id, totalsOfRows(ofJob)]));
}

/** The sums over the tables of a job that have one status. */
interface StatusTotals extends TableState {
  readonly jobId: string;
  readonly tables: number;
}

function totalsOfRows(rows: readonly StatusTotals[]): TableTotals {
  const counts = countsOf((status) => rows.find((row) => row.status === status)?.tables ?? 0);
  return { ...totalsOf(rows), counts };
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
