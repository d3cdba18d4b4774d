import type { DatabaseReference } from '@understudy/sync-engine';

/** What is to be kept. */
export interface CreateSnapshotCommand {
  readonly snapshotId: string;
  readonly epoch: number;
  readonly database: DatabaseReference;
  /** As SQL spells them; empty: all. */
  readonly tables: readonly string[];
  readonly acceptedAt: Date;
  /** For the records of the store: nothing here acts on it. */
  readonly expiresAt: Date;
}

/** Which snapshot, and where to. */
export interface RestoreSnapshotCommand {
  readonly restoreId: string;
  readonly epoch: number;
  readonly snapshotId: string;
  readonly snapshotEpoch: number;
  /** As {@link SnapshotResult} told it. */
  readonly manifestHash: Uint8Array;
  readonly target: DatabaseReference;
  /** What opens the target again after a restart, when all that is left is a note on the disk: no password in clear. */
  readonly sealedTarget: string;
  readonly overwrite: boolean;
}

export type RestoreQuestion = Pick<
  RestoreSnapshotCommand,
  'restoreId' | 'snapshotId' | 'snapshotEpoch' | 'target' | 'overwrite'
>;

export interface DeleteSnapshotCommand {
  readonly snapshotId: string;
  /** Attempts of a lower epoch alone; 0: all. */
  readonly beforeEpoch: number;
}

/** Each attempt is an archive of its own: one that lost its lease cannot get in the way of the next. */
export function archiveId(snapshotId: string, epoch: number): string {
  return `${snapshotId}-${epoch}`;
}

/** The other way round. @returns undefined for an archive of something else */
export function attemptOfArchive(id: string): { snapshotId: string; epoch: number } | undefined {
  const [, snapshotId, epoch] = /^(\w+)-([1-9]\d{0,8})$/.exec(id) ?? [];
  return snapshotId === undefined ? undefined : { snapshotId, epoch: Number(epoch) };
}
