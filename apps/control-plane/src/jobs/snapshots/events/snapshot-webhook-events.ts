import { durationSeconds, type WorkState } from '../../../agents/agent-work/leases/work-state.js';
import type { WebhookEvent } from '../../../webhooks/events/webhook-event.js';
import type { SnapshotRestoreEntity } from '../restores/snapshot-restore.entity.js';
import type { SnapshotEntity } from '../snapshot.entity.js';

/**
 * Returns the webhook event of a snapshot that became ready. Pure. docs/guides/webhooks.md documents the
 * fields of `data`.
 */
export function snapshotCreated(
  snapshot: Pick<
    SnapshotEntity,
    'id' | 'organizationId' | 'name' | 'databaseDisplay' | 'sizeBytes' | 'tables' | 'expiresAt'
  >,
  occurredAt: Date,
): WebhookEvent {
  const { id, organizationId, name, databaseDisplay, sizeBytes, tables, expiresAt } = snapshot;
  return {
    organizationId,
    type: 'snapshot.created',
    subject: id,
    occurredAt,
    data: {
      snapshot_id: id,
      name,
      database: databaseDisplay,
      size_bytes: sizeBytes,
      tables,
      expires_at: expiresAt.toISOString(),
    },
  };
}

/** Returns the webhook event of a completed restore. Pure. */
export function snapshotRestored(
  restore: Pick<
    SnapshotRestoreEntity,
    'id' | 'organizationId' | 'snapshotId' | 'targetDisplay' | 'overwrite'
  >,
  name: string,
  state: WorkState,
  occurredAt: Date,
): WebhookEvent {
  const { id, organizationId, snapshotId, targetDisplay, overwrite } = restore;
  return {
    organizationId,
    type: 'snapshot.restored',
    subject: snapshotId,
    occurredAt,
    data: {
      snapshot_id: snapshotId,
      restore_id: id,
      name,
      target_database: targetDisplay,
      overwrite,
      duration_seconds: durationSeconds(state),
    },
  };
}
