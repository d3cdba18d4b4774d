import type { DatabaseReference } from '@understudy/sync-job';

export interface CreateSnapshotCommand {
  readonly snapshotId: string;
  readonly epoch: number;
  readonly database: DatabaseReference;
  /** Table names in SQL syntax; empty for all tables. */
  readonly tables: readonly string[];
  readonly acceptedAt: Date;
  /** When the control plane will delete the snapshot. The agent only stores this time in the archive. */
  readonly expiresAt: Date;
}

export interface RestoreSnapshotCommand {
  readonly restoreId: string;
  readonly epoch: number;
  readonly snapshotId: string;
  readonly snapshotEpoch: number;
  /** The manifest hash from the snapshot's SnapshotResult. */
  readonly manifestHash: string;
  readonly target: DatabaseReference;
  /**
   * The target, as text for the recovery record. After a restart, the agent uses it to connect to the target.
   * It contains no password in clear text.
   */
  readonly sealedTarget: string;
  readonly overwrite: boolean;
}

/** Request for a pre-check, which tests whether a restore could begin now. */
export type RestorePrecheckRequest = Pick<
  RestoreSnapshotCommand,
  'restoreId' | 'snapshotId' | 'snapshotEpoch' | 'target' | 'overwrite'
>;

export interface DeleteSnapshotCommand {
  readonly snapshotId: string;
  /** Selects the archives of attempts with an epoch below this number. 0 selects those of all attempts. */
  readonly beforeEpoch: number;
}

/**
 * @returns the id of an attempt's archive. Each attempt has its own archive, so an attempt that lost its
 * lease cannot change the archive of the next attempt.
 */
export function archiveId(snapshotId: string, epoch: number): string {
  return `${snapshotId}-${epoch}`;
}

/** @returns undefined if the archive does not belong to a snapshot */
export function parseArchiveId(id: string): { snapshotId: string; epoch: number } | undefined {
  const [, snapshotId, epoch] = /^(\w+)-([1-9]\d{0,8})$/.exec(id) ?? [];
  return snapshotId === undefined ? undefined : { snapshotId, epoch: Number(epoch) };
}
