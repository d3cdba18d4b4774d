import type { WorkStatus } from '../../agents/agent-work/leases/work-state.js';

/**
 * The statuses of a snapshot, from its creation to its deletion:
 *
 *   creating ──▶ ready ──▶ expired ─┐
 *      │  │        └────────────────┼──▶ deleting ──▶ gone
 *      │  └──▶ failed ──────────────┘        ▲
 *      └─────────────────────────────────────┘
 *
 * S1  A creating or ready snapshot counts for the plan's quota. Leaving these statuses releases the quota once.
 * S2  Only a ready snapshot can be restored, and not after its expires_at.
 * S3  The control plane sets expired and deleting. An archive that an agent reports later is erased.
 * S4  A snapshot is gone after an agent of its store has erased it, or immediately if no archive exists.
 */
export const SNAPSHOT_STATUSES = ['creating', 'ready', 'failed', 'expired', 'deleting'] as const;
export type SnapshotStatus = (typeof SNAPSHOT_STATUSES)[number];

export interface SnapshotLife {
  /** The status of the work that creates the snapshot. */
  readonly status: WorkStatus;
  readonly expiredAt: Date | null;
  readonly deleteRequestedAt: Date | null;
}

export function snapshotStatus({ status, expiredAt, deleteRequestedAt }: SnapshotLife): SnapshotStatus {
  if (deleteRequestedAt !== null) return 'deleting';
  if (expiredAt !== null) return 'expired';
  if (status === 'completed') return 'ready';
  return status === 'failed' ? 'failed' : 'creating';
}

/** Returns whether the snapshot counts for the plan's quota (S1). */
export function isCounted(life: SnapshotLife): boolean {
  const status = snapshotStatus(life);
  return status === 'creating' || status === 'ready';
}

/** Returns whether the snapshot must be erased (S3). */
export function isUnwanted({ expiredAt, deleteRequestedAt }: SnapshotLife): boolean {
  return expiredAt !== null || deleteRequestedAt !== null;
}
