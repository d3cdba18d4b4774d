import type { Event, RestoreEvent, SnapshotEvent, SyncJobEvent } from '@understudy/agent-protocol/schema';

import type { JournaledJob, WorkKind } from './journal-entry.js';

export interface EventContent {
  /** The id of the job, snapshot, restore, erasure or deletion that the event belongs to. */
  readonly about: string;
  /** The state of the leased work after this event. Absent for results of commands that need no lease. */
  readonly work?: JournaledJob;
}

/**
 * Returns the id and the work state of an event. If the `switch` statement has no case for a kind of event,
 * the function does not compile.
 */
export function contentOf({ journalSeq, event }: Event): EventContent {
  switch (event.case) {
    case 'syncJob':
      return leased('sync_job', event.value.jobId, event.value);
    case 'snapshot':
      return leased('snapshot', event.value.snapshotId, event.value);
    case 'restore':
      return leased('restore', event.value.restoreId, event.value);
    case 'privateModelErased':
      return { about: event.value.erasureId };
    case 'syncTargetCleared':
      return { about: event.value.jobId };
    case 'snapshotDeleted':
    case 'snapshotDeletionRefused':
      return { about: event.value.deletionId };
    case undefined:
      return { about: `event_${journalSeq}` }; // a newer version of the agent wrote it
    default:
      return event satisfies never;
  }
}

type WorkEvent = SyncJobEvent | SnapshotEvent | RestoreEvent;

function leased(kind: WorkKind, jobId: string, { epoch, seq, event }: WorkEvent): EventContent {
  const ended = event.case !== undefined && IS_LAST[event.case];
  return { about: jobId, work: { kind, jobId, epoch, lastSeq: seq, ended } };
}

/** Whether an event of this kind ends the sync job, snapshot or restore. */
const IS_LAST: Readonly<Record<NonNullable<WorkEvent['event']['case']>, boolean>> = {
  started: false,
  progress: false,
  modelTrained: false,
  completed: true,
  predicted: true,
  ready: true,
  failed: true,
};
