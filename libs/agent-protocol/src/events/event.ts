import { fromBinary } from '@bufbuild/protobuf';
import { timestampDate } from '@bufbuild/protobuf/wkt';

import { EventAcknowledgementSchema, EventSchema, type Event } from '../schema/index.js';
import { bytesOf, ID } from '../wire-values.js';
import { restoreEvent, snapshotEvent, type RestoreEvent, type SnapshotEvent } from './snapshot-event.js';
import { syncJobEvent, type SyncJobEvent } from './sync-job-event.js';
import {
  deletionRefusal,
  type DeletionRefusal,
  dropResult,
  type DropResult,
  revertResult,
  type RevertResult,
} from './task-result.js';

/**
 * Why an event could not be decoded:
 * - `not_an_event`: the bytes do not encode an event.
 * - `malformed`: a required field is missing or out of range.
 * - `unknown_event`: a newer agent sent a kind of event that this control plane does not know.
 */
export type Unreadable = 'not_an_event' | 'malformed' | 'unknown_event';

export type DecodedEvent =
  | { readonly journalSeq: bigint; readonly message: AgentMessage }
  | {
      /** 0 if the event has no valid journal number. Such an event cannot be acknowledged. */
      readonly journalSeq: bigint;
      readonly message: undefined;
      readonly reason: Unreadable;
    };

/** The pattern of the handler that processes an event, and the data that the handler receives. */
export type AgentMessage =
  | { readonly pattern: 'sync_job'; readonly data: SyncJobEvent }
  | { readonly pattern: 'snapshot'; readonly data: SnapshotEvent }
  | { readonly pattern: 'restore'; readonly data: RestoreEvent }
  /** `data` is the id of a completed erasure. */
  | { readonly pattern: 'private_model_erased'; readonly data: string }
  /** `data` is the id of the job whose target was cleaned up. */
  | { readonly pattern: 'sync_target_cleared'; readonly data: string }
  | { readonly pattern: 'kept_database_dropped'; readonly data: DropResult }
  | { readonly pattern: 'replacement_reverted'; readonly data: RevertResult }
  /** `data` is the id of a completed deletion. */
  | { readonly pattern: 'snapshot_deleted'; readonly data: string }
  | { readonly pattern: 'snapshot_deletion_refused'; readonly data: DeletionRefusal };

/**
 * Decodes an event. Never throws, because an agent may be newer, broken or hostile. Unknown failure codes become
 * `internal`.
 */
export function decodeEvent(bytes: Uint8Array): DecodedEvent {
  let wire: Event;
  try {
    wire = fromBinary(EventSchema, bytes);
  } catch {
    return { journalSeq: 0n, message: undefined, reason: 'not_an_event' };
  }
  if (wire.journalSeq < 1n || wire.journalSeq > MAX_JOURNAL_SEQ)
    return { journalSeq: 0n, message: undefined, reason: 'malformed' };
  const message = messageOf(wire);
  if (typeof message === 'object') return { journalSeq: wire.journalSeq, message };
  return { journalSeq: wire.journalSeq, message: undefined, reason: message };
}

function messageOf(wire: Event): AgentMessage | Unreadable {
  const { occurredAt, event } = wire;
  const occurred = occurredAt === undefined ? undefined : timestampDate(occurredAt);
  switch (event.case) {
    case 'privateModelErased':
      return ofTask('private_model_erased', event.value.erasureId);
    case 'syncTargetCleared':
      return ofTask('sync_target_cleared', event.value.jobId);
    case 'keptDatabaseDropped': {
      const data = dropResult(event.value);
      return data ? { pattern: 'kept_database_dropped', data } : 'malformed';
    }
    case 'replacementReverted': {
      const data = revertResult(event.value);
      return data ? { pattern: 'replacement_reverted', data } : 'malformed';
    }
    case 'snapshotDeleted':
      return ofTask('snapshot_deleted', event.value.deletionId);
    case 'snapshotDeletionRefused': {
      const data = deletionRefusal(event.value);
      return data ? { pattern: 'snapshot_deletion_refused', data } : 'malformed';
    }
    case 'syncJob': {
      const data = occurred && syncJobEvent(event.value, occurred);
      return data ? { pattern: 'sync_job', data } : unreadable(event.value);
    }
    case 'snapshot': {
      const data = occurred && snapshotEvent(event.value, occurred);
      return data ? { pattern: 'snapshot', data } : unreadable(event.value);
    }
    case 'restore': {
      const data = occurred && restoreEvent(event.value, occurred);
      return data ? { pattern: 'restore', data } : unreadable(event.value);
    }
    case undefined:
      return unreadable(wire);
  }
}

function ofTask<Pattern extends string>(pattern: Pattern, data: string) {
  return ID.test(data) ? { pattern, data } : 'malformed';
}

/**
 * Returns why an event has no usable content. A newer agent sent the event if its `oneof event` is empty and
 * the message has fields that are not in this schema.
 */
function unreadable({
  event,
  $unknown,
}: Pick<Event, '$unknown'> & { event: { case?: unknown } }): Unreadable {
  return event.case === undefined && ($unknown?.length ?? 0) > 0 ? 'unknown_event' : 'malformed';
}

/** Confirms that the control plane has committed an event. */
export function encodeAcknowledgement(journalSeq: bigint): Uint8Array {
  return bytesOf(EventAcknowledgementSchema, { journalSeqs: [journalSeq] });
}

/** @throws if the bytes are not an acknowledgement */
export function decodeAcknowledgement(bytes: Uint8Array): readonly number[] {
  return fromBinary(EventAcknowledgementSchema, bytes).journalSeqs.map(Number);
}

/** The largest journal number. Agents use JavaScript numbers, which are exact only up to this value. */
const MAX_JOURNAL_SEQ = BigInt(Number.MAX_SAFE_INTEGER);
