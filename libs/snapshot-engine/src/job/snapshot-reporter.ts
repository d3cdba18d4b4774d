import type {
  RestorePhase,
  SnapshotCounts,
  SnapshotFailure,
  SnapshotPhase,
  SnapshotResult,
} from '@understudy/agent-protocol';

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
