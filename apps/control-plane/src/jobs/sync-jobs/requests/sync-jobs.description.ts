import { Type } from 'typebox';

import {
  schemaOf,
  type OperationDescription,
} from '../../../platform/http/operations/operation-description.js';
import {
  count,
  id,
  instant,
  nullable,
  nullableId,
  oneOf,
  pageResponse,
} from '../../../platform/http/operations/schemas.js';
import { AGENT_SELECTOR } from '../../../agents/agent-work/choice/agent-selector.dto.js';
import { NoBody } from '../../../platform/http/dto/empty-request.dto.js';
import { CreateSyncJobDto } from './create-sync-job.dto.js';
import { HostedModelDto } from '../hosted-models/hosted-model.dto.js';
import { ListSyncJobsQuery } from './list-sync-jobs.query.js';
import { VERIFICATION_CHECKS } from '../events/job-verification.js';
import {
  SYNC_PHASES,
  TABLE_STATUSES,
  UNLISTED_TABLES,
  SOURCE_CODE_MODES,
  type TableStatus,
} from '@understudy/sync-job';
import { DEFINITION_EXAMPLE, JOB_DEFINITION } from '../definition/sync-job-definition.description.js';
import { MAX_ATTEMPTS, MAX_ATTEMPT_PHASES } from '../events/attempt-history.js';
import { ATTEMPT_OUTCOMES } from '../sync-job.js';
import type { JobTablesResponse } from '../tables/job-tables.service.js';
import { ListJobTablesQuery } from '../tables/list-job-tables.query.js';
import { GetSyncJobQuery } from './tables-detail.js';
import type { ListedSyncJob, RemovedSyncJob, SyncJobResponse } from './sync-job-response.js';
import { WORK_STATUSES } from '../../../agents/agent-work/leases/work-state.js';

const LISTED_FIELDS = {
  id: id('job', 'Id of the job.'),
  name: Type.String(),
  status: oneOf(WORK_STATUSES, 'Status of the job. It stays `running` during retries.'),
  source: Type.String({ description: 'Source database. A URL is shown without its password.' }),
  target: Type.String({ description: 'Target database. A URL is shown without its password.' }),
  tables: Type.Array(Type.String(), {
    description: 'Table names as written in the request. Empty with `tables=none`.',
  }),
  table_count: count('Number of tables.'),
  rows_processed: count('Number of copied rows of all tables.'),
  created_at: instant('When the request was accepted.'),
  started_at: nullable(
    Type.String({ format: 'date-time' }),
    'When an agent first started the job; null before.',
  ),
  completed_at: nullable(
    Type.String({ format: 'date-time' }),
    'When the job ended, also if it failed; null before.',
  ),
  agent_id: nullableId('agt', 'The agent of the last attempt.'),
  error_code: nullable(Type.String(), 'Stable code of the error that the job failed with; null otherwise.'),
  cancel_requested_at: nullable(
    Type.String({ format: 'date-time' }),
    'When the job was cancelled by a request; null otherwise. An agent without contact receives the request when it is back.',
  ),
  dry_run: Type.Boolean({ description: 'Whether the job only runs checks and copies nothing.' }),
};

/** The outcome of a dry run. */
const OUTCOME = {
  ok: Type.Boolean({ description: 'Whether no problem was found.' }),
  problem_count: count('Number of problems, including those that no list contains.'),
};

