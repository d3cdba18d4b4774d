import type { CommandDatabase } from './sync-job-command.js';

/** What the making of a snapshot asks of an agent, before it becomes protobuf. */
export interface SnapshotCommand {
  readonly snapshotId: string;
  readonly epoch: number;
  readonly database: CommandDatabase;
  /** As in SQL; none: all of them. */
  readonly tables: readonly string[];
  readonly acceptedAt: Date;
  readonly expiresAt: Date;
}

export interface RestoreCommand extends RestorePrecheck {
  readonly epoch: number;
  /** 64 hex digits, as the agent told it that made the snapshot. */
  readonly manifestHash: string;
  readonly acceptedAt: Date;
}

/** Whether a restore would meet something now. */
export interface RestorePrecheck {
  readonly restoreId: string;
  readonly snapshotId: string;
  readonly snapshotEpoch: number;
  readonly target: CommandDatabase;
  readonly overwrite: boolean;
}

export interface SnapshotDeletion {
  /** `del_` + ULID */
  readonly id: string;
  readonly snapshotId: string;
  /** Attempts of a lower epoch alone; 0: all of it. */
  readonly beforeEpoch: number;
  /** 32 hex digits. */
  readonly store: string;
}
