import {
  toAttemptsResponse,
  toPhasesResponse,
  toProgressResponse,
  toVerificationResponse,
} from './progress-response.js';
import { silentWarnings, toLinkResponse } from '../../../agents/agent-work/leases/lease-view.js';
import { selectorOf } from '../../../agents/agent-work/choice/agent-requirement.js';
import type { WorkWarning } from '../../../agents/agent-work/choice/waiting-warnings.js';
import type { JobPrediction } from '../sync-job.js';
import type { SyncJobEntity } from '../sync-job.entity.js';
import { isWaiting, type WorkStatus } from '../../../agents/agent-work/leases/work-state.js';
import type { SyncJobTableEntity } from '../sync-job-table.entity.js';
import type { TableTotals } from '../tables/table-totals.js';

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
) {
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

export type ListedJob = Pick<
  SyncJobEntity,
  | 'id'
  | 'name'
  | 'status'
  | 'sourceDisplay'
  | 'targetDisplay'
  | 'rowsProcessed'
  | 'createdAt'
  | 'startedAt'
  | 'completedAt'
  | 'agentId'
  | 'leaseExpiresAt'
  | 'errorCode'
  | 'cancelRequestedAt'
  | 'throughput'
>;

/** The tables of a job. `listed` is absent if the caller did not want them. */
export interface ReportedTables {
  readonly totals: TableTotals;
  readonly listed?: readonly SyncJobTableEntity[];
}

/** The limit on lists of a response without tables. */
const MAX_ITEMS = 100;

/** @param waiting why no agent works on the job now; see `waitingWarnings` */
export function toSyncJobResponse(
  job: SyncJobEntity,
  { totals, listed }: ReportedTables,
  { waiting, now }: { readonly waiting: readonly WorkWarning[]; readonly now: Date },
) {
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
    seed: job.seed,
    now: job.referenceInstant.toISOString(),
    unlisted_columns: job.definition.unlistedColumns,
    unlisted_tables: job.definition.unlistedTables ?? 'ignore',
    refresh_materialized_views: job.definition.refreshMaterializedViews ?? false,
    source_code: job.definition.sourceCode ?? null,
    subset: (listed ? job.definition.tables : []).flatMap(({ name, subset }) =>
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

/** The response to a DELETE. */
export interface RemovedSyncJob {
  readonly id: string;
  /** The status of a job that was cancelled or is being cancelled. Absent if the job was deleted. */
  readonly status?: WorkStatus;
  readonly cancelled: boolean;
  readonly deleted: boolean;
}

export type SyncJobResponse = ReturnType<typeof toSyncJobResponse>;
export type ListedSyncJob = ReturnType<typeof toListedSyncJob>;
