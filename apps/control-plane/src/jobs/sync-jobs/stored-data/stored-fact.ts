import type { SyncJobEntity } from '../sync-job.entity.js';
import type { JobTableRow } from '../tables/job-table.js';

/** Who supplied a stored fact: the request for the job, an agent, or the control plane itself. */
export const FACT_ORIGINS = ['request', 'agent', 'control_plane'] as const;

/** A fact that the control plane stores about a job. */
export interface StoredFact {
  /** The path in the response of `getSyncJob`. Facts that this response does not show have a path of their own. */
  readonly path: string;
  readonly origin: (typeof FACT_ORIGINS)[number];
  readonly description: string;
  /** The columns that hold the fact, as `table.column`. */
  readonly columns: readonly string[];
  /** Returns the values; null and undefined mean that there is none yet. Absent for values that are not shown. */
  readonly values?: (job: StoredJob) => readonly FactValue[];
}

export interface StoredJob {
  readonly job: SyncJobEntity;
  readonly tables: readonly JobTableRow[];
}

export type FactValue = string | number | boolean | Date | null | undefined;

type Values = (stored: StoredJob) => readonly FactValue[];
type Origin = StoredFact['origin'];

/** Describes a fact that is in a column of `sync_jobs`. */
export function ofJob(
  origin: Origin,
  path: string,
  column: string,
  description: string,
  values?: Values,
): StoredFact {
  return { path, origin, description, columns: [`sync_jobs.${column}`], ...(values ? { values } : {}) };
}

/** Describes a fact about each table of the job. */
export function ofTables(
  origin: Origin,
  field: string,
  column: string,
  description: string,
  value: (table: JobTableRow) => FactValue,
): StoredFact {
  return {
    ...{ path: `table_progress[].${field}`, origin, description },
    columns: [`sync_job_tables.${column}`],
    values: ({ tables }) => tables.map(value),
  };
}
