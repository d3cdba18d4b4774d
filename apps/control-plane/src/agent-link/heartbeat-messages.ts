import { create, fromBinary, toBinary } from '@bufbuild/protobuf';
import { EventAcknowledgementSchema, HeartbeatReplySchema, HeartbeatSchema } from '@understudy/contract';

import type { AgentHeartbeat, LeaseNews, LeaseRef } from './agent-heartbeat.js';
import { hexWords } from './hex-words.js';
import { ID, isPositiveInteger } from './wire-values.js';

/** @throws if the bytes are no heartbeat */
export function decodeHeartbeat(bytes: Uint8Array): AgentHeartbeat {
  const { version, leases, freeSlots, snapshotStore } = fromBinary(HeartbeatSchema, bytes);
  return {
    version: `${version?.major ?? 0}.${version?.minor ?? 0}.${version?.patch ?? 0}`,
    leases: leases
      .filter(({ jobId, epoch }) => ID.test(jobId) && isPositiveInteger(epoch))
      .slice(0, MAX_LEASES)
      .map(({ jobId, epoch }) => ({ jobId, epoch })),
    freeSlots: Math.min(freeSlots, MAX_SLOTS),
    ...(snapshotStore === undefined ? {} : { snapshotStore: hexWords(snapshotStore) }),
  };
}

export function encodeHeartbeatReply({ lostLeases, cancelledLeases }: LeaseNews): Uint8Array {
  const refs = (leases: readonly LeaseRef[]) => leases.map(({ jobId, epoch }) => ({ jobId, epoch }));
  return toBinary(
    HeartbeatReplySchema,
    create(HeartbeatReplySchema, {
      lostLeases: refs(lostLeases),
      cancelledLeases: refs(cancelledLeases),
    }),
  );
}

export function encodeAcknowledgement(journalSeq: bigint): Uint8Array {
  return toBinary(
    EventAcknowledgementSchema,
    create(EventAcknowledgementSchema, { journalSeqs: [journalSeq] }),
  );
}

// What one agent may make the control plane do in one go.
const MAX_LEASES = 1_000;
const MAX_SLOTS = 1_000;
