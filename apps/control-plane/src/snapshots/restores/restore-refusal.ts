import type { AgentFailure } from '../../agent-link/messages/sync-job-event.js';
import { ApiError, validationError } from '../../http/errors/api-error.js';
import { restoreError } from '../events/snapshot-errors.js';
import { snapshotStatus, type SnapshotStatus } from '../snapshot-status.js';
import type { SnapshotEntity, StoredSnapshot } from '../snapshot.entity.js';

/** What the target or the snapshot is like, and the caller may change. */
const CONFLICTS = new Set([
  'target_not_empty',
  'target_in_use',
  'target_holds_other_tables',
  'disk_full',
  'restore_needs_createdb',
  'restore_needs_ownership',
  'target_server_older',
  'prerequisite_missing',
  'same_database',
  'snapshot_not_found',
  'snapshot_corrupt',
  'snapshot_key_missing',
  'snapshot_format_unknown',
]);

/** What names no database that a restore may go to. */
const NOT_FOR_IT = new Set([
  'policy_denied',
  'sslmode_too_weak',
  'authentication_failed',
  'database_not_found',
  'permission_denied',
  'pooler_unsupported',
  'secret_unreadable',
  'server_too_old',
]);

/** Turns what blocks a restore, as an agent has reported it, into the answer to the request. Pure. */
export function refusalOf(blocker: AgentFailure): ApiError {
  const { code, message } = restoreError(blocker);
  if (CONFLICTS.has(code)) return new ApiError('conflict', message);
  if (NOT_FOR_IT.has(code)) return validationError([{ field: 'target_database', message }]);
  // The agent could not look: a server or a store that is away now.
  return new ApiError('unavailable', message, { retryAfterSeconds: 5 });
}

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
