import { create, fromBinary, toBinary, toJson } from '@bufbuild/protobuf';
import { AgentFingerprintSchema, HeartbeatReplySchema, HeartbeatSchema } from '@understudy/contract';

import { AGENT_VERSION } from '../config/agent-version.js';
import type { AgentOffer, Fingerprint } from './agent-offer.js';
import { wireStoreId, type SnapshotStoreId } from './encode-snapshot-event.js';
import type { Lease, LeaseNews } from './leases.js';

/** The bytes of a heartbeat, and the same as protobuf's JSON for the journal. */
export function encodeHeartbeat(
  leases: readonly Lease[],
  freeSlots: number,
  snapshotStore: SnapshotStoreId,
  offer: AgentOffer,
): { bytes: Uint8Array; message: unknown } {
  const beat = create(HeartbeatSchema, {
    version: AGENT_VERSION,
    leases: leases.map(({ jobId, epoch }) => ({ jobId, epoch })),
    freeSlots,
    snapshotStore: wireStoreId(snapshotStore),
    offer: wireOffer(offer),
  });
  return { bytes: toBinary(HeartbeatSchema, beat), message: toJson(HeartbeatSchema, beat) };
}

function wireOffer({ databases, labels, maskingKey, urls }: AgentOffer) {
  return {
    databases: databases.map(({ name, policy }) => ({ name, policy: wireFingerprint(policy) })),
    labels: [...labels],
    maskingKey: wireFingerprint(maskingKey),
    ...(urls === undefined ? {} : { urls: wireFingerprint(urls) }),
  };
}

function wireFingerprint(bytes: Fingerprint) {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  return create(AgentFingerprintSchema, { word0: view.getBigUint64(0), word1: view.getBigUint64(8) });
}

/** What has become of leases. @throws when the bytes are no reply */
export function decodeHeartbeatReply(bytes: Uint8Array): LeaseNews {
  const { lostLeases, cancelledLeases } = fromBinary(HeartbeatReplySchema, bytes);
  return { lost: lostLeases.map(toLease), cancelled: cancelledLeases.map(toLease) };
}

function toLease({ jobId, epoch }: Lease): Lease {
  return { jobId, epoch };
}
