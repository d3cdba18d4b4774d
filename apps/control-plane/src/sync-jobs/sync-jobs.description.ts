import { Type } from 'typebox';

import { schemaOf, type OperationDescription } from '../api-description/operation-description.js';
import {
  count,
  id,
  instant,
  nullable,
  nullableId,
  oneOf,
  paged,
  pageExample,
} from '../api-description/schemas.js';
import { CreateSyncJobDto } from './create-sync-job.dto.js';
import { ListSyncJobsQuery } from './list-sync-jobs.query.js';
import type { ListedSyncJob, SyncJobResponse } from './sync-job-response.js';
import { SYNC_JOB_STATUSES } from './sync-job-state.js';

const LISTED_FIELDS = {
  id: id('job', 'Id of the job.'),
  name: Type.String(),
  status: oneOf(SYNC_JOB_STATUSES, 'Retries happen inside `running`.'),
  source: Type.String({ description: 'Without its password.' }),
  target: Type.String({ description: 'Without its password.' }),
  tables: Type.Array(Type.String(), { description: 'Table names, as asked for.' }),
  rows_processed: count('Rows of all tables.'),
  created_at: instant('When it was accepted.'),
  started_at: nullable(Type.String({ format: 'date-time' }), 'Null while pending.'),
  completed_at: nullable(Type.String({ format: 'date-time' }), 'When it ended, also when it failed.'),
};

const LISTED_JOB = schemaOf<ListedSyncJob>('ListedSyncJob')(Type.Object(LISTED_FIELDS));

const JOB = schemaOf<SyncJobResponse>('SyncJob')(
  Type.Object({
    ...LISTED_FIELDS,
    seed: count('Random seed.'),
    now: instant('Reference instant of relative dates.'),
    unlisted_columns: oneOf(['preserve', 'reject', 'null'], 'What becomes of columns without a rule.'),
    table_progress: Type.Array(
      Type.Object({
        name: Type.String(),
        status: oneOf(['pending', 'copying', 'completed'], 'Of the table.'),
        rows_processed: count('Rows copied.'),
        rows_total: nullable(Type.Integer({ minimum: 0 }), 'Null until it is known.'),
      }),
    ),
    attempts: count('How often an agent took the job.'),
    agent_id: nullableId('agt', 'The agent that took it last.'),
    models: Type.Array(
      Type.Object({ name: Type.String({ description: '`private/<name>`.' }), hash: Type.String() }),
      { description: 'Models that the job trained.' },
    ),
    error: nullable(
      Type.Object({ code: Type.String({ description: 'Stable.' }), message: Type.String() }),
      'Why it failed; null otherwise.',
    ),
    warnings: Type.Array(Type.Object({ code: Type.String(), message: Type.String() })),
  }),
);

const LISTED_EXAMPLE = {
  id: 'job_01KAMT8Z5CVYX7R2M4D6Q9WJ3E',
  name: 'nightly',
  status: 'pending',
  source: 'agent:shop_production',
  target: 'postgresql://app:***@staging.internal:5432/shop',
  tables: ['customers'],
  rows_processed: 0,
  created_at: '2026-11-21T09:30:00.000Z',
  started_at: null,
  completed_at: null,
};
const EXAMPLE = {
  ...LISTED_EXAMPLE,
  seed: 4_217_905_311_846_213,
  now: '2026-11-21T00:00:00.000Z',
  unlisted_columns: 'preserve',
  table_progress: [{ name: 'customers', status: 'pending', rows_processed: 0, rows_total: null }],
  attempts: 0,
  agent_id: null,
  models: [],
  error: null,
  warnings: [
    {
      code: 'no_live_agent',
      message: 'No agent of this organisation is connected. The job stays pending and starts when one is.',
    },
  ],
};

export const SYNC_JOB_DESCRIPTIONS = {
  listSyncJobs: {
    tag: 'Sync jobs',
    description: 'Newest first.',
    query: ListSyncJobsQuery,
    example: { query: { status: 'pending', page: 1, per_page: 20 } },
    answer: {
      says: 'A page of sync jobs.',
      data: paged('jobs', LISTED_JOB),
      example: pageExample('jobs', LISTED_EXAMPLE),
    },
  },
  createSyncJob: {
    tag: 'Sync jobs',
    description:
      'What can be known is checked before the answer, with all problems together. The job then waits for an agent; until it completes, and when it fails, the target holds what it held before.',
    body: CreateSyncJobDto,
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
    answer: { says: 'The job.', data: JOB, example: EXAMPLE },
    refusals: ['conflict'],
  },
  getSyncJob: {
    tag: 'Sync jobs',
    example: {},
    answer: { says: 'The job.', data: JOB, example: EXAMPLE },
  },
} satisfies Record<string, OperationDescription>;
