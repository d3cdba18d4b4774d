import { Type } from 'typebox';

import { WORK_STATUSES } from '../../../agents/agent-work/leases/work-state.js';
import { id, instant, named, oneOf, type ResponseOf } from '../../../platform/http/operations/schemas.js';
import { RESTORE_PHASES, toProgressResponse } from '../events/snapshot-progress.js';
import { progressOf, toWorkFields, WORK_FIELDS } from '../work-fields.js';
import type { SnapshotRestoreEntity } from './snapshot-restore.entity.js';

/** The response to the request for a restore. */
export const AcceptedRestore = named('AcceptedRestore', {
  id: id('snap', 'Id of the snapshot.'),
  restore_id: id('rst', 'Id of the restore.'),
  target_database: Type.String({ description: 'Name of the target database, never a URL.' }),
  status: oneOf(WORK_STATUSES, 'Status of the restore. It stays `running` during retries.'),
});
export type AcceptedRestore = ResponseOf<typeof AcceptedRestore>;

export const RestoreResponse = named('Restore', {
  ...AcceptedRestore.properties,
  ...WORK_FIELDS,
  overwrite: Type.Boolean(),
  progress: progressOf(RESTORE_PHASES),
  created_at: instant('When the request was accepted.'),
});
export type RestoreResponse = ResponseOf<typeof RestoreResponse>;

export function toAcceptedRestore(restore: SnapshotRestoreEntity): AcceptedRestore {
  return {
    id: restore.snapshotId,
    restore_id: restore.id,
    target_database: restore.targetDisplay,
    status: restore.status,
  };
}

export function toRestoreResponse(restore: SnapshotRestoreEntity): RestoreResponse {
  return {
    ...toAcceptedRestore(restore),
    overwrite: restore.overwrite,
    progress: toProgressResponse<(typeof RESTORE_PHASES)[number]>(restore.progress),
    created_at: restore.createdAt.toISOString(),
    ...toWorkFields(restore),
  };
}
