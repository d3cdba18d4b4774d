import type { MessageInitShape } from '@bufbuild/protobuf';
import { timestampFromDate } from '@bufbuild/protobuf/wkt';

import type { Lease } from '../heartbeat/lease.js';
import { EventSchema } from '../schema/index.js';
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

/** Whether an event of each kind ends the work. */
export type Ends<Event extends { readonly event: { readonly case?: string | undefined } }> = Readonly<
  Record<NonNullable<Event['event']['case']>, boolean>
>;

/** Checks the numbers of an event of leased work. */
export function isNumbered(
  id: string,
  { epoch, seq }: { readonly epoch: number; readonly seq: number },
): boolean {
  return ID.test(id) && isPositiveInteger(epoch) && isPositiveInteger(seq);
}
