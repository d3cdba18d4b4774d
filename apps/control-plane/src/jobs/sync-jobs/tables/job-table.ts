import type { EntityManager } from 'typeorm';

import type { TableState } from '../sync-job.js';

/** A table of a job, as its row has it. */
export interface JobTableRow extends TableState {
  readonly jobId: string;
  /** The index of the table in the request. */
  readonly position: number;
  readonly name: string;
  /** The job's `revision` at the last change of this row. No two rows of a job that changed have the same one. */
  readonly revision: number;
}

/** Numbers are at most 2^53 − 1, which float8 represents exactly. $1 = job. */
const READ_TABLES = `
  SELECT job_id AS "jobId", position, name, status, rows_processed::float8 AS "rowsProcessed",
    rows_total::float8 AS "rowsTotal", bytes_processed::float8 AS "bytesProcessed",
    bytes_total::float8 AS "bytesTotal", revision::float8
  FROM sync_job_tables WHERE job_id = $1 ORDER BY position`;

/** Returns the tables of a job in order. Not with entities, which TypeORM creates many times slower than the driver. */
export function readJobTables(manager: Pick<EntityManager, 'query'>, jobId: string): Promise<JobTableRow[]> {
  return manager.query<JobTableRow[]>(READ_TABLES, [jobId]);
}

const READ_NAMES = `
  SELECT job_id AS "jobId", json_agg(name ORDER BY position) AS names FROM sync_job_tables
  WHERE job_id = ANY ($1) GROUP BY job_id`;

/** Returns the names of the tables of each job, in order. */
export async function readTableNames(
  manager: Pick<EntityManager, 'query'>,
  jobIds: readonly string[],
): Promise<Map<string, readonly string[]>> {
  const rows = await manager.query<{ jobId: string; names: readonly string[] }[]>(READ_NAMES, [jobIds]);
  return new Map(rows.map(({ jobId, names }) => [jobId, names]));
}
