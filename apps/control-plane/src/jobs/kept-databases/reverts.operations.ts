import { operations } from '../../platform/http/operations/operation.js';
import { AcceptedRevert, RevertResponse } from './revert-response.js';

const EXAMPLE = {
  id: 'job_01KAMT8Z5CVYX7R2M4D6Q9WJ3E',
  revert_id: 'rvt_01KAMT8Z5CVYX7R2M4D6Q9WJ3E',
  status: 'pending',
};

export const REVERTS = operations('Sync jobs', {
  revertSyncJob: {
    method: 'POST',
    path: '/v1/sync/jobs/:id/revert',
    client: 'jobs.revert',
    summary: 'brings back the database that a sync job has replaced',
    description:
      'Swaps the target and the database that the job has replaced. The content of the job is kept instead, and a second revert swaps them again. The job must be the last replacement of its target, and its `replaced.kept_until` must not have passed. The status of the job does not change.',
    role: 'member',
    scope: 'jobs:write',
    resource: 'sync_job',
    status: 202,
    location: '/v1/sync/jobs/:id/reverts/:revert_id',
    response: { description: 'The accepted revert.', data: AcceptedRevert, example: EXAMPLE },
    refusals: ['conflict'],
  },
  getSyncJobRevert: {
    method: 'GET',
    path: '/v1/sync/jobs/:id/reverts/:revert_id',
    client: 'jobs.getRevert',
    summary: 'shows a revert of a sync job',
    role: 'viewer',
    scope: 'jobs:read',
    resource: 'sync_job',
    parts: { revert_id: 'sync_job_revert' },
    response: {
      description: 'The revert.',
      data: RevertResponse,
      example: { ...EXAMPLE, created_at: '2026-11-21T09:30:00.000Z', ended_at: null, error: null },
    },
  },
});
