import type { SentRestoreReport, SentSnapshotReport, SnapshotResult } from '@understudy/agent-protocol';

/** An event of an attempt to create a snapshot. The last one is `ready` or `failed`. */
export type SnapshotEvent =
  | Exclude<SentSnapshotReport, { readonly type: 'started' | 'ready' }>
  | { readonly type: 'ready'; readonly made: SnapshotResult & { readonly durationMs: number } };

/** An event of an attempt at a restore. The last one is `completed` or `failed`. */
export type RestoreEvent = Exclude<SentRestoreReport, { readonly type: 'started' }>;

interface Reporter<Event> {
  /**
   * Resolves when the event is in the journal. Called for the first progress of each phase, then at most once a second.
   */
  report(event: Event): Promise<void>;
}

/** Reports an attempt to create a snapshot. */
export type SnapshotReporter = Reporter<SnapshotEvent>;
/** Reports an attempt at a restore. */
export type RestoreReporter = Reporter<RestoreEvent>;
