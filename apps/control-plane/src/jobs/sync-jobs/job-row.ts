import { withoutSecret } from '../../agents/agent-work/connections/agent-database.js';
import { stateColumns, toState } from '../../agents/agent-work/leases/work-columns.js';
import type { JobProgress, TableState } from './sync-job.js';
import type { SyncJobEntity } from './sync-job.entity.js';
import { totalRows } from './events/apply-event.js';
import type { JobTableRow } from './tables/job-table.js';

/** Converts a row and its tables to the progress that the pure functions use. */
export function toProgress(job: SyncJobEntity, tables: readonly JobTableRow[]): JobProgress {
  return {
    state: toState(job),
    tables: tables.map(toTableState),
    models: job.models,
    warnings: job.warnings,
    throughput: job.throughput,
    phases: job.phases,
    verification: job.verification,
    prediction: job.prediction,
    leftOut: job.leftOut,
    attemptHistory: job.attemptHistory,
  };
}

function toTableState(table: JobTableRow): TableState {
  const { status, rowsProcessed, rowsTotal, bytesProcessed, bytesTotal } = table;
  return { status, rowsProcessed, rowsTotal, bytesProcessed, bytesTotal };
}

type ChangingColumns = Partial<Omit<SyncJobEntity, 'definition'>>;

export function progressColumns({ state, tables, ...reported }: JobProgress): ChangingColumns {
  return { ...stateColumns(state), ...reported, rowsProcessed: totalRows(tables) };
}

/**
 * Returns the columns `source` and `target` without their sealed URLs, which no agent needs after the job has
 * ended.
 */
export function erasedDatabases({ source, target }: SyncJobEntity): ChangingColumns {
  return { source: withoutSecret(source), target: withoutSecret(target) };
}

/** Returns the positions of the tables that changed and must be written. */
export function changedTables(before: readonly TableState[], after: readonly TableState[]): number[] {
  return after.flatMap((table, position) => (table === before[position] ? [] : [position]));
}
