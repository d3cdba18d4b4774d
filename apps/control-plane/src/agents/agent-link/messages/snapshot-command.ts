import type { CommandDatabase } from './sync-job-command.js';

/** A command that makes an agent create a snapshot. */
export interface SnapshotCommand {
  readonly snapshotId: string;
  readonly epoch: number;
  readonly database: CommandDatabase;
  /** Table names as written in SQL; an empty list selects all tables. */
  readonly tables: readonly string[];
  readonly acceptedAt: Date;
  readonly expiresAt: Date;
  /** The grace period of the lease, as in SyncJobCommand. */
  readonly graceSeconds: number;
}

export interface RestoreCommand extends RestorePrecheck {
  readonly epoch: number;
  /** The hash (64 hex digits) that the agent reported when it created the snapshot. */
  readonly manifestHash: string;
  readonly acceptedAt: Date;
  /** The grace period of the lease, as in SyncJobCommand. */
  readonly graceSeconds: number;
}

/** A request that asks an agent whether something blocks this restore now. */
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
  /**
   * The agent deletes the attempts whose epoch is lower than this number. The special value 0 means that the
   * agent deletes all attempts, and so the whole snapshot.
   */
  readonly beforeEpoch: number;
  /** Fingerprint of the store that keeps the snapshot, 32 hex digits. */
  readonly store: string;
}
