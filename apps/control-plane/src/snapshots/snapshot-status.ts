import type { WorkStatus } from '../agent-work/leases/work-state.js';

/**
 * What a snapshot is: the work of making it, and what became of it since.
 *
 *   creating ──▶ ready ──▶ expired ─┐
 *      │  │        └────────────────┼──▶ deleting ──▶ gone
 *      │  └──▶ failed ──────────────┘        ▲
 *      └─────────────────────────────────────┘
 *
 * S1  creating and ready count for the plan's quota; leaving them gives it back, once.
 * S2  only what is ready can be restored, and nothing after its expires_at.
 * S3  expired and deleting are set on this side: what an agent reports later is erased, and never ready.
 * S4  a snapshot is gone when an agent of its store has said that nothing of it is left; one that nobody stored, at once.
 */
export const SNAPSHOT_STATUSES = ['creating', 'ready', 'failed', 'expired', 'deleting'] as const;
export type SnapshotStatus = (typeof SNAPSHOT_STATUSES)[number];

export interface SnapshotLife {
  /** Of the work of making it. */
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

/** Whether it counts as one that exists (S1). */
export function isCounted(life: SnapshotLife): boolean {
  const status = snapshotStatus(life);
  return status === 'creating' || status === 'ready';
}

/** Whether it is to go (S3). */
export function isUnwanted({ expiredAt, deleteRequestedAt }: SnapshotLife): boolean {
  return expiredAt !== null || deleteRequestedAt !== null;
}
