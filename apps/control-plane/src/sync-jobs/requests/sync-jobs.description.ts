import { Type } from 'typebox';

import { schemaOf, type OperationDescription } from '../../api-description/operation-description.js';
import {
  count,
  id,
  instant,
  nullable,
  nullableId,
  oneOf,
  pageAnswer,
} from '../../api-description/schemas.js';
import { AGENT_SELECTOR } from '../../agent-work/choice/agent-selector.dto.js';
import { CreateSyncJobDto } from './create-sync-job.dto.js';
import { HostedModelDto } from '../hosted-models/hosted-model.dto.js';
import { ListSyncJobsQuery } from './list-sync-jobs.query.js';
import { VERIFICATION_CHECKS } from '../events/job-verification.js';
import { SYNC_PHASES, TABLE_STATUSES } from '@understudy/sync-job';
import type { ListedSyncJob, RemovedSyncJob, SyncJobResponse } from './sync-job-response.js';
import { WORK_STATUSES } from '../../agent-work/leases/work-state.js';

const LISTED_FIELDS = {
  id: id('job', 'Id of the job.'),
  name: Type.String(),
  status: oneOf(WORK_STATUSES, 'Retries happen inside `running`.'),
  source: Type.String({ description: 'Without its password.' }),
  target: Type.String({ description: 'Without its password.' }),
  tables: Type.Array(Type.String(), { description: 'Table names, as asked for.' }),
  rows_processed: count('Rows of all tables.'),
  created_at: instant('When it was accepted.'),
  started_at: nullable(Type.String({ format: 'date-time' }), 'Null while pending.'),
  completed_at: nullable(Type.String({ format: 'date-time' }), 'When it ended, also when it failed.'),
};

const LISTED_JOB = schemaOf<ListedSyncJob>('ListedSyncJob')(Type.Object(LISTED_FIELDS));

const PROGRESS = Type.Object(
  {
    phase: nullable(oneOf(SYNC_PHASES, 'What the job does now.'), 'Null while nobody works on it.'),
    rows_done: count('Rows copied, of all tables.'),
    rows_total: nullable(Type.Integer({ minimum: 0 }), 'An estimate until all rows are copied.'),
    bytes_done: count('Bytes copied, as they were sent to the target.'),
    bytes_total: nullable(Type.Integer({ minimum: 0 }), 'An estimate until all rows are copied.'),
    rows_per_second: nullable(
      Type.Integer({ minimum: 0 }),
      'Of the last seconds while rows are copied; of the whole copy when the job has completed.',
    ),
    bytes_per_second: nullable(Type.Integer({ minimum: 0 }), 'The same in bytes.'),
    estimated_end: nullable(
      Type.String({ format: 'date-time' }),
      'When all rows will be copied at this pace; building indexes and verifying come after it. Null while nothing tells.',
    ),
  },
  { description: 'Of all tables together; reported at most once a second.' },
);

const VERIFICATION = Type.Object({
  ok: Type.Boolean({ description: 'All checks found what they should.' }),
  checks: Type.Array(
    Type.Object({
      check: oneOf(VERIFICATION_CHECKS, 'What was looked at.'),
      table: Type.String(),
      ok: Type.Boolean(),
      column: nullable(Type.String(), 'Of a failed check of one column.'),
      looked_at: nullable(
        Type.Integer({ minimum: 0 }),
        'How many columns, keys or sequences; null where rows were counted.',
      ),
      rows: nullable(
        Type.Object({
          source: count("In the source's snapshot."),
          copied: count('By the parts of the copy that were committed.'),
          target: count('What is there to be switched to.'),
        }),
        'Of `row_count`; null otherwise.',
      ),
    }),
  ),
});

