import type { SnapshotCounts, SnapshotProgress } from '@understudy/agent-protocol';

export const SNAPSHOT_PHASES = ['preflight', 'dumping', 'finishing'] as const;
export const RESTORE_PHASES = ['preflight', 'checking', 'loading', 'switching'] as const;
export type WorkPhase = (typeof SNAPSHOT_PHASES)[number] | (typeof RESTORE_PHASES)[number];

/** The progress of the running attempt, or of the last one. */
export interface Progress {
  /** Null after the end, and for a phase that this version does not know. */
  readonly phase: WorkPhase | null;
  readonly counts: SnapshotCounts | null;
}

/**
 * @returns `{progress: null}` if `state` has a new lease, because each attempt starts from zero; otherwise an
 * empty change
 */
export function resetProgress(before: { epoch: number }, state: { epoch: number }): { progress?: null } {
  return state.epoch === before.epoch ? {} : { progress: null };
}

/**
 * Returns the progress after a report. Pure.
 * @param known the progress before the report
 */
export function progressAfter(
  known: Progress | null,
  report: SnapshotProgress | { readonly type: 'started' },
  phases: readonly WorkPhase[],
): Progress {
  if (report.type === 'started') return { phase: 'preflight', counts: null };
  const phase = phases.find((name) => name === report.phase) ?? null;
  return { phase, counts: report.counts ?? known?.counts ?? null };
}

/**
 * Returns the progress after the end of an attempt. Pure.
 * @param counts the final counts, if the agent reported them
 */
export function progressAtEnd(known: Progress | null, counts: SnapshotCounts | undefined): Progress {
  return { phase: null, counts: counts ?? known?.counts ?? null };
}

export function toProgressResponse<Phase extends WorkPhase>(progress: Progress | null) {
  const counts = progress?.counts ?? null;
  return {
    phase: (progress?.phase ?? null) as Phase | null,
    tables_done: counts?.tablesDone ?? 0,
    tables_total: counts?.tablesTotal ?? null,
    bytes_done: counts?.bytesDone ?? 0,
    bytes_total: counts?.bytesTotal ?? null,
  };
}
