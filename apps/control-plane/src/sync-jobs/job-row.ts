import type { JobProgress, TableState } from './sync-job.js';
import type { SyncJobEntity } from './sync-job.entity.js';
import { totalRows } from './apply-event.js';
import type { SyncJobTableEntity } from './sync-job-table.entity.js';
import type { SyncJobState } from './sync-job-state.js';

/** The row as the pure rules see it. */
export function toProgress(job: SyncJobEntity, tables: readonly SyncJobTableEntity[]): JobProgress {
  return {
    state: toState(job),
    tables: tables.map(({ status, rowsProcessed, rowsTotal }) => ({ status, rowsProcessed, rowsTotal })),
    models: job.models,
    warnings: job.warnings,
  };
}

export function toState(job: SyncJobEntity): SyncJobState {
  const { status, attempts, epoch, lastSeq, agentId, leasedAt, leaseExpiresAt, startedAt, completedAt } = job;
  const error = job.errorCode === null ? null : { code: job.errorCode, message: job.errorMessage ?? '' };
  return {
    status,
    attempts,
    epoch,
    lastSeq,
    agentId,
    leasedAt,
    leaseExpiresAt,
    startedAt,
    completedAt,
    error,
  };
}

/** What was accepted never changes. */
type ChangingColumns = Partial<Omit<SyncJobEntity, 'definition' | 'source' | 'target'>>;

/** The columns that a new state writes. */
export function stateColumns({ error, ...state }: SyncJobState): ChangingColumns {
  return { ...state, errorCode: error?.code ?? null, errorMessage: error?.message ?? null };
}

export function progressColumns({ state, tables, models, warnings }: JobProgress): ChangingColumns {
  return { ...stateColumns(state), models, warnings, rowsProcessed: totalRows(tables) };
}

/** Positions whose rows differ and have to be written. */
export function changedTables(before: readonly TableState[], after: readonly TableState[]): number[] {
  return after.flatMap((table, position) => (table === before[position] ? [] : [position]));
}
