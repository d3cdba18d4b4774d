import { create, fromBinary, toBinary, toJson } from '@bufbuild/protobuf';
import {
  AgentCapability,
  enumValue,
  HeartbeatReplySchema,
  HeartbeatSchema,
  SnapshotStoreKind,
  SslMode as WireSslMode,
} from '@understudy/contract';
import type { SslMode } from '@understudy/postgres';

import type { AgentOffer } from '../policy/agent-offer.js';
import type { Lease, LeaseUpdates } from './lease.js';
import { twoWords, type EncodedMessage } from './wire-values.js';

/**
 * The id by which the control plane identifies a snapshot store: 16 bytes that reveal nothing about the
 * store.
 */
export type SnapshotStoreId = Uint8Array;

/** A lease that the agent holds, and the time for which its job has held a snapshot of the source. */
export interface ReportedLease extends Lease {
  readonly snapshotAgeMs: number | undefined;
}

export function encodeHeartbeat(
  leases: readonly ReportedLease[],
  freeSlots: number,
  snapshotStore: SnapshotStoreId,
  offer: AgentOffer,
): EncodedMessage {
  const beat = create(HeartbeatSchema, {
    version: AGENT_VERSION,
    leases: leases.map(({ jobId, epoch, snapshotAgeMs }) => ({
      ...{ jobId, epoch },
      ...(snapshotAgeMs === undefined ? {} : { snapshotAgeSeconds: Math.floor(snapshotAgeMs / 1000) }),
    })),
    freeSlots,
    snapshotStore: twoWords(snapshotStore),
    offer: wireOffer(offer),
  });
  return { bytes: toBinary(HeartbeatSchema, beat), message: toJson(HeartbeatSchema, beat) };
}

function wireOffer({ databases, labels, maskingKey, urls, slots, ...offer }: AgentOffer) {
  return {
    databases: databases.map(({ name, policy }) => ({ name, policy: twoWords(policy) })),
    labels: [...labels],
    maskingKey: twoWords(maskingKey),
    ...(urls === undefined ? {} : { urls: twoWords(urls) }),
    slots,
    snapshotStoreKind: enumValue(SnapshotStoreKind, offer.snapshotStoreKind),
    policy: { ...offer.policy, minSslmode: SSL_MODES[offer.policy.minSslmode] },
    capabilities: offer.capabilities.map((capability) => enumValue(AgentCapability, capability)),
  };
}

/**
 * Decodes a heartbeat reply.
 * @throws if the bytes are not a heartbeat reply
 */
export function decodeHeartbeatReply(bytes: Uint8Array): LeaseUpdates {
  const { lostLeases, cancelledLeases, revoked } = fromBinary(HeartbeatReplySchema, bytes);
  return { lost: lostLeases.map(toLease), cancelled: cancelledLeases.map(toLease), revoked };
}

function toLease({ jobId, epoch }: Lease): Lease {
  return { jobId, epoch };
}

const SSL_MODES: Readonly<Record<SslMode, WireSslMode>> = {
  require: WireSslMode.REQUIRE,
  'verify-ca': WireSslMode.VERIFY_CA,
  'verify-full': WireSslMode.VERIFY_FULL,
};

/** Must equal the version in package.json; a test compares them. */
export const AGENT_VERSION = { major: 0, minor: 1, patch: 0 } as const;
