import type { MessageInitShape } from '@bufbuild/protobuf';
import { timestampFromDate } from '@bufbuild/protobuf/wkt';

import type { Lease } from '../heartbeat/lease.js';
import { EventSchema, type RestoreEvent, type SnapshotEvent, type SyncJobEvent } from '../schema/index.js';
import { encodeMessage, ID, isPositiveInteger, type EncodedMessage } from '../wire-values.js';

/** An event of work under a lease, before it is encoded. */
export interface NumberedEvent<Body> {
  readonly lease: Lease;
  /** Counts 1, 2, 3 … within the lease. */
  readonly seq: number;
  readonly occurredAt: Date;
  readonly body: Body;
}

export function encodeEvent(
  journalSeq: number,
  occurredAt: Date,
  event: NonNullable<MessageInitShape<typeof EventSchema>['event']>,
): EncodedMessage {
  return encodeMessage(EventSchema, {
    journalSeq: BigInt(journalSeq),
    occurredAt: timestampFromDate(occurredAt),
    event,
  });
}

/** Returns whether an event ends the work. @param kind the type of a report, or the case of an encoded event */
export function endsWork(kind: string | undefined): boolean {
  return ENDS[kind ?? ''] === true;
}

type Kind = NonNullable<(SyncJobEvent | SnapshotEvent | RestoreEvent)['event']['case']>;
const ENDS: Readonly<Record<string, boolean>> = {
  ...{ started: false, progress: false, modelTrained: false },
  ...{ completed: true, predicted: true, ready: true, failed: true },
} satisfies Record<Kind, boolean>;

/** Checks the numbers of an event of leased work. */
export function isNumbered(
  id: string,
  { epoch, seq }: { readonly epoch: number; readonly seq: number },
): boolean {
  return ID.test(id) && isPositiveInteger(epoch) && isPositiveInteger(seq);
}
