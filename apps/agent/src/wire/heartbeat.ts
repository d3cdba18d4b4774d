import { create, fromBinary, toBinary, toJson } from '@bufbuild/protobuf';
import {
  AgentFingerprintSchema,
  HeartbeatReplySchema,
  HeartbeatSchema,
  SnapshotStoreIdSchema,
} from '@understudy/contract';
import type { AgentOffer, Fingerprint } from '../policy/agent-offer.js';

/** The right to work on one attempt of a job, snapshot or restore. */
export interface Lease {
  readonly jobId: string;
  readonly epoch: number;
}

/** The leases that a heartbeat reply reports as changed. */
export interface LeaseUpdates {
  readonly lost: readonly Lease[];
  /** Held still, and to be ended as cancelled. */
  readonly cancelled: readonly Lease[];
}

/** 16 bytes that name a snapshot store to the control plane and reveal nothing about it. */
export type SnapshotStoreId = Uint8Array;

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

/** @param id 16 bytes */
export function wireStoreId(id: SnapshotStoreId) {
  const view = new DataView(id.buffer, id.byteOffset, id.byteLength);
  return create(SnapshotStoreIdSchema, { word0: view.getBigUint64(0), word1: view.getBigUint64(8) });
}

/** Returns the changes of leases. @throws if the bytes are not a heartbeat reply */
export function decodeHeartbeatReply(bytes: Uint8Array): LeaseUpdates {
  const { lostLeases, cancelledLeases } = fromBinary(HeartbeatReplySchema, bytes);
  return { lost: lostLeases.map(toLease), cancelled: cancelledLeases.map(toLease) };
}

function toLease({ jobId, epoch }: Lease): Lease {
  return { jobId, epoch };
}

/** Equals the version in package.json; a test compares them. */
export const AGENT_VERSION = { major: 0, minor: 1, patch: 0 } as const;
