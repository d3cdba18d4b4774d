import type { SyncFailure } from './sync-job-error.js';

export interface TableProgress {
  readonly tableIndex: number;
  readonly rowsProcessed: number;
  /** The planner's estimate until the table is completed, then the count. */
  readonly rowsTotal: number;
  readonly state: 'pending' | 'copying' | 'completed';
}

export interface SyncWarning {
  readonly code: 'foreign_key_skipped' | 'value_truncated' | 'restarted_from_zero' | 'waited_for_job';
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

/**
 * The only way out for a job: counts, indexes and hashes. Each call journals one event before it returns;
 * delivery to the control plane goes on in the background until it is acknowledged.
 */
export interface JobReporter {
  started(): Promise<void>;
  progress(tables: readonly TableProgress[]): Promise<void>;
  /** @param hash 32 bytes, HMAC-SHA-256 of the model's file under the agent's model key */
  modelTrained(tableIndex: number, columnIndex: number, hash: Uint8Array): Promise<void>;
  completed(result: {
    readonly tables: readonly TableProgress[];
    readonly durationMs: number;
    readonly warnings: readonly SyncWarning[];
  }): Promise<void>;
  /** The end of a dry run. */
  predicted(prediction: Prediction): Promise<void>;
  failed(failure: SyncFailure): Promise<void>;
  /** Resolves when the control plane has everything up to the end: completed or failed. */
  readonly confirmed: Promise<void>;
}
