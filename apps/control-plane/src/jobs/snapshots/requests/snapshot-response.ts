import { selectorOf } from '../../../agents/agent-work/choice/agent-requirement.js';
import type { WorkWarning } from '../../../agents/agent-work/choice/waiting-warnings.js';
import { SNAPSHOT_PHASES, toProgressResponse } from '../events/snapshot-progress.js';
import { snapshotStatus } from '../snapshot-status.js';
import type { SnapshotEntity } from '../snapshot.entity.js';

/** Returns the fields of a snapshot that a list contains. */
export function toListedSnapshot(snapshot: SnapshotEntity) {
  return {
    id: snapshot.id,
    name: snapshot.name,
    database: snapshot.databaseDisplay,
    status: snapshotStatus(snapshot),
    size_bytes: snapshot.sizeBytes,
    tables: snapshot.tables,
    created_at: snapshot.createdAt.toISOString(),
    expires_at: snapshot.expiresAt.toISOString(),
  };
}

/** @param warnings why the snapshot is not being created or erased now */
export function toSnapshotResponse(snapshot: SnapshotEntity, warnings: readonly WorkWarning[]) {
  const { made, errorCode, errorMessage } = snapshot;
  return {
    ...toListedSnapshot(snapshot),
    table_count: made?.tableCount ?? null,
    server_version: made?.serverVersion ?? null,
    progress: toProgressResponse<(typeof SNAPSHOT_PHASES)[number]>(snapshot.progress),
    started_at: snapshot.startedAt?.toISOString() ?? null,
    completed_at: snapshot.completedAt?.toISOString() ?? null,
    attempts: snapshot.attempts,
    agent: selectorOf(snapshot.requires),
    agent_id: snapshot.agentId,
    error: errorCode === null ? null : { code: errorCode, message: errorMessage ?? '' },
    warnings,
  };
}

export type SnapshotResponse = ReturnType<typeof toSnapshotResponse>;
export type ListedSnapshot = ReturnType<typeof toListedSnapshot>;
