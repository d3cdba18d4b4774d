import type { JobDatabase, JobProgress, TableState } from './sync-job.js';
import type { SyncJobEntity } from './sync-job.entity.js';
import { totalRows } from './apply-event.js';
import type { SyncJobTableEntity } from './sync-job-table.entity.js';
import type { SyncJobState } from './sync-job-state.js';

/** The row as the pure rules see it. */
export function toProgress(job: SyncJobEntity, tables: readonly SyncJobTableEntity[]): JobProgress {
  return {
    state: toState(job),
    tables: tables.map(toTableState),
    models: job.models,
    warnings: job.warnings,
    pace: job.pace,
    phases: job.phases,
    verification: job.verification,
    prediction: job.prediction,
  };
}

export function toTableState(table: SyncJobTableEntity): TableState {
  const { status, rowsProcessed, rowsTotal, bytesProcessed, bytesTotal } = table;
  return { status, rowsProcessed, rowsTotal, bytesProcessed, bytesTotal };
}

export function toState(job: SyncJobEntity): SyncJobState {
  const { status, attempts, epoch, lastSeq, agentId, leasedAt, leaseExpiresAt } = job;
  const { startedAt, completedAt, cancelRequestedAt } = job;
  const { errorCode, errorMessage, errorDetails } = job;
  const error =
    errorCode === null ? null : { code: errorCode, message: errorMessage ?? '', details: errorDetails };
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
    cancelRequestedAt,
  };
}

/** What was accepted never changes; of the databases only the sealed URLs go, when the job ends. */
type ChangingColumns = Partial<Omit<SyncJobEntity, 'definition'>>;

/** The columns that a new state writes. */
export function stateColumns({ error, ...state }: SyncJobState): ChangingColumns {
  return {
    ...state,
    errorCode: error?.code ?? null,
    errorMessage: error?.message ?? null,
    errorDetails: error?.details ?? [],
  };
}

export function progressColumns({ state, tables, ...told }: JobProgress): ChangingColumns {
  return { ...stateColumns(state), ...told, rowsProcessed: totalRows(tables) };
}

/** The databases of a job that ended: nobody opens a sealed URL any more, so none is kept. */
export function erasedDatabases({ source, target }: SyncJobEntity): ChangingColumns {
  return { source: withoutSecret(source), target: withoutSecret(target) };
}

function withoutSecret(database: JobDatabase): JobDatabase {
  return database.kind === 'sealed' ? { kind: 'sealed', by_agent: {} } : database;
}

/** Positions whose rows differ and have to be written. */
export function changedTables(before: readonly TableState[], after: readonly TableState[]): number[] {
  return after.flatMap((table, position) => (table === before[position] ? [] : [position]));
}