const PROGRESS = Type.Object(
  {
    phase: nullable(
      oneOf(SYNC_PHASES, 'The current phase of the job.'),
      'The current phase. Null while no agent works on the job.',
    ),
    rows_done: count('Copied rows of all tables.'),
    rows_total: nullable(
      Type.Integer({ minimum: 0 }),
      'Rows to copy. An estimate until all rows are copied.',
    ),
    bytes_done: count('Copied bytes, as sent to the target.'),
    bytes_total: nullable(
      Type.Integer({ minimum: 0 }),
      'Bytes to copy. An estimate until all rows are copied.',
    ),
    rows_per_second: nullable(
      Type.Integer({ minimum: 0 }),
      'Rows per second: of the last seconds while rows are copied, and of the whole copy after completion. Null otherwise.',
    ),
    bytes_per_second: nullable(Type.Integer({ minimum: 0 }), 'Bytes per second, like `rows_per_second`.'),
    estimated_end: nullable(
      Type.String({ format: 'date-time' }),
      'Estimated time at which all rows are copied. Indexing and verification follow. Null while it is unknown.',
    ),
  },
  { description: 'Progress of all tables. The agent reports it at most once a second.' },
);

const LISTED_JOB = schemaOf<ListedSyncJob>('ListedSyncJob')(
  Type.Object({
    ...LISTED_FIELDS,
    prediction: nullable(Type.Object(OUTCOME), 'Outcome of a completed dry run; null otherwise.'),
    progress: nullable(PROGRESS, 'Progress of a running job; null for any other job.'),
  }),
);

const VERIFICATION = Type.Object({
  ok: Type.Boolean({ description: 'Whether all checks succeeded.' }),
  checks: Type.Array(
    Type.Object({
      check: oneOf(VERIFICATION_CHECKS, 'What was checked.'),
      table: Type.String(),
      ok: Type.Boolean(),
      column: nullable(Type.String(), 'The column of a failed check; null otherwise.'),
      looked_at: nullable(
        Type.Integer({ minimum: 0 }),
        'Number of checked columns, keys or sequences; null for a count of rows.',
      ),
      rows: nullable(
        Type.Object({
          source: count("Rows in the source's snapshot."),
          copied: count('Rows that the committed chunks copied.'),
          target: count('Rows in the staged table before the switch.'),
        }),
        'Row counts of the check `row_count`; null otherwise.',
      ),
    }),
  ),
});

const TABLE_PROGRESS = {
  name: Type.String({ description: 'Name of the table as written in the request.' }),
  status: oneOf(TABLE_STATUSES, 'Status of the table.'),
  rows_processed: count('Number of copied rows.'),
  rows_total: nullable(
    Type.Integer({ minimum: 0 }),
    'Rows to copy. An estimate until all rows are copied; null until the agent has inspected the table.',
  ),
  bytes_processed: count('Bytes of the copied rows, as sent to the target.'),
  bytes_total: nullable(
    Type.Integer({ minimum: 0 }),
    'The size of the source table. After all rows are copied, the value of `bytes_processed`.',
  ),
};

const JOB_TABLES = schemaOf<JobTablesResponse>('SyncJobTablePage')(
  Type.Object({
    tables: Type.Array(
      Type.Object({
        position: count('Index of the table in the request, from 0.'),
        ...TABLE_PROGRESS,
      }),
    ),
    revision: count(
      'Number that grows with every change of a table of the job. Pass it as `changed_since` to get the later changes. If you read several pages, use the `revision` of the first one.',
    ),
    total: count('Number of tables that match the filter.'),
    page: Type.Integer({ minimum: 1, description: 'Value from the request, or its default.' }),
    per_page: Type.Integer({
      minimum: 1,
      maximum: 100,
      description: 'Value from the request, or its default.',
    }),
  }),
);

