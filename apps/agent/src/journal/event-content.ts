import { endsWork } from '@understudy/agent-protocol';
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
    case 'keptDatabaseDropped':
      return { about: event.value.changeId };
    case 'replacementReverted':
      return { about: event.value.revertId };
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
): EventContent {
  return { about: jobId, work: { kind, jobId, epoch, lastSeq: seq, ended: endsWork(event.case) } };
}
