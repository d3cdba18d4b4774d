import { failureError, namesOf, REVERT_MESSAGES } from '@understudy/sync-job';
import { type Static, Type } from 'typebox';

import {
  id,
  instant,
  named,
  nullable,
  nullableInstant,
  oneOf,
  type ResponseOf,
} from '../../platform/http/operations/schemas.js';
import { REVERT_STATUSES, type SyncJobRevertEntity } from './sync-job-revert.entity.js';

export const AcceptedRevert = named('AcceptedRevert', {
  id: id('job', 'Id of the sync job.'),
  revert_id: id('rvt', 'Id of the revert.'),
  status: oneOf(REVERT_STATUSES, 'Status of the revert.'),
});
export type AcceptedRevert = ResponseOf<typeof AcceptedRevert>;

export const RevertResponse = named('Revert', {
  ...AcceptedRevert.properties,
  created_at: instant('When the request was accepted.'),
  ended_at: nullableInstant('When the revert ended; null while it is pending.'),
  error: nullable(
    Type.Object({ code: Type.String({ description: 'Stable error code.' }), message: Type.String() }),
    'Why the revert failed; null unless it failed. Both databases are then as they were before.',
  ),
});
export type RevertResponse = ResponseOf<typeof RevertResponse>;

const { revert_id, status, error } = RevertResponse.properties;

/** The newest revert of a job, in the response of the job. */
export const LAST_REVERT = Type.Object({ revert_id, status, error });

/** Returns the error of a failed revert for its user. */
export function revertError(code: string): { readonly code: string; readonly message: string } {
  const { code: known, message } = failureError({ code }, namesOf({ tables: [] }), REVERT_MESSAGES);
  return { code: known, message };
}

export function toRevertResponse(revert: SyncJobRevertEntity): RevertResponse {
  return {
    id: revert.jobId,
    ...toLastRevert(revert),
    created_at: revert.createdAt.toISOString(),
    ended_at: revert.endedAt?.toISOString() ?? null,
  };
}

export function toLastRevert({ id, status, errorCode }: SyncJobRevertEntity): Static<typeof LAST_REVERT> {
  return { revert_id: id, status, error: errorCode === null ? null : revertError(errorCode) };
}