const ATTEMPT = Type.Object({
  number: Type.Integer({ minimum: 1, description: 'Number of the attempt, from 1.' }),
  agent_id: nullableId('agt', 'The agent that got the job.'),
  started_at: instant('When the agent got the job.'),
  ended_at: nullable(
    Type.String({ format: 'date-time' }),
    'When the attempt ended; null while the agent has the job.',
  ),
  outcome: nullable(
    oneOf(
      ATTEMPT_OUTCOMES,
      'How the attempt ended. `connection_lost`: the agent lost its connection. `returned`: the control plane took the job back, because the command was not delivered, an administrator released the job, or the agent was revoked.',
    ),
    'How the attempt ended; null while the agent has the job.',
  ),
  error_code: nullable(
    Type.String(),
    'Code of the error that ended the attempt. Null without an error, and if the agent restarted.',
  ),
  phases: Type.Array(
    Type.Object({
      phase: oneOf(SYNC_PHASES, 'The phase of the job.'),
      started_at: instant('When the agent first reported this phase.'),
      ended_at: nullable(
        Type.String({ format: 'date-time' }),
        'When the agent reported the next phase, or the attempt ended; null for the current phase.',
      ),
    }),
    {
      maxItems: MAX_ATTEMPT_PHASES,
      description: 'Phases that the agent reported. It reports at most once a second.',
    },
  ),
});

