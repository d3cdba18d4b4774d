import {
  ORPHAN_MODES,
  type JobTable,
  SOURCE_CODE_MODES,
  SYNC_PHASES,
  TABLE_STATUSES,
  UNLISTED_COLUMNS,
  UNLISTED_TABLES,
  type TableStatus,
} from '@understudy/sync-job';
import { Type } from 'typebox';

import { selectorOf } from '../../../agents/agent-work/choice/agent-requirement.js';
import { AGENT_SELECTOR } from '../../../agents/agent-work/choice/agent-selector.dto.js';
import type { WorkWarning } from '../../../agents/agent-work/choice/waiting-warnings.js';
import { LINK, silentWarnings, toLinkResponse } from '../../../agents/agent-work/leases/lease-view.js';
import { isWaiting, WORK_STATUSES } from '../../../agents/agent-work/leases/work-state.js';
import {
  count,
  id,
  instant,
  named,
  nullable,
  nullableCount,
  nullableId,
  nullableInstant,
  oneOf,
  type ResponseOf,
} from '../../../platform/http/operations/schemas.js';
import { MAX_ATTEMPTS } from '../events/attempt-history.js';
import type { JobPrediction } from '../sync-job.js';
import type { KeptUntil } from '../../kept-databases/kept-databases.service.js';
import { LAST_REVERT, toLastRevert } from '../../kept-databases/revert-response.js';
import type { SyncJobEntity } from '../sync-job.entity.js';
import type { JobTableRow } from '../tables/job-table.js';
import { TABLE_PROGRESS } from '../tables/job-tables-response.js';
import type { TableTotals } from '../tables/table-totals.js';
import {
  ATTEMPT,
  PROGRESS,
  toAttemptsResponse,
  toPhasesResponse,
  toProgressResponse,
  toVerificationResponse,
  VERIFICATION,
} from './progress-response.js';

const SUMMARY = {
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
  started_at: nullableInstant('When an agent first started the job; null before.'),
  completed_at: nullableInstant('When the job ended, also if it failed; null before.'),
  agent_id: nullableId('agt', 'The agent of the last attempt.'),
  error_code: nullable(Type.String(), 'Stable code of the error that the job failed with; null otherwise.'),
  cancel_requested_at: nullableInstant(
    'When the job was cancelled by a request; null otherwise. An agent without contact receives the request when it is back.',
  ),
  dry_run: Type.Boolean({ description: 'Whether the job only runs checks and copies nothing.' }),
};

/** The outcome of a dry run. */
const OUTCOME = {
  ok: Type.Boolean({ description: 'Whether no problem was found.' }),
  problem_count: count('Number of problems, including those that no list contains.'),
};

export const ListedSyncJob = named('ListedSyncJob', {
  ...SUMMARY,
  prediction: nullable(Type.Object(OUTCOME), 'Outcome of a completed dry run; null otherwise.'),
  progress: nullable(PROGRESS, 'Progress of a running job; null for any other job.'),
});
export type ListedSyncJob = ResponseOf<typeof ListedSyncJob>;

