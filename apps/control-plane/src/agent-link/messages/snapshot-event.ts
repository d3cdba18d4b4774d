import type { AgentFailure } from './sync-job-event.js';

/** What an agent reported of a snapshot that it makes, after protobuf. */
export interface SnapshotEvent {
  readonly snapshotId: string;
  readonly epoch: number;
  readonly seq: number;
  readonly occurredAt: Date;
  readonly body: SnapshotReport;
}

/** An agent's policy keeps what a deletion names. */
export interface DeletionRefusal {
  readonly deletionId: string;
  /** Lower-case name of the FailureCode: `snapshot_too_young`. */
  readonly code: string;
  /** Before that the agent refuses again. */
  readonly retryAfterSeconds: number;
}

export type SnapshotReport =
  | { readonly type: 'started' }
  | SnapshotProgress
  | { readonly type: 'ready'; readonly made: MadeSnapshot }
  | { readonly type: 'failed'; readonly failure: AgentFailure };

/** What an agent reported of a restore. */
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
  /** Lower-case name of the SnapshotPhase or RestorePhase; undefined when this side does not know it. */
  readonly phase?: string;
  readonly counts?: SnapshotCounts;
}

export interface SnapshotCounts {
  readonly tablesDone: number;
  readonly tablesTotal: number;
  /** Of the tables' rows, before compression. */
  readonly bytesDone: number;
  readonly bytesTotal: number;
}

export interface MadeSnapshot {
  readonly sizeBytes: number;
  readonly tableCount: number;
  /** When the command listed none; catalog names, as they are. */
  readonly tables: readonly { readonly schema: string; readonly name: string }[];
  readonly durationMs: number;
  readonly format: number;
  /** `server_version_num` */
  readonly serverVersion: number;
  /** 64 lower-case hex digits. */
  readonly manifestHash: string;
  /** 32 lower-case hex digits. */
  readonly store: string;
}
