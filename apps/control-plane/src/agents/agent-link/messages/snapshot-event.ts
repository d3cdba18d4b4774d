import type { AgentFailure } from './sync-job-event.js';

/** A decoded event about a snapshot that an agent creates. */
export interface SnapshotEvent {
  readonly snapshotId: string;
  readonly epoch: number;
  readonly seq: number;
  readonly occurredAt: Date;
  readonly body: SnapshotReport;
}

/** An agent refuses to delete a snapshot because the agent's policy still protects the snapshot. */
export interface DeletionRefusal {
  readonly deletionId: string;
  /** Lower-case name of the FailureCode, such as `snapshot_too_young`. */
  readonly code: string;
  /** The agent refuses the deletion again if it receives the next request before this time has passed. */
  readonly retryAfterSeconds: number;
}

export type SnapshotReport =
  | { readonly type: 'started' }
  | SnapshotProgress
  | { readonly type: 'ready'; readonly made: MadeSnapshot }
  | { readonly type: 'failed'; readonly failure: AgentFailure };

export interface RestoreEvent {
  readonly restoreId: string;
  readonly epoch: number;
  readonly seq: number;
  readonly occurredAt: Date;
  readonly body: RestoreReport;
}

export type RestoreReport =
  | { readonly type: 'started' }
  | SnapshotProgress
  | { readonly type: 'completed'; readonly counts?: SnapshotCounts; readonly durationMs: number }
  | { readonly type: 'failed'; readonly failure: AgentFailure };

export interface SnapshotProgress {
  readonly type: 'progress';
  /** Lower-case name of the SnapshotPhase or RestorePhase; undefined if the control plane does not know it. */
  readonly phase?: string;
  readonly counts?: SnapshotCounts;
}

export interface SnapshotCounts {
  readonly tablesDone: number;
  readonly tablesTotal: number;
  /** Bytes of the tables' rows, before compression. */
  readonly bytesDone: number;
  readonly bytesTotal: number;
}

export interface MadeSnapshot {
  readonly sizeBytes: number;
  readonly tableCount: number;
  /** Unquoted catalog names, present only if the command listed no tables. */
  readonly tables: readonly { readonly schema: string; readonly name: string }[];
  readonly durationMs: number;
  readonly format: number;
  /** `server_version_num` */
  readonly serverVersion: number;
  /** 64 lower-case hex digits. */
  readonly manifestHash: string;
  /** Fingerprint of the store that keeps the snapshot, 32 lower-case hex digits. */
  readonly store: string;
}
