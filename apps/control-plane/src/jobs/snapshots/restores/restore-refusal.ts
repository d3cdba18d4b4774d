import type { AgentFailure } from '@understudy/agent-protocol';

import { ApiError, validationError } from '../../../platform/http/errors/api-error.js';
import { restoreError } from '../events/snapshot-errors.js';
import { snapshotStatus, type SnapshotStatus } from '../snapshot-status.js';
import type { SnapshotEntity, StoredSnapshot } from '../snapshot.entity.js';

/**
 * Blockers that the API reports as `conflict`: the state of the snapshot or of the target prevents the
 * restore.
 */
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
  'publication_of_all_tables',
  'publication_of_schema',
  'snapshot_not_found',
  'snapshot_corrupt',
  'snapshot_key_missing',
  'snapshot_format_unknown',
]);

/** Blockers that the API reports as `validation_error`: the database cannot be used as a target. */
const UNSUITABLE = new Set([
  'policy_denied',
  'sslmode_too_weak',
  'authentication_failed',
  'database_not_found',
  'permission_denied',
  'pooler_unsupported',
  'secret_unreadable',
  'server_too_old',
]);

/** Converts a blocker that an agent has reported to the error of the request. Pure. */
export function refusalOf(blocker: AgentFailure): ApiError {
  const { code, message } = restoreError(blocker);
  if (CONFLICTS.has(code)) return new ApiError('conflict', message);
  if (UNSUITABLE.has(code)) return validationError([{ field: 'target_database', message }]);
  // The agent could not check the target, because a server or a store is unreachable now.
  return new ApiError('unavailable', message, { retryAfterSeconds: 5 });
}

/**
 * Checks that a snapshot can be restored, and returns its archive. Pure.
 * @throws ApiError `conflict` if the snapshot is not ready or has expired (S2)
 */
export function assertRestorable(snapshot: SnapshotEntity, now: Date): StoredSnapshot {
  const { made, expiresAt } = snapshot;
  const status = snapshotStatus(snapshot);
  if (status === 'ready' && made !== null && expiresAt > now) return made;
  throw new ApiError('conflict', status === 'ready' ? NOT_RESTORABLE.expired : NOT_RESTORABLE[status]);
}

const NOT_RESTORABLE: Readonly<Record<Exclude<SnapshotStatus, 'ready'>, string>> = {
  creating: 'The snapshot is not ready yet. Restore it when its status is "ready".',
  failed: 'The snapshot failed, so it cannot be restored.',
  expired: 'The snapshot has expired, so it cannot be restored.',
  deleting: 'The snapshot is deleted, so it cannot be restored.',
};
