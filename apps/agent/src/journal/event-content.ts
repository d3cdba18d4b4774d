import { ENDS_RESTORE, ENDS_SNAPSHOT, ENDS_SYNC_JOB } from '@understudy/agent-protocol';
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
      return leased('sync_job', event.value.jobId, event.value, ENDS_SYNC_JOB);
    case 'snapshot':
      return leased('snapshot', event.value.snapshotId, event.value, ENDS_SNAPSHOT);
    case 'restore':
      return leased('restore', event.value.restoreId, event.value, ENDS_RESTORE);
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

function leased(
  kind: WorkKind,
  jobId: string,
  { epoch, seq, event }: SyncJobEvent | SnapshotEvent | RestoreEvent,
  ends: Readonly<Record<string, boolean>>,
): EventContent {
  const ended = event.case !== undefined && ends[event.case] === true;
  return { about: jobId, work: { kind, jobId, epoch, lastSeq: seq, ended } };
}
