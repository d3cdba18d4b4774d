import { create, fromBinary, toBinary, toJson } from '@bufbuild/protobuf';
import { HeartbeatReplySchema, HeartbeatSchema } from '@understudy/contract';

import { AGENT_VERSION } from '../config/agent-version.js';
import { wireStoreId, type SnapshotStoreId } from './encode-snapshot-event.js';
import type { Lease, LeaseNews } from './leases.js';

/** The bytes of a heartbeat, and the same as protobuf's JSON for the journal. */
export function encodeHeartbeat(
  leases: readonly Lease[],
  freeSlots: number,
  snapshotStore: SnapshotStoreId,
): { bytes: Uint8Array; message: unknown } {
  const beat = create(HeartbeatSchema, {
    version: AGENT_VERSION,
    leases: leases.map(({ jobId, epoch }) => ({ jobId, epoch })),
    freeSlots,
    snapshotStore: wireStoreId(snapshotStore),
  });
  return { bytes: toBinary(HeartbeatSchema, beat), message: toJson(HeartbeatSchema, beat) };
}

/** What has become of leases. @throws when the bytes are no reply */
export function decodeHeartbeatReply(bytes: Uint8Array): LeaseNews {
  const { lostLeases, cancelledLeases } = fromBinary(HeartbeatReplySchema, bytes);
  return { lost: lostLeases.map(toLease), cancelled: cancelledLeases.map(toLease) };
}

function toLease({ jobId, epoch }: Lease): Lease {
  return { jobId, epoch };
}
