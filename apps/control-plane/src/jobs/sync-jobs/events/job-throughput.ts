import type { SyncJobEvent } from '@understudy/agent-protocol';
import { BUILD_PHASES, type BuildProgress, SYNC_PHASES, type SyncPhase } from '@understudy/sync-job';
import type { JobBuildPhase, JobPhase, JobThroughput } from '../sync-job.js';

const MAX_REMAINING_MS = 365 * 24 * 60 * 60 * 1000;

/**
 * Returns the throughput after an event. Pure.
 * @param at when the event was reported, by the control plane's clock
 */
export function throughputAfter(
  throughput: JobThroughput | null,
  body: SyncJobEvent['body'],
  at: Date,
): JobThroughput | null {
  if (body.type === 'started') return STARTED;
  if (ENDS.has(body.type)) return null;
  if (body.type !== 'progress') return throughput;
  const { rowsPerSecond, bytesPerSecond, build } = body;
  return {
    phase: isPhase(body.phase) ? body.phase : null,
    rowsPerSecond,
    bytesPerSecond,
    estimatedEnd: endAfter(body.remainingMs, at),
    ...(build && { build: buildAfter(build, at) }),
  };
}

function endAfter(remainingMs: number | undefined, at: Date): string | null {
  const isKnown = remainingMs !== undefined && remainingMs >= 0 && remainingMs <= MAX_REMAINING_MS;
  return isKnown ? new Date(at.getTime() + remainingMs).toISOString() : null;
}

/** Returns each reported phase once, in the order of the build. */
function buildAfter(build: readonly BuildProgress[], at: Date): readonly JobBuildPhase[] {
  return BUILD_PHASES.flatMap((phase) => {
    const { state, done, total = null, remainingMs } = build.find((one) => one.phase === phase) ?? {};
    if (state === undefined || done === undefined) return [];
    const end = state === 'running' ? endAfter(remainingMs, at) : null;
    return [{ ...{ phase, state, done, total }, estimatedEnd: end }];
  });
}

const ENDS: ReadonlySet<SyncJobEvent['body']['type']> = new Set(['completed', 'predicted', 'failed']);

const STARTED: JobThroughput = {
  phase: 'preflight',
  rowsPerSecond: 0,
  bytesPerSecond: 0,
  estimatedEnd: null,
};

/** Returns the phases that this version knows, each of them once. */
export function knownPhases(
  reported: readonly { readonly phase: string; readonly durationMs: number }[],
): JobPhase[] {
  const phases = new Map<SyncPhase, number>();
  for (const { phase, durationMs } of reported) if (isPhase(phase)) phases.set(phase, durationMs);
  return [...phases].map(([phase, durationMs]) => ({ phase, durationMs }));
}

function isPhase(name: string | undefined): name is SyncPhase {
  return (SYNC_PHASES as readonly (string | undefined)[]).includes(name);
}
