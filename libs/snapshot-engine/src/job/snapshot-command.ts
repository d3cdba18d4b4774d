import type { DatabaseReference } from '@understudy/sync-job';

/** Orders a snapshot of a database. */
export interface CreateSnapshotCommand {
  readonly snapshotId: string;
  readonly epoch: number;
  readonly database: DatabaseReference;
  /** Table names as SQL spells them; empty for all tables. */
  readonly tables: readonly string[];
  readonly acceptedAt: Date;
  /** Stored in the archive; nothing here acts on it. */
  readonly expiresAt: Date;
}

/** Orders a restore of a snapshot into a target. */
export interface RestoreSnapshotCommand {
  readonly restoreId: string;
  readonly epoch: number;
  readonly snapshotId: string;
  readonly snapshotEpoch: number;
  /** The hash that {@link SnapshotResult} reported. */
  readonly manifestHash: Uint8Array;
  readonly target: DatabaseReference;
  /** Stored in the recovery record to open the target after a restart. Holds no password in clear. */
  readonly sealedTarget: string;
  readonly overwrite: boolean;
}

/** Asks whether a restore could begin now. */
export type RestorePrecheckRequest = Pick<
  RestoreSnapshotCommand,
  'restoreId' | 'snapshotId' | 'snapshotEpoch' | 'target' | 'overwrite'
>;

export interface DeleteSnapshotCommand {
  readonly snapshotId: string;
  /** Deletes only attempts with a lower epoch; 0 deletes all. */
  readonly beforeEpoch: number;
}

/** Each attempt has its own archive, so that one that lost its lease cannot interfere with the next. */
export function archiveId(snapshotId: string, epoch: number): string {
  return `${snapshotId}-${epoch}`;
}

/** @returns undefined if the archive is not that of a snapshot */
export function parseArchiveId(id: string): { snapshotId: string; epoch: number } | undefined {
  const [, snapshotId, epoch] = /^(\w+)-([1-9]\d{0,8})$/.exec(id) ?? [];
  return snapshotId === undefined ? undefined : { snapshotId, epoch: Number(epoch) };
}
