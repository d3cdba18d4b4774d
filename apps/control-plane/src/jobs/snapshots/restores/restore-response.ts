import { selectorOf } from '../../../agents/agent-work/choice/agent-requirement.js';
import { RESTORE_PHASES, toProgressResponse } from '../events/snapshot-progress.js';
import type { SnapshotRestoreEntity } from './snapshot-restore.entity.js';

/** Returns the response to the request for a restore. */
export function toAcceptedRestore(restore: SnapshotRestoreEntity) {
  return {
    id: restore.snapshotId,
    restore_id: restore.id,
    target_database: restore.targetDisplay,
    status: restore.status,
  };
}

export function toRestoreResponse(restore: SnapshotRestoreEntity) {
  const { errorCode, errorMessage } = restore;
  return {
    ...toAcceptedRestore(restore),
    overwrite: restore.overwrite,
    progress: toProgressResponse<(typeof RESTORE_PHASES)[number]>(restore.progress),
    created_at: restore.createdAt.toISOString(),
    started_at: restore.startedAt?.toISOString() ?? null,
    completed_at: restore.completedAt?.toISOString() ?? null,
    attempts: restore.attempts,
    agent: selectorOf(restore.requires),
    agent_id: restore.agentId,
    error: errorCode === null ? null : { code: errorCode, message: errorMessage ?? '' },
  };
}

export type AcceptedRestore = ReturnType<typeof toAcceptedRestore>;
export type RestoreResponse = ReturnType<typeof toRestoreResponse>;
