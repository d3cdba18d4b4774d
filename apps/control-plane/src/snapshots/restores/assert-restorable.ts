import { ApiError } from '../../http/errors/api-error.js';
import { snapshotStatus, type SnapshotStatus } from '../snapshot-status.js';
import type { SnapshotEntity, StoredSnapshot } from '../snapshot.entity.js';

/** Pure. @throws ApiError `conflict` for one that is not ready, or whose time is over (S2) */
export function assertRestorable(snapshot: SnapshotEntity, now: Date): StoredSnapshot {
  const { made, expiresAt } = snapshot;
  const status = snapshotStatus(snapshot);
  if (status === 'ready' && made !== null && expiresAt > now) return made;
  throw new ApiError('conflict', status === 'ready' ? WHY.expired : WHY[status]);
}

const WHY: Readonly<Record<Exclude<SnapshotStatus, 'ready'>, string>> = {
  creating: 'The snapshot is not ready yet: it can be restored once its status is "ready".',
  failed: 'The snapshot failed: there is nothing to restore.',
  expired: 'The snapshot has expired and cannot be restored any more.',
  deleting: 'The snapshot is deleted and cannot be restored any more.',
};
