import { BUILD_PHASES, BUILD_STATES, SYNC_PHASES } from '@understudy/sync-job';
import { Type } from 'typebox';

import type { WorkStatus } from '../../../agents/agent-work/leases/work-state.js';
import {
  count,
  instant,
  nullable,
  nullableCount,
  nullableId,
  nullableInstant,
  oneOf,
} from '../../../platform/http/operations/schemas.js';
import { MAX_ATTEMPT_PHASES } from '../events/attempt-history.js';
import {
  ATTEMPT_OUTCOMES,
  VERIFICATION_CHECKS,
  type JobAttempt,
  type JobThroughput,
  type JobPhase,
  type JobVerification,
} from '../sync-job.js';
import type { TableTotals } from '../tables/table-totals.js';

export const PROGRESS = Type.Object(
  {
    phase: nullable(
      oneOf(SYNC_PHASES, 'The current phase of the job.'),
      'The current phase. Null while no agent works on the job.',
    ),
    rows_done: count('Copied rows of all tables.'),
    rows_total: nullableCount('Rows to copy. An estimate until all rows are copied.'),
    bytes_done: count('Copied bytes, as sent to the target.'),
    bytes_total: nullableCount('Bytes to copy. An estimate until all rows are copied.'),
    rows_per_second: nullableCount(
      'Rows per second: of the last seconds while rows are copied, and of the whole copy after completion. Null otherwise.',
    ),
    bytes_per_second: nullableCount('Bytes per second, like `rows_per_second`.'),
    estimated_end: nullableInstant(
      'Estimated time at which all rows are copied. Indexing and verification follow. Null while it is unknown.',
    ),
    build: nullable(
      Type.Array(
        Type.Object({
          phase: oneOf(
            BUILD_PHASES,
            '`objects`: definitions before the rows. `indexes`: tables whose indexes are built, and tables that are analyzed. `keys`: foreign keys, and then other definitions such as triggers. `views`: materialized views, and then row security and event triggers. `swap`: owners, privileges and the names of both databases.',
          ),
          status: oneOf(BUILD_STATES, 'Status of the phase.'),
          done: count('Completed steps of the phase; copied rows of `rows`.'),
          total: nullableCount(
            'Number of all steps or rows. Null while it is unknown, and if an earlier attempt has completed the phase.',
          ),
          estimated_end: nullableInstant(
            'Estimated end of the phase. Null unless the phase is running, and while there is no estimate.',
          ),
        }),
      ),
      'The phases of a job that builds a database, in their order. Null before the first one, unless an agent works on the job, and if its version does not report them.',
    ),
  },
  { description: 'Progress of all tables. The agent reports it at most once a second.' },
);

export const VERIFICATION = Type.Object({
  ok: Type.Boolean({ description: 'Whether all checks succeeded.' }),
  checks: Type.Array(
    Type.Object({
      check: oneOf(VERIFICATION_CHECKS, 'What was checked.'),
      table: Type.String(),
      ok: Type.Boolean(),
      column: nullable(Type.String(), 'The column of a failed check; null otherwise.'),
      looked_at: nullableCount('Number of checked columns, keys or sequences; null for a count of rows.'),
      rows: nullable(
        Type.Object({
          source: count("Rows in the source's snapshot."),
          copied: count('Rows that the committed chunks copied.'),
          target: count('Rows in the staged table before the switch.'),
        }),
        'Row counts of the check `row_count`; null otherwise.',
      ),
    }),
    { description: 'The checks of all tables. An agent omits successful checks beyond 40,000.' },
  ),
});

export const ATTEMPT = Type.Object({
  number: Type.Integer({ minimum: 1, description: 'Number of the attempt, from 1.' }),
  agent_id: nullableId('agt', 'The agent that got the job.'),
  started_at: instant('When the agent got the job.'),
  ended_at: nullableInstant('When the attempt ended; null while the agent has the job.'),
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
      ended_at: nullableInstant(
        'When the agent reported the next phase, or the attempt ended; null for the current phase.',
      ),
    }),
    {
      maxItems: MAX_ATTEMPT_PHASES,
      description: 'Phases that the agent reported. It reports at most once a second.',
    },
  ),
});

export interface ReportedJob {
  readonly status: WorkStatus;
  readonly throughput: JobThroughput | null;
  readonly phases: readonly JobPhase[];
  readonly totals: TableTotals;
  /** True while no agent works on the job. */
  readonly isWaiting: boolean;
}

/**
 * Returns the progress of a job. Pure. For a completed job, the throughput is the average of the phase
 * `copying`. For a waiting job, it is null.
 */
export function toProgressResponse(job: ReportedJob, { now }: { readonly now: Date }) {
  const { totals } = job;
  const counts = {
    rows_done: totals.rowsProcessed,
    rows_total: totals.rowsTotal,
    bytes_done: totals.bytesProcessed,
    bytes_total: totals.bytesTotal,
  };
  const throughput = job.status !== 'running' || job.isWaiting ? null : job.throughput;
  const copyMs = job.phases.find(({ phase }) => phase === 'copying')?.durationMs ?? 0;
  const isAverage = job.status === 'completed' && copyMs > 0;
  const average = (count: number) => (isAverage ? bounded(Math.round((count * 1000) / copyMs)) : null);
  // Only copying has a throughput. An estimated end that has passed is not reported.
  const isCopying = throughput?.phase === 'copying';
  const future = (end: string | null) => (end !== null && new Date(end) >= now ? end : null);
  return {
    phase: throughput?.phase ?? null,
    ...counts,
    rows_per_second: isCopying ? bounded(throughput.rowsPerSecond) : average(counts.rows_done),
    bytes_per_second: isCopying ? bounded(throughput.bytesPerSecond) : average(counts.bytes_done),
    estimated_end: isCopying ? future(throughput.estimatedEnd) : null,
    build:
      throughput?.build?.map(({ state: status, estimatedEnd, ...phase }) => ({
        ...{ ...phase, status },
        estimated_end: future(estimatedEnd),
      })) ?? null,
  };
}

export function toPhasesResponse(phases: readonly JobPhase[]) {
  return phases.map(({ phase, durationMs }) => ({ phase, seconds: durationMs / 1000 }));
}

export function toAttemptsResponse(attempts: readonly JobAttempt[]) {
  return attempts.map(({ number, agentId, startedAt, endedAt, outcome, errorCode, phases }) => ({
    number,
    agent_id: agentId,
    started_at: startedAt,
    ended_at: endedAt,
    outcome,
    error_code: errorCode,
    phases: phases.map((phase) => ({
      phase: phase.phase,
      started_at: phase.startedAt,
      ended_at: phase.endedAt,
    })),
  }));
}

/** @param isListed selects the checks that the response lists; `ok` covers all checks */
export function toVerificationResponse(
  verification: JobVerification | null,
  isListed: (check: JobVerification['checks'][number]) => boolean = () => true,
) {
  if (verification === null) return null;
  return {
    ok: verification.checks.every(({ ok }) => ok),
    checks: verification.checks
      .filter(isListed)
      .map(({ lookedAt, ...check }) => ({ ...check, looked_at: lookedAt })),
  };
}

function bounded(count: number): number {
  return Math.min(count, Number.MAX_SAFE_INTEGER);
}
