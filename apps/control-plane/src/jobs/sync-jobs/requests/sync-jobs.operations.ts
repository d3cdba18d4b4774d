import { operations } from '../../../platform/http/operations/operation.js';
import { pageResponse } from '../../../platform/http/operations/schemas.js';
import { CreateSyncJobDto } from '../../../data/compute/jobs/create-sync-job.dto.js';
import { ListSyncJobsQuery } from './list-sync-jobs.query.js';
import { SyncJobDefinitionResponse } from '../definition/sync-job-definition-response.js';
import { JobTablesResponse } from '../tables/job-tables-response.js';
import { ListJobTablesQuery } from '../tables/list-job-tables.query.js';
import { GetSyncJobQuery } from './tables-detail.js';
import { CancelledSyncJob, DeletedSyncJob, ListedSyncJob, SyncJobResponse } from './sync-job-response.js';

const TABLE_EXAMPLE = {
  name: 'customers',
  status: 'pending',
  rows_processed: 0,
  rows_total: null,
  bytes_processed: 0,
  bytes_total: null,
};
const SUMMARY_EXAMPLE = {
  id: 'job_01KAMT8Z5CVYX7R2M4D6Q9WJ3E',
  name: 'nightly',
  status: 'pending',
  source: 'agent:shop_production',
  target: 'postgresql://app:***@staging.internal:5432/shop',
  tables: ['customers'],
  table_count: 1,
  rows_processed: 0,
  created_at: '2026-11-21T09:30:00.000Z',
  started_at: null,
  completed_at: null,
  agent_id: null,
  error_code: null,
  cancel_requested_at: null,
  dry_run: false,
};
const EXAMPLE = {
  ...SUMMARY_EXAMPLE,
  run_of: null,
  seed: 4_217_905_311_846_213,
  now: '2026-11-21T00:00:00.000Z',
  unlisted_columns: 'preserve',
  unlisted_tables: 'reject',
  refresh_materialized_views: true,
  source_code: null,
  orphans: 'fail',
  subset: [],
  progress: {
    phase: null,
    rows_done: 0,
    rows_total: null,
    bytes_done: 0,
    bytes_total: null,
    rows_per_second: null,
    bytes_per_second: null,
    estimated_end: null,
    build: null,
  },
  table_counts: { pending: 1, copying: 0, indexing: 0, verifying: 0, completed: 0 },
  table_progress: [TABLE_EXAMPLE],
  phases: [],
  verification: null,
  attempt_history: [],
  attempts: 0,
  agent: null,
  link: null,
  models: [],
  generators: [],
  prediction: null,
  replaced: null,
  left_out: null,
  error: null,
  warnings: [
    {
      code: 'no_live_agent',
      message: 'No agent of this organisation is connected. The work waits until an agent connects.',
    },
  ],
};

const DEFINITION_EXAMPLE = {
  definition: {
    name: 'nightly',
    source: { type: 'postgresql', connection_string: 'agent:shop_production' },
    target: { type: 'postgresql', connection_string: null },
    tables: [
      {
        name: 'customers',
        columns: { first_name: { generator: 'en_US/first_names' }, id: { preserve: true } },
        subset: { where: null, limit: 1_000 },
      },
    ],
    unlisted_columns: 'preserve',
    dry_run: false,
    seed: 42,
    now: '2026-11-21T00:00:00.000Z',
  },
  withheld: ['target.connection_string', 'tables[0].subset.where'],
};