const JOB = schemaOf<SyncJobResponse>('SyncJob')(
  Type.Object({
    ...LISTED_FIELDS,
    seed: Type.Integer({ description: 'Random seed.' }),
    now: instant('Reference instant of relative dates.'),
    unlisted_columns: oneOf(['preserve', 'reject', 'null'], 'What happens to columns without a rule.'),
    progress: PROGRESS,
    unlisted_tables: oneOf(
      UNLISTED_TABLES,
      'What happens to tables of the source that the request neither lists nor ignores.',
    ),
    refresh_materialized_views: Type.Boolean({
      description: 'Whether materialized views of the target that depend on replaced tables are refreshed.',
    }),
    source_code: nullable(
      oneOf(SOURCE_CODE_MODES, '`omit` leaves them out.'),
      'What happens to parts of missing tables that call functions of the source; null if the policy of the agent decides.',
    ),
    subset: Type.Array(
      Type.Object({
        name: Type.String({ description: 'Name of the table as written in the request.' }),
        where_length: nullable(
          Type.Integer({ minimum: 1 }),
          'Length of the `where` in characters; null without a `where`. The condition itself is not shown.',
        ),
        limit: nullable(Type.Integer({ minimum: 0 }), 'The `limit`; null without one.'),
      }),
      { description: 'Tables with a subset. All rows of the other tables are requested.' },
    ),
    table_counts: Type.Object(
      Object.fromEntries(
        TABLE_STATUSES.map((status) => [status, count(`Tables with the status \`${status}\`.`)]),
      ) as Record<TableStatus, ReturnType<typeof count>>,
      { description: 'Number of tables with each status.' },
    ),
    table_progress: Type.Array(Type.Object(TABLE_PROGRESS)),
    phases: Type.Array(
      Type.Object({
        phase: oneOf(SYNC_PHASES, 'The phase of the job.'),
        seconds: Type.Number({ minimum: 0 }),
      }),
      {
        description:
          'Durations of the phases of the successful attempt. Empty until the job has completed. Indexes are built while copied rows are verified. This shared time counts as `verifying`, and only the rest of indexing counts as `indexing`.',
      },
    ),
    verification: nullable(
      VERIFICATION,
      'The checks of the copy before the target changes. Null before these checks, and if the job failed before them.',
    ),
    attempt_history: Type.Array(ATTEMPT, {
      maxItems: MAX_ATTEMPTS,
      description:
        'The newest attempts, oldest first, including those that lost only their connection. Attempts from before an upgrade to this version are missing.',
    }),
    attempts: count('Number of attempts. An attempt that lost only its connection does not count.'),
    agent: AGENT_SELECTOR,
    link: nullable(
      Type.Object({
        last_heard_at: nullable(
          Type.String({ format: 'date-time' }),
          'When the agent last reported that it works on the job; null before the first report.',
        ),
        grace_period_seconds: count(
          'The grace period: how much longer than usual the agent keeps the job without contact. 0 if another agent could run the job when this agent got it.',
        ),
        held_until: instant('When another agent can get the job if this agent does not report again.'),
        snapshot_taken_at: nullable(
          Type.String({ format: 'date-time' }),
          'Since when the agent has held a snapshot of the source, which prevents VACUUM from removing old rows there. Null if it holds none.',
        ),
      }),
      'The connection to the agent that has the job; null if no agent has it.',
    ),
    models: Type.Array(
      Type.Object({
        name: Type.String({ description: 'Id of the model: `private/<name>` or `custom/<name>`.' }),
        hash: Type.String(),
      }),
      { description: 'Models that the job trained, and uploaded models that it uses.' },
    ),
    generators: Type.Array(
      Type.Object({
        name: Type.String({ description: 'Id of the composition: `name@version`.' }),
        hash: Type.String(),
      }),
      {
        description: 'Registered compositions that the job uses, in the versions that it was accepted with.',
      },
    ),
    prediction: nullable(
      Type.Object({
        ...OUTCOME,
        problems: Type.Array(
          Type.Object({
            code: Type.String({ description: 'Stable code, as in `error`.' }),
            message: Type.String(),
            details: Type.Array(Type.Object({ field: Type.String(), message: Type.String() }), {
              description: 'Details, as in `error`.',
            }),
          }),
          { description: 'Problems that would fail a run; at most 100.' },
        ),
        tables: Type.Array(
          Type.Object({
            name: Type.String(),
            rows_expected: nullable(
              Type.Integer({ minimum: 10 }),
              'Expected rows, rounded to two significant digits; null for fewer than ten.',
            ),
          }),
          { description: 'Tables that could be inspected.' },
        ),
      }),
      'Result of a completed dry run; null otherwise.',
    ),
    left_out: nullable(
      Type.Object({
        tables: count('Ordinary and partitioned tables.'),
        foreign_tables: count('Foreign tables.'),
        views: count('Views.'),
        materialized_views: count('Materialized views.'),
        functions: count('Functions, procedures and aggregates.'),
        types: count('Types, without those that belong to a table or to another type.'),
        sequences: count('Sequences, without those of columns.'),
        schemas: count('Schemas.'),
        extensions: count('Extensions.'),
      }),
      'Numbers of objects of the source that the target does not have after the job, or would not have after the job of a dry run. Partitions and objects of extensions do not count. Null if no agent has counted them. Only the log of the agent has their names.',
    ),
    error: nullable(
      Type.Object({
        code: Type.String({ description: 'Stable error code.' }),
        message: Type.String(),
        details: Type.Array(Type.Object({ field: Type.String(), message: Type.String() }), {
          maxItems: 100,
          description:
            "Problems that the agent's checks found before it copied a row, each with its path in the request. For a missing privilege, the message contains the SQL that grants it.",
        }),
      }),
      'Why the job failed; null unless it failed.',
    ),
    warnings: Type.Array(
      Type.Object({
        code: Type.String(),
        message: Type.String(),
        field: Type.Optional(
          Type.String({ description: 'Path in the request; only for `constraint_not_applied`.' }),
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
    status: oneOf(WORK_STATUSES, 'Status at the time of the response.'),
    cancelled: Type.Literal(true),
    deleted: Type.Literal(false),
  }),
);

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
  seed: 4_217_905_311_846_213,
  now: '2026-11-21T00:00:00.000Z',
  unlisted_columns: 'preserve',
  unlisted_tables: 'reject',
  refresh_materialized_views: true,
  source_code: null,
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
  left_out: null,
  error: null,
  warnings: [
    {
      code: 'no_live_agent',
      message: 'No agent of this organisation is connected. The work waits until an agent connects.',
    },
  ],
};

export const SYNC_JOB_DESCRIPTIONS = {
  listSyncJobs: {
    tag: 'Sync jobs',
    description: 'By default, the newest jobs come first.',
    query: ListSyncJobsQuery,
    example: {
      query: { status: 'pending,running', name: 'night', sort: '-created_at', page: 1, per_page: 20 },
    },
    response: pageResponse('A page of sync jobs.', 'jobs', LISTED_JOB, {
      ...SUMMARY_EXAMPLE,
      prediction: null,
      progress: null,
    }),
  },
  createSyncJob: {
    tag: 'Sync jobs',
    description:
      'The request is checked as far as possible without an agent, and the response contains all problems. The job then waits for an agent. The target is unchanged until the job completes, and stays unchanged if the job fails.',
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
    response: { description: 'The job.', data: JOB, example: EXAMPLE },
    refusals: ['conflict'],
  },
  getSyncJob: {
    tag: 'Sync jobs',
    query: GetSyncJobQuery,
    response: { description: 'The job.', data: JOB, example: EXAMPLE },
  },
  getSyncJobDefinition: {
    tag: 'Sync jobs',
    description:
      'Returns the request with which the job was accepted, with the defaults that were applied. You can change `definition` and post it as a new job. It omits connection URLs, conditions, and literals in rules that can be values of rows. Each of them is null, and its path is in `withheld`. Fill them in before you post the definition: null is refused at each of these paths. The control plane removes the definition some time after the job has ended; the operation then returns 404.',
    response: {
      description: 'The definition of the job.',
      data: JOB_DEFINITION,
      example: DEFINITION_EXAMPLE,
    },
  },
  listSyncJobTables: {
    tag: 'Sync jobs',
    description:
      'To follow a running job, list the tables once, and then pass `revision` as `changed_since` in each call. No change is missed, and no call returns more than `per_page` tables.',
    query: ListJobTablesQuery,
    example: { query: { status: 'pending', sort: '-bytes_remaining', page: 1, per_page: 20 } },
    response: {
      description: 'A page of the tables of the job.',
      data: JOB_TABLES,
      example: {
        tables: [{ position: 0, ...TABLE_EXAMPLE }],
        ...{ revision: 0, total: 1, page: 1, per_page: 20 },
      },
    },
  },
  deleteSyncJob: {
    tag: 'Sync jobs',
    description:
      'A pending or running job is cancelled. It ends as `failed` with the code `cancelled`, or as `completed` if its target was already switched. A job that has ended is deleted.',
    response: {
      description: 'The ended job is deleted.',
      data: DELETED_JOB,
      example: { id: SUMMARY_EXAMPLE.id, cancelled: false, deleted: true },
    },
    otherResponses: {
      202: {
        description: 'The job is being cancelled.',
        data: CANCELLED_JOB,
        example: { id: SUMMARY_EXAMPLE.id, status: 'running', cancelled: true, deleted: false },
      },
    },
  },
  releaseSyncJob: {
    tag: 'Sync jobs',
    description:
      'Ends the grace period of an agent that will not come back, so that another agent can get the job. The attempt does not count. As soon as the next attempt has connected to the target, the old agent can change nothing there. If the old agent had already switched the target, the next attempt only reports the result. A job with a cancel request ends as `cancelled`.',
    body: NoBody,
    example: { body: {} },
    response: { description: 'The job.', data: JOB, example: EXAMPLE },
    refusals: ['conflict'],
  },
  fetchHostedModel: {
    tag: 'Agents',
    description:
      "For agents, which sign this request with their key. The file has the given hash and belongs to a model with which the agent's job was accepted.",
    body: HostedModelDto,
    example: {
      body: {
        agent_id: 'agt_01KAMT8Z5CVYX7R2M4D6Q9WJ3E',
        issued_at: '2026-11-21T09:30:00.000Z',
        nonce: 'pL9sD4fR7wY3bN6hG1jA8e',
        signature: `${'A'.repeat(86)}==`,
        job_id: SUMMARY_EXAMPLE.id,
        sha256: '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
      },
    },
    response: {
      description: 'The model file.',
      content: {
        'application/octet-stream': {
          schema: { description: 'A model file. docs/reference/ngram-format.md documents its format.' },
        },
      },
    },
    refusals: ['unauthorized', 'forbidden'],
  },
} satisfies Record<string, OperationDescription>;
