import type { SyncFailure } from './sync-job-error.js';
import type { Verification } from './verification/verification.js';

export interface TableProgress {
  readonly tableIndex: number;
  readonly rowsProcessed: number;
  /** An estimate until all rows are copied, then the count. */
  readonly rowsTotal: number;
  /** Of the rows as they were sent to the target. */
  readonly bytesProcessed: number;
  /** The size of the source's table until all rows are copied, then what was copied. */
  readonly bytesTotal: number;
  readonly state: 'pending' | 'copying' | 'indexing' | 'verifying' | 'completed';
}

/** Indexes are built while copied rows are read back: `verifying` is all of that time, `indexing` what is left of them afterwards. */
export type SyncPhase = 'preflight' | 'training' | 'copying' | 'indexing' | 'verifying' | 'switching';

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

/** What a run of the job would meet, as far as checks can tell. */
export interface Prediction {
  /** What it would fail with; none: nothing is known to stand in its way. */
  readonly failures: readonly SyncFailure[];
  /** Those beyond the list too. */
  readonly failureCount: number;
  /** Tables that could be looked at. */
  readonly tables: readonly ExpectedRows[];
  readonly warnings: readonly SyncWarning[];
}

export interface ExpectedRows {
  readonly tableIndex: number;
  /** Rounded to two digits; 0 for fewer than ten. */
  readonly rows: number;
}

/** What a job that completed has to tell. */
export interface SyncJobResult {
  readonly tables: readonly TableProgress[];
  readonly warnings: readonly SyncWarning[];
  /** In the order in which they began. */
  readonly phases: readonly PhaseDuration[];
  readonly verification: Verification;
}

/**
 * The only way out for a job: counts, indexes and hashes. Each call journals one event before it returns;
 * delivery to the control plane goes on in the background until it is acknowledged.
 */
export interface JobReporter {
  started(): Promise<void>;
  progress(report: ProgressReport): Promise<void>;
  /** @param hash 32 bytes, HMAC-SHA-256 of the model's file under the agent's model key */
  modelTrained(tableIndex: number, columnIndex: number, hash: Uint8Array): Promise<void>;
  completed(result: SyncJobResult & { readonly durationMs: number }): Promise<void>;
  /** The end of a dry run. */
  predicted(prediction: Prediction): Promise<void>;
  failed(failure: SyncFailure): Promise<void>;
  /** Resolves when the control plane has everything up to the end: completed or failed. */
  readonly confirmed: Promise<void>;
}
