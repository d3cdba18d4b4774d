import type { SqlName } from '@understudy/sync-job';
import type { SnapshotFailure } from './snapshot-failure.js';

export type SnapshotPhase = 'preflight' | 'dumping' | 'finishing';
export type RestorePhase = 'preflight' | 'checking' | 'loading' | 'switching';

/** Bytes count the tables in a database, or estimate them. */
export interface SnapshotCounts {
  readonly tablesDone: number;
  readonly tablesTotal: number;
  readonly bytesDone: number;
  readonly bytesTotal: number;
}

export interface SnapshotResult {
  /** Bytes in the store. */
  readonly sizeBytes: number;
  readonly tableCount: number;
  /** The tables, if the command listed none and the policy lets names be reported. */
  readonly tables: readonly { readonly schema: SqlName; readonly name: SqlName }[];
  /** {@link ARCHIVE_FORMAT} */
  readonly format: number;
  /** `server_version_num` */
  readonly serverVersion: number;
  readonly manifestHash: Uint8Array;
}

interface Reporter<Phase, Result> {
  /** At most once a second within a phase. */
  progress(phase: Phase, counts: SnapshotCounts): Promise<void>;
  ended(result: Result & { readonly durationMs: number }): Promise<void>;
  failed(failure: SnapshotFailure): Promise<void>;
}

/** Receives an attempt's progress and end. Its promises resolve when the report is in the journal. */
export type SnapshotReporter = Reporter<SnapshotPhase, SnapshotResult>;
export interface RestoreReporter extends Reporter<RestorePhase, { readonly counts: SnapshotCounts }> {
  /** Resolves with true when the end is acknowledged, so that no other attempt will follow; false if the lease is lost first. */
  isKnown(): Promise<boolean>;
}
