import { Type } from 'typebox';

import type { WorkWarning } from '../../../agents/agent-work/choice/waiting-warnings.js';
import {
  count,
  id,
  instant,
  named,
  nullableCount,
  oneOf,
  type ResponseOf,
} from '../../../platform/http/operations/schemas.js';
import { SNAPSHOT_PHASES, toProgressResponse } from '../events/snapshot-progress.js';
import { SNAPSHOT_STATUSES, snapshotStatus } from '../snapshot-status.js';
import type { SnapshotEntity } from '../snapshot.entity.js';
import { progressOf, toWorkFields, WORK_FIELDS } from '../work-fields.js';

/** The fields of a snapshot that a list contains. */
export const ListedSnapshot = named('ListedSnapshot', {
  id: id('snap', 'Id of the snapshot.'),
  name: Type.String(),
  database: Type.String({ description: 'Name of the database, never a URL.' }),
  status: oneOf(
    SNAPSHOT_STATUSES,
    'Only a `ready` snapshot can be restored. A snapshot is `deleting` until an agent has erased it, and is not found afterwards.',
  ),
  size_bytes: count('Stored size, after compression and encryption. 0 until the snapshot is ready.'),
  tables: Type.Array(Type.String(), {
    description:
      "The requested tables as written in the request. For a snapshot of all tables, the tables that it contains, after it is ready. The agent's policy can hide these names.",
  }),
  created_at: instant('When the request was accepted.'),
  expires_at: instant('When the snapshot expires and is erased.'),
});
export type ListedSnapshot = ResponseOf<typeof ListedSnapshot>;

export const SnapshotResponse = named('Snapshot', {
  ...ListedSnapshot.properties,
  ...WORK_FIELDS,
  table_count: nullableCount('Number of tables in the snapshot; null until it is ready.'),
  server_version: nullableCount(
    "`server_version_num` of the source database's server. The snapshot cannot be restored into an older server.",
  ),
  progress: progressOf(SNAPSHOT_PHASES),
  warnings: Type.Array(Type.Object({ code: Type.String(), message: Type.String() })),
});
export type SnapshotResponse = ResponseOf<typeof SnapshotResponse>;

export function toListedSnapshot(snapshot: SnapshotEntity): ListedSnapshot {
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
export function toSnapshotResponse(
  snapshot: SnapshotEntity,
  warnings: readonly WorkWarning[],
): SnapshotResponse {
  return {
    ...toListedSnapshot(snapshot),
    table_count: snapshot.made?.tableCount ?? null,
    server_version: snapshot.made?.serverVersion ?? null,
    progress: toProgressResponse<(typeof SNAPSHOT_PHASES)[number]>(snapshot.progress),
    ...toWorkFields(snapshot),
    warnings,
  };
}
