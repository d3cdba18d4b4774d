import type { SqlName } from '@understudy/sync-job';
import type { SnapshotFailure } from './snapshot-failure.js';

export type SnapshotPhase = 'preflight' | 'dumping' | 'finishing';
export type RestorePhase = 'preflight' | 'checking' | 'loading' | 'switching';

/** Bytes are those of the tables in a database, or an estimate of them. */
export interface SnapshotCounts {
  readonly tablesDone: number;
  readonly tablesTotal: number;
  readonly bytesDone: number;
  readonly bytesTotal: number;
}

export interface SnapshotResult {
  /** In the store. */
  readonly sizeBytes: number;
  readonly tableCount: number;
  /** Those of a command that listed none, and only where policy lets names be told. */
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

/** Where an attempt's news go. Resolves when they are written down. */
export type SnapshotReporter = Reporter<SnapshotPhase, SnapshotResult>;
export interface RestoreReporter extends Reporter<RestorePhase, { readonly counts: SnapshotCounts }> {
  /** Resolves with whether the end is known for good, so that no other attempt will be asked for: `false` when the lease is lost first. */
  isKnown(): Promise<boolean>;
}
