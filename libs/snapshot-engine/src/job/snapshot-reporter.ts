import type { SqlName } from '@understudy/sync-job';
import type { SnapshotFailure } from './snapshot-failure.js';

export type SnapshotPhase = 'preflight' | 'dumping' | 'finishing';
export type RestorePhase = 'preflight' | 'checking' | 'loading' | 'switching';

/** Counts of tables and bytes. Bytes are estimates from the sizes of the tables in the database. */
export interface SnapshotCounts {
  readonly tablesDone: number;
  readonly tablesTotal: number;
  readonly bytesDone: number;
  readonly bytesTotal: number;
}

export interface SnapshotResult {
  /** Size of the snapshot in the store. */
  readonly sizeBytes: number;
  readonly tableCount: number;
  /**
   * All tables of the snapshot, if the command listed none and the policy allows names to be reported;
   * otherwise empty.
   */
  readonly tables: readonly { readonly schema: SqlName; readonly name: SqlName }[];
  /** See {@link ARCHIVE_FORMAT}. */
  readonly format: number;
  /** PostgreSQL's `server_version_num`, such as 150014. */
  readonly serverVersion: number;
  readonly manifestHash: Uint8Array;
}

interface Reporter<Phase, Result> {
  /** Called for the first progress of each phase, then at most once a second. */
  progress(phase: Phase, counts: SnapshotCounts): Promise<void>;
  ended(result: Result & { readonly durationMs: number }): Promise<void>;
  failed(failure: SnapshotFailure): Promise<void>;
}

/**
 * Receives the progress and the end of an attempt. Each promise resolves when the report is in the journal.
 */
export type SnapshotReporter = Reporter<SnapshotPhase, SnapshotResult>;
export interface RestoreReporter extends Reporter<RestorePhase, { readonly counts: SnapshotCounts }> {
  /**
   * Resolves with true when the control plane has acknowledged the end of the restore. After that, no other attempt
   * follows. Resolves with false if the lease is lost first.
   */
  isKnown(): Promise<boolean>;
}
