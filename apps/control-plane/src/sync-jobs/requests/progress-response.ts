import type { JobThroughput, JobPhase, JobVerification, TableState } from '../sync-job.js';
import type { WorkStatus } from '../../agent-work/leases/work-state.js';

export interface ReportedJob {
  readonly status: WorkStatus;
  readonly throughput: JobThroughput | null;
  readonly phases: readonly JobPhase[];
  readonly tables: readonly TableState[];
  /** True while no agent works on the job. */
  readonly isWaiting: boolean;
}

/**
 * Returns the progress of a job. Pure. For a completed job, the throughput is the average of the phase
 * `copying`. For a waiting job, it is null.
 */
export function toProgressResponse(job: ReportedJob, { now }: { readonly now: Date }) {
  const { tables } = job;
  const counts = {
    rows_done: total(tables.map(({ rowsProcessed }) => rowsProcessed)),
    rows_total: totalIfKnown(tables.map(({ rowsTotal }) => rowsTotal)),
    bytes_done: total(tables.map(({ bytesProcessed }) => bytesProcessed)),
    bytes_total: totalIfKnown(tables.map(({ bytesTotal }) => bytesTotal)),
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

export function toVerificationResponse(verification: JobVerification | null) {
  if (verification === null) return null;
  return {
    ok: verification.checks.every(({ ok }) => ok),
    checks: verification.checks.map(({ lookedAt, ...check }) => ({ ...check, looked_at: lookedAt })),
  };
}

/** Returns the sum, but at most the largest safe integer. */
function total(counts: readonly number[]): number {
  return bounded(counts.reduce((sum, count) => sum + count, 0));
}

function totalIfKnown(counts: readonly (number | null)[]): number | null {
  return counts.includes(null) ? null : total(counts.map((count) => count ?? 0));
}

function bounded(count: number): number {
  return Math.min(count, Number.MAX_SAFE_INTEGER);
}
