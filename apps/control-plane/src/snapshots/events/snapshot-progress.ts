import type { SnapshotCounts, SnapshotProgress } from '../../agent-link/messages/snapshot-event.js';

export const SNAPSHOT_PHASES = ['preflight', 'dumping', 'finishing'] as const;
export const RESTORE_PHASES = ['preflight', 'checking', 'loading', 'switching'] as const;
export type WorkPhase = (typeof SNAPSHOT_PHASES)[number] | (typeof RESTORE_PHASES)[number];

/** How far the attempt under way is, or how far the last one came. */
export interface Progress {
  /** Null once it has ended, and when this version does not know what the agent says. */
  readonly phase: WorkPhase | null;
  readonly counts: SnapshotCounts | null;
}

/** @returns the reset column if `state` has a new lease, because an attempt begins at nothing */
export function resetProgress(before: { epoch: number }, state: { epoch: number }): { progress?: null } {
  return state.epoch === before.epoch ? {} : { progress: null };
}

/** Pure. @param known the progress before */
export function progressAfter(
  known: Progress | null,
  report: SnapshotProgress | { readonly type: 'started' },
  phases: readonly WorkPhase[],
): Progress {
  if (report.type === 'started') return { phase: 'preflight', counts: null };
  const phase = phases.find((name) => name === report.phase) ?? null;
  return { phase, counts: report.counts ?? known?.counts ?? null };
}

/** The end of work that came through: everything is done. */
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