export const SYNC_JOBS = operations('Sync jobs', {
  listSyncJobs: {
    method: 'GET',
    path: '/v1/sync/jobs',
    client: 'jobs.list',
    summary: 'lists the sync jobs',
    description: 'By default, the newest jobs come first.',
    role: 'viewer',
    scope: 'jobs:read',
    query: ListSyncJobsQuery,
    example: {
      query: { status: 'pending,running', name: 'night', sort: '-created_at', page: 1, per_page: 20 },
    },
    response: pageResponse('A page of sync jobs.', 'jobs', ListedSyncJob, {
      ...SUMMARY_EXAMPLE,
      prediction: null,
      progress: null,
    }),
  },
  createSyncJob: {
    method: 'POST',
    path: '/v1/sync/jobs',
    client: 'jobs.create',
    summary: 'creates and runs a sync job',
    description:
      'The request is checked as far as possible without an agent, and the response contains all problems. The job then waits for an agent. The target is unchanged until the job completes, and stays unchanged if the job fails.',
    role: 'member',
    scope: 'jobs:write',
    body: CreateSyncJobDto,
    hasLargeBody: true,
    example: {
      body: {
        name: 'nightly',
        source: { type: 'postgresql', connection_string: 'agent:shop_production' },
        target: { type: 'postgresql', connection_string: 'agent:shop_staging' },
        tables: [
          {
            name: 'customers',
            columns: {
              first_name: { generator: 'en_US/first_names' },
              email: { generator: 'template', pattern: 'user-{{uuid}}@example.com' },
              id: { preserve: true },
            },
          },
        ],
        unlisted_columns: 'preserve',
        seed: 42,
      },
    },
    status: 201,
    location: '/v1/sync/jobs/:id',
    response: { description: 'The job.', data: SyncJobResponse, example: EXAMPLE },
    refusals: ['conflict'],
  },
  runSyncJobAgain: {
    method: 'POST',
    path: '/v1/sync/jobs/:id/runs',
    client: 'jobs.runAgain',
    summary: 'runs a sync job again',
    description:
      'Creates a job with the request of this one, as the control plane stores it. This includes the parts that no response shows, the seed and `now`. A dry run is repeated as a dry run. The request is checked like a new one, with the models and generators of today, and the policy of the agent decides again. A job with a connection URL cannot be repeated, because the control plane cannot read it, nor can one whose definition was removed some time after its end.',
    role: 'member',
    scope: 'jobs:write',
    resource: 'sync_job',
    status: 201,
    location: '/v1/sync/jobs/:id',
    response: {
      description: 'The new job.',
      data: SyncJobResponse,
      example: { ...EXAMPLE, run_of: 'job_01KAMT8Z5CVYX7R2M4D6Q9WJ2A' },
    },
    refusals: ['conflict'],
  },
  getSyncJob: {
    method: 'GET',
    path: '/v1/sync/jobs/:id',
    client: 'jobs.get',
    summary: 'shows a sync job',
    role: 'viewer',
    scope: 'jobs:read',
    resource: 'sync_job',
    query: GetSyncJobQuery,
    response: { description: 'The job.', data: SyncJobResponse, example: EXAMPLE },
  },
  getSyncJobDefinition: {
    method: 'GET',
    path: '/v1/sync/jobs/:id/definition',
    client: 'jobs.getDefinition',
    summary: 'shows the request with which a sync job was accepted',
    description:
      'Returns the request with which the job was accepted, with the defaults that were applied. You can change `definition` and post it as a new job. It omits connection URLs, conditions, and literals in rules that can be values of rows. Each of them is null, and its path is in `withheld`. Fill them in before you post the definition: null is refused at each of these paths. The control plane removes the definition some time after the job has ended; the operation then returns 404.',
    role: 'viewer',
    scope: 'jobs:read',
    resource: 'sync_job',
    response: {
      description: 'The definition of the job.',
      data: SyncJobDefinitionResponse,
      example: DEFINITION_EXAMPLE,
    },
  },
  listSyncJobTables: {
    method: 'GET',
    path: '/v1/sync/jobs/:id/tables',
    client: 'jobs.listTables',
    summary: 'lists the tables of a sync job with their progress',
    description:
      'To follow a running job, list the tables once, and then pass `revision` as `changed_since` in each call. No change is missed, and no call returns more than `per_page` tables.',
    role: 'viewer',
    scope: 'jobs:read',
    resource: 'sync_job',
    query: ListJobTablesQuery,
    example: { query: { status: 'pending', sort: '-bytes_remaining', page: 1, per_page: 20 } },
    response: {
      description: 'A page of the tables of the job.',
      data: JobTablesResponse,
      example: {
        tables: [{ position: 0, ...TABLE_EXAMPLE }],
        ...{ revision: 0, total: 1, page: 1, per_page: 20 },
      },
    },
  },
  deleteSyncJob: {
    method: 'DELETE',
    path: '/v1/sync/jobs/:id',
    client: 'jobs.delete',
    isNeverRepeated: true,
    summary: 'cancels a sync job, or deletes a job that has ended',
    description:
      'A pending or running job is cancelled. It ends as `failed` with the code `cancelled`, or as `completed` if its target was already switched. A job that has ended is deleted.',
    role: 'member',
    scope: 'jobs:write',
    calls: 'always_served',
    resource: 'sync_job',
    acceptedStatus: 202,
    response: {
      description: 'The ended job is deleted.',
      data: DeletedSyncJob,
      example: { id: SUMMARY_EXAMPLE.id, cancelled: false, deleted: true },
    },
    otherResponses: {
      202: {
        description: 'The job is being cancelled.',
        data: CancelledSyncJob,
        example: { id: SUMMARY_EXAMPLE.id, status: 'running', cancelled: true, deleted: false },
      },
    },
  },
  releaseSyncJob: {
    method: 'POST',
    path: '/v1/sync/jobs/:id/release',
    client: 'jobs.release',
    summary: 'takes a sync job away from an agent that has lost its connection',
    description:
      'Ends the grace period of an agent that will not come back, so that another agent can get the job. The attempt does not count. As soon as the next attempt has connected to the target, the old agent can change nothing there. If the old agent had already switched the target, the next attempt only reports the result. A job with a cancel request ends as `cancelled`.',
    role: 'admin',
    scope: 'jobs:write',
    calls: 'always_served',
    resource: 'sync_job',
    response: { description: 'The job.', data: SyncJobResponse, example: EXAMPLE },
    refusals: ['conflict'],
  },
});
