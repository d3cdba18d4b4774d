import { durationSeconds, type WorkState } from '../../../agents/agent-work/leases/work-state.js';
import type { WebhookEvent } from '../../../webhooks/events/webhook-event.js';
import type { SnapshotRestoreEntity } from '../restores/snapshot-restore.entity.js';
import { isUnwanted } from '../snapshot-status.js';
import type { SnapshotEntity } from '../snapshot.entity.js';
import { snapshotError } from './snapshot-errors.js';

/**
 * Returns the webhook event for the end of the creation of a snapshot. If the snapshot was deleted or expired before
 * it was ready, it counts as cancelled. Pure. docs/guides/webhooks.md documents the fields of `data`.
 */
export function snapshotEnded(snapshot: SnapshotEntity): WebhookEvent {
  const { id, organizationId, name, databaseDisplay, status, errorCode, errorMessage } = snapshot;
  const common = { organizationId, subject: id, occurredAt: snapshot.completedAt ?? snapshot.createdAt };
  const data = { snapshot_id: id, name, database: databaseDisplay };
  if (status === 'completed' && !isUnwanted(snapshot)) {
    const { sizeBytes, tables, expiresAt } = snapshot;
    const archive = { size_bytes: sizeBytes, tables, expires_at: expiresAt.toISOString() };
    return { ...common, type: 'snapshot.created', data: { ...data, ...archive } };
  }
  const error = isUnwanted(snapshot)
    ? snapshotError({ code: 'cancelled' }, [])
    : { code: errorCode, message: errorMessage };
  return { ...common, type: 'snapshot.failed', data: { ...data, error } };
}

/** Returns the webhook event for the end of a restore. Pure. */
export function restoreEnded(
  restore: Pick<
    SnapshotRestoreEntity,
    'id' | 'organizationId' | 'snapshotId' | 'targetDisplay' | 'overwrite' | 'createdAt'
  >,
  name: string,
  state: WorkState,
): WebhookEvent {
  const { id, organizationId, snapshotId, targetDisplay, overwrite, createdAt } = restore;
  const common = { organizationId, subject: snapshotId, occurredAt: state.completedAt ?? createdAt };
  const data = {
    snapshot_id: snapshotId,
    restore_id: id,
    name,
    target_database: targetDisplay,
    overwrite,
  };
  if (state.error === null) {
    const completed = { ...data, duration_seconds: durationSeconds(state) };
    return { ...common, type: 'snapshot.restored', data: completed };
  }
  const { code, message } = state.error;
  return { ...common, type: 'restore.failed', data: { ...data, error: { code, message } } };
}
