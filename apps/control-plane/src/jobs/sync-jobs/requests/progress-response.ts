import type { JobAttempt, JobThroughput, JobPhase, JobVerification } from '../sync-job.js';
import type { TableTotals } from '../tables/table-totals.js';
import type { WorkStatus } from '../../../agents/agent-work/leases/work-state.js';

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
  const end = isCopying ? throughput.estimatedEnd : null;
  return {
    phase: throughput?.phase ?? null,
    ...counts,
    rows_per_second: isCopying ? bounded(throughput.rowsPerSecond) : average(counts.rows_done),
    bytes_per_second: isCopying ? bounded(throughput.bytesPerSecond) : average(counts.bytes_done),
    estimated_end: end !== null && new Date(end) >= now ? end : null,
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