export const SyncJobResponse = named('SyncJob', {
  ...SUMMARY,
  run_of: nullableId('job', 'The job that this one repeats. It may have been deleted.'),
  seed: Type.Integer({ description: 'Random seed.' }),
  now: instant('Reference instant of relative dates.'),
  unlisted_columns: oneOf(UNLISTED_COLUMNS, 'What happens to columns without a rule.'),
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
  orphans: oneOf(ORPHAN_MODES, 'What happens to rows that break a foreign key between tables of the job.'),
  subset: Type.Array(
    Type.Object({
      name: Type.String({ description: 'Name of the table as written in the request.' }),
      where_length: nullable(
        Type.Integer({ minimum: 1 }),
        'Length of the `where` in characters; null without a `where`. The condition itself is not shown.',
      ),
      limit: nullableCount('The `limit`; null without one.'),
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
  link: LINK,
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
  replaced: nullable(
    Type.Object({
      kept_until: instant('Until when the replaced database is kept, unless the target is replaced again.'),
      reverted_at: nullableInstant(
        'When the target got back the content that it had before the job; null while it has that of the job.',
      ),
      last_revert: nullable(LAST_REVERT, 'The newest revert of the job. Null if there is none.'),
    }),
    'The database that the job has replaced and that is kept. Null if there is none.',
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
});
export type SyncJobResponse = ResponseOf<typeof SyncJobResponse>;

export const DeletedSyncJob = named('DeletedSyncJob', {
  id: SUMMARY.id,
  cancelled: Type.Literal(false),
  deleted: Type.Literal(true),
});

export const CancelledSyncJob = named('CancelledSyncJob', {
  id: SUMMARY.id,
  status: oneOf(WORK_STATUSES, 'Status at the time of the response.'),
  cancelled: Type.Literal(true),
  deleted: Type.Literal(false),
});

/** The response to a DELETE. */
export type RemovedSyncJob = ResponseOf<typeof DeletedSyncJob> | ResponseOf<typeof CancelledSyncJob>;

/** The tables of a job in a list. */
interface ListedTables {
  readonly count: number;
  /** Absent if the caller did not want them. */
  readonly names: readonly string[] | undefined;
  /** Present only for a running job, because a sum reads each table of the job. */
  readonly totals: TableTotals | undefined;
}

/** Whether a job is a dry run, and what it found. */
export interface ListedDryRun {
  readonly isDryRun: boolean;
  /** Null until a dry run has completed. */
  readonly problemCount: number | null;
}

export function toListedSyncJob(
  job: ListedJob,
  { count, names = [], totals }: ListedTables,
  { isDryRun, problemCount }: ListedDryRun,
  { now }: { readonly now: Date },
): ListedSyncJob {
  const progress =
    totals && toProgressResponse({ ...job, phases: [], totals, isWaiting: isWaiting(job) }, { now });
  return {
    ...summaryOf(job, count, names),
    dry_run: isDryRun,
    prediction: problemCount === null ? null : outcomeOf(problemCount),
    progress: progress ?? null,
  };
}

function outcomeOf(problemCount: number) {
  return { ok: problemCount === 0, problem_count: problemCount };
}

function summaryOf(
  job: Omit<ListedJob, 'leaseExpiresAt' | 'throughput'>,
  tableCount: number,
  tables: readonly string[],
) {
  return {
    id: job.id,
    name: job.name,
    status: job.status,
    source: job.sourceDisplay,
    target: job.targetDisplay,
    tables,
    table_count: tableCount,
    rows_processed: job.rowsProcessed,
    created_at: job.createdAt.toISOString(),
    started_at: job.startedAt?.toISOString() ?? null,
    completed_at: job.completedAt?.toISOString() ?? null,
    agent_id: job.agentId,
    error_code: job.errorCode,
    cancel_requested_at: job.cancelRequestedAt?.toISOString() ?? null,
  };
}

/** The columns that a list reads of each job. */
export const LISTED_COLUMNS = {
  id: true,
  name: true,
  status: true,
  sourceDisplay: true,
  targetDisplay: true,
  rowsProcessed: true,
  createdAt: true,
  startedAt: true,
  completedAt: true,
  agentId: true,
  leaseExpiresAt: true,
  errorCode: true,
  cancelRequestedAt: true,
  throughput: true,
} as const;
type ListedJob = Pick<SyncJobEntity, keyof typeof LISTED_COLUMNS>;

/** The tables of a job. `listed` and `subsets` are absent if the caller did not want them. */
export interface ReportedTables {
  readonly totals: TableTotals;
  readonly listed?: readonly JobTableRow[];
  readonly subsets?: readonly Pick<JobTable, 'name' | 'subset'>[];
}

/** The limit on lists of a response without tables. */
const MAX_ITEMS = 100;

/** @param waiting why no agent works on the job now; see `waitingWarnings` */
export function toSyncJobResponse(
  job: SyncJobEntity,
  { totals, listed, subsets = [] }: ReportedTables,
  {
    waiting,
    now,
    kept = null,
  }: {
    readonly waiting: readonly WorkWarning[];
    readonly now: Date;
    readonly kept?: KeptUntil | null;
  },
): SyncJobResponse {
  const tables = listed ?? [];
  const limited = <T>(items: readonly T[]): readonly T[] => (listed ? items : items.slice(0, MAX_ITEMS));
  const verification = toVerificationResponse(job.verification, listed ? undefined : ({ ok }) => !ok);
  const tableCount = Object.values(totals.counts).reduce((sum, count) => sum + count, 0);
  return {
    ...summaryOf(
      job,
      tableCount,
      tables.map(({ name }) => name),
    ),
    table_counts: { ...totals.counts },
    run_of: job.runOf,
    seed: job.seed,
    now: job.referenceInstant.toISOString(),
    unlisted_columns: job.definition.unlistedColumns,
    unlisted_tables: job.definition.unlistedTables ?? 'ignore',
    refresh_materialized_views: job.definition.refreshMaterializedViews ?? false,
    source_code: job.definition.sourceCode ?? null,
    orphans: job.definition.orphans ?? 'fail',
    subset: subsets.flatMap(({ name, subset }) =>
      subset ? [{ name, where_length: subset.where?.length ?? null, limit: subset.limit ?? null }] : [],
    ),
    progress: toProgressResponse({ ...job, totals, isWaiting: isWaiting(job) }, { now }),
    table_progress: tables.map((table) => ({
      name: table.name,
      status: table.status,
      rows_processed: table.rowsProcessed,
      rows_total: table.rowsTotal,
      bytes_processed: table.bytesProcessed,
      bytes_total: table.bytesTotal,
    })),
    phases: toPhasesResponse(job.phases),
    verification: verification && { ...verification, checks: limited(verification.checks) },
    attempts: job.attempts,
    attempt_history: toAttemptsResponse(job.attemptHistory),
    agent: selectorOf(job.requires),
    link: toLinkResponse(job),
    models: limited(job.models).map(({ name, hash }) => ({ name, hash })),
    generators: limited([...new Map(job.definition.compositions?.map(({ id, hash }) => [id, hash]))]).map(
      ([name, hash]) => ({ name, hash }),
    ),
    dry_run: job.definition.dryRun ?? false,
    prediction: job.prediction && toPredictionResponse(job.prediction, listed !== undefined),
    replaced: kept && {
      kept_until: kept.keptUntil.toISOString(),
      reverted_at: kept.revertedAt?.toISOString() ?? null,
      last_revert: kept.lastRevert && toLastRevert(kept.lastRevert),
    },
    left_out: job.leftOut,
    error:
      job.errorCode === null
        ? null
        : { code: job.errorCode, message: job.errorMessage ?? '', details: job.errorDetails },
    warnings: limited([...waiting, ...silentWarnings(job, { now }), ...job.warnings]),
  };
}

function toPredictionResponse({ problems, problemCount, tables }: JobPrediction, withTables: boolean) {
  return {
    ...outcomeOf(problemCount),
    problems: problems.map(({ code, message, details = [] }) => ({ code, message, details })),
    tables: (withTables ? tables : []).map(({ name, rows }) => ({
      name,
      rows_expected: rows === 0 ? null : rows,
    })),
  };
}
