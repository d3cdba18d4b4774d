import type { SyncFailure } from '../failures/failure.js';
import type { Verification } from './verification.js';

export interface TableProgress {
  readonly tableIndex: number;
  readonly rowsProcessed: number;
  /** An estimate until all rows are copied, then the count. */
  readonly rowsTotal: number;
  /** Of the rows as they were sent to the target. */
  readonly bytesProcessed: number;
  /** The size of the source's table until all rows are copied, then what was copied. */
  readonly bytesTotal: number;
  readonly state: TableStatus;
}

export const TABLE_STATUSES = ['pending', 'copying', 'indexing', 'verifying', 'completed'] as const;
export type TableStatus = (typeof TABLE_STATUSES)[number];

/** Indexes are built while copied rows are read back: `verifying` is all of that time, `indexing` what is left of them afterwards. */
export type SyncPhase = (typeof SYNC_PHASES)[number];
export const SYNC_PHASES = [
  'preflight',
  'training',
  'copying',
  'indexing',
  'verifying',
  'switching',
] as const;

export interface PhaseDuration {
  readonly phase: SyncPhase;
  readonly durationMs: number;
}

export interface ProgressReport {
  readonly tables: readonly TableProgress[];
  readonly phase: SyncPhase;
  /** Of the last seconds; 0 while no row moves. */
  readonly rowsPerSecond: number;
  readonly bytesPerSecond: number;
  /** Until all rows are copied at the present pace; undefined while nothing tells. */
  readonly remainingMs?: number;
}

export interface SyncWarning {
  readonly code:
    | 'foreign_key_skipped'
    | 'value_truncated'
    | 'restarted_from_zero'
    | 'waited_for_job'
    | 'waited_for_lock'
    | 'unique_scarce'
    | 'large_objects_skipped'
    | 'definition_copied';
  readonly tableIndex?: number;
  readonly columnIndex?: number;
}

/** The problems that a run of the job would meet, as far as checks can find out. */
export interface Prediction {
  /** The failures of the run; none: no problem is known. */
  readonly failures: readonly SyncFailure[];
  /** The number of failures, those beyond the list too. */
  readonly failureCount: number;
  /** Tables that could be checked. */
  readonly tables: readonly ExpectedRows[];
  readonly warnings: readonly SyncWarning[];
}

export interface ExpectedRows {
  readonly tableIndex: number;
  /** Rounded to two digits; 0 for fewer than ten. */
  readonly rows: number;
}

/** The report of a job that completed. */
export interface SyncJobResult {
  readonly tables: readonly TableProgress[];
  readonly warnings: readonly SyncWarning[];
  /** In the order in which they began. */
  readonly phases: readonly PhaseDuration[];
  readonly verification: Verification;
}