const JOB = schemaOf<SyncJobResponse>('SyncJob')(
  Type.Object({
    ...LISTED_FIELDS,
    seed: Type.Integer({ description: 'Random seed.' }),
    now: instant('Reference instant of relative dates.'),
    unlisted_columns: oneOf(['preserve', 'reject', 'null'], 'What becomes of columns without a rule.'),
    progress: PROGRESS,
    subset: Type.Array(
      Type.Object({
        name: Type.String({ description: 'Of the table, as asked for.' }),
        where_length: nullable(
          Type.Integer({ minimum: 1 }),
          'Characters of its `where`, which is not shown; null without one.',
        ),
        limit: nullable(Type.Integer({ minimum: 0 }), 'Null without one.'),
      }),
      { description: 'Tables of which rows were asked for; without one all rows are copied.' },
    ),
    table_progress: Type.Array(
      Type.Object({
        name: Type.String(),
        status: oneOf(TABLE_STATUSES, 'Of the table.'),
        rows_processed: count('Rows copied.'),
        rows_total: nullable(
          Type.Integer({ minimum: 0 }),
          'An estimate until all rows are copied; null until the agent has looked at the table.',
        ),
        bytes_processed: count('Bytes of these rows as they were sent to the target.'),
        bytes_total: nullable(
          Type.Integer({ minimum: 0 }),
          "The size of the source's table until all rows are copied, then `bytes_processed`.",
        ),
      }),
    ),
    phases: Type.Array(
      Type.Object({
        phase: oneOf(SYNC_PHASES, 'What the job did.'),
        seconds: Type.Number({ minimum: 0 }),
      }),
      {
        description:
          'How long a completed job took for what, of the attempt that completed it. Indexes are built while copied rows are read back: that time is of `verifying`, and what they take longer of `indexing`.',
      },
    ),
    verification: nullable(
      VERIFICATION,
      'What was checked before the target was switched. Null until then, and when the job failed earlier.',
    ),
    attempts: count('How often an agent took the job.'),
    agent: AGENT_SELECTOR,
    agent_id: nullableId('agt', 'The agent that took it last.'),
    models: Type.Array(
      Type.Object({
        name: Type.String({ description: '`private/<name>` or `custom/<name>`.' }),
        hash: Type.String(),
      }),
      { description: 'Models that the job trained, and uploaded ones that it draws from.' },
    ),
    generators: Type.Array(
      Type.Object({ name: Type.String({ description: '`name@version`.' }), hash: Type.String() }),
      { description: 'Registered compositions that it was accepted with.' },
    ),
    dry_run: Type.Boolean({ description: 'Checks alone: nothing is copied.' }),
    prediction: nullable(
      Type.Object({
        ok: Type.Boolean({ description: 'Nothing is known to stand in the way of a run.' }),
        problems: Type.Array(
          Type.Object({
            code: Type.String({ description: 'As in `error`.' }),
            message: Type.String(),
            details: Type.Array(Type.Object({ field: Type.String(), message: Type.String() }), {
              description: 'As in `error`.',
            }),
          }),
          { description: 'What a run would fail with; at most 100.' },
        ),
        problem_count: count('Those beyond the list too.'),
        tables: Type.Array(
          Type.Object({
            name: Type.String(),
            rows_expected: nullable(
              Type.Integer({ minimum: 10 }),
              'Rounded to two digits; null for fewer than ten.',
            ),
          }),
          { description: 'Tables that could be looked at.' },
        ),
      }),
      'What a dry run has found, once it is completed; null otherwise.',
    ),
    error: nullable(
      Type.Object({
        code: Type.String({ description: 'Stable.' }),
        message: Type.String(),
        details: Type.Array(Type.Object({ field: Type.String(), message: Type.String() }), {
          maxItems: 100,
          description:
            "All that the agent's checks found before it moved a row, each at its place in the request; with the SQL to paste where a privilege is missing.",
        }),
      }),
      'Why it failed; null otherwise.',
    ),
    warnings: Type.Array(
      Type.Object({
        code: Type.String(),
        message: Type.String(),
        field: Type.Optional(
          Type.String({ description: 'Path in the request, of `constraint_not_applied`.' }),
        ),
      }),
    ),
  }),
);

const DELETED_JOB = schemaOf<RemovedSyncJob>('DeletedSyncJob')(
  Type.Object({
    id: LISTED_FIELDS.id,
    cancelled: Type.Literal(false),
    deleted: Type.Literal(true),
  }),
);

const CANCELLED_JOB = schemaOf<RemovedSyncJob>('CancelledSyncJob')(
  Type.Object({
    id: LISTED_FIELDS.id,
    status: oneOf(WORK_STATUSES, 'At the moment of the answer.'),
    cancelled: Type.Literal(true),
    deleted: Type.Literal(false),
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
  },
  table_progress: [
    {
      name: 'customers',
      status: 'pending',
      rows_processed: 0,
      rows_total: null,
      bytes_processed: 0,
      bytes_total: null,
    },
  ],
  phases: [],
  verification: null,
  attempts: 0,
  agent: null,
  agent_id: null,
  models: [],
  generators: [],
  dry_run: false,
  prediction: null,
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
    answer: pageAnswer('A page of sync jobs.', 'jobs', LISTED_JOB, LISTED_EXAMPLE),
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
  getSyncJob: { tag: 'Sync jobs', answer: { says: 'The job.', data: JOB, example: EXAMPLE } },
  deleteSyncJob: {
    tag: 'Sync jobs',
    description:
      'A job that is pending or running is cancelled: it ends as `failed` with the code `cancelled`, or as `completed` when its target had been switched already. One that has ended is deleted.',
    answer: {
      says: 'The job had ended, and is deleted.',
      data: DELETED_JOB,
      example: { id: LISTED_EXAMPLE.id, cancelled: false, deleted: true },
    },
    otherAnswers: {
      202: {
        says: 'The job is being cancelled.',
        data: CANCELLED_JOB,
        example: { id: LISTED_EXAMPLE.id, status: 'running', cancelled: true, deleted: false },
      },
    },
  },
  fetchHostedModel: {
    tag: 'Agents',
    description:
      "For agents themselves; proved by the agent's key. The file is one that the agent's job was accepted with, and has that hash.",
    body: HostedModelDto,
    example: {
      body: {
        agent_id: 'agt_01KAMT8Z5CVYX7R2M4D6Q9WJ3E',
        issued_at: '2026-11-21T09:30:00.000Z',
        nonce: 'pL9sD4fR7wY3bN6hG1jA8e',
        signature: `${'A'.repeat(86)}==`,
        job_id: LISTED_EXAMPLE.id,
        sha256: '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
      },
    },
    answer: {
      says: 'The file.',
      content: {
        'application/octet-stream': { schema: { description: 'A file as docs/formats/ngram.md has it.' } },
      },
    },
    refusals: ['unauthorized'],
  },
} satisfies Record<string, OperationDescription>;
