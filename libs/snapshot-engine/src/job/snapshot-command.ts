import type { RestoreCommand, SnapshotCommand, SnapshotDeletion } from '@understudy/agent-protocol';
import type { DatabaseReference } from '@understudy/sync-job';

/** A command of the control plane whose database is no longer sealed. */
export interface CreateSnapshotCommand extends Omit<SnapshotCommand, 'database' | 'graceSeconds'> {
  readonly database: DatabaseReference;
}

export interface RestoreSnapshotCommand extends Omit<
  RestoreCommand,
  'target' | 'acceptedAt' | 'graceSeconds'
> {
  readonly target: DatabaseReference;
  /**
   * The target, as text for the recovery record. After a restart, the agent uses it to connect to the target.
   * It contains no password in clear text.
   */
  readonly sealedTarget: string;
}

/** Request for a pre-check, which tests whether a restore could begin now. */
export type RestorePrecheckRequest = Pick<
  RestoreSnapshotCommand,
  'restoreId' | 'snapshotId' | 'snapshotEpoch' | 'target' | 'overwrite'
>;

export type DeleteSnapshotCommand = Pick<SnapshotDeletion, 'snapshotId' | 'beforeEpoch'>;

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
