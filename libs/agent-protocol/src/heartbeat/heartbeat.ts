import { fromBinary } from '@bufbuild/protobuf';
import { MAX_AGENT_SLOTS } from '@understudy/sync-job';

import { HeartbeatReplySchema, HeartbeatSchema } from '../schema/index.js';
import {
  bytesOf,
  defined,
  encodeMessage,
  hexWords,
  ID,
  isPositiveInteger,
  twoWords,
  type EncodedMessage,
} from '../wire-values.js';
import type { Lease, ReportedLease } from './lease.js';
import { offerOf, wireOffer, type AgentOffer } from './offer.js';

/** The state that an agent reports every 2 s. */
export interface AgentHeartbeat {
  /** `major.minor.patch` */
  readonly version: string;
  readonly leases: readonly ReportedLease[];
  readonly freeSlots: number;
  /** Fingerprint of the agent's snapshot store (32 lower-case hex digits); absent if the agent has no store. */
  readonly snapshotStore?: string;
  /** Absent if the agent accepts no new work. */
  readonly offer?: AgentOffer;
}

/** The reply to a heartbeat: changes to the leases that it lists. */
export interface LeaseUpdates {
  /** Leases that the agent no longer holds. */
  readonly lostLeases: readonly Lease[];
  /** Leases that the agent still holds, and whose work it must end as cancelled. */
  readonly cancelledLeases: readonly Lease[];
  /** True if the agent is revoked. It then stops all work, and the lists have no effect. */
  readonly revoked: boolean;
}

export function encodeHeartbeat({ version, snapshotStore, offer, ...beat }: AgentHeartbeat): EncodedMessage {
  const [major = 0, minor = 0, patch = 0] = version.split('.').map(Number);
  return encodeMessage(HeartbeatSchema, {
    version: { major, minor, patch },
    leases: [...beat.leases],
    freeSlots: beat.freeSlots,
    ...defined({
      snapshotStore: snapshotStore === undefined ? undefined : twoWords(snapshotStore),
      offer: offer && wireOffer(offer),
    }),
  });
}

/**
 * Decodes a heartbeat. Drops leases with an invalid id or epoch.
 * @throws if the bytes do not encode a heartbeat
 */
export function decodeHeartbeat(bytes: Uint8Array): AgentHeartbeat {
  const { version, leases, freeSlots, snapshotStore, offer } = fromBinary(HeartbeatSchema, bytes);
  return {
    version: `${version?.major ?? 0}.${version?.minor ?? 0}.${version?.patch ?? 0}`,
    leases: leases
      .filter(({ jobId, epoch }) => ID.test(jobId) && isPositiveInteger(epoch))
      .slice(0, MAX_LEASES)
      .map(({ jobId, epoch, snapshotAgeSeconds: age }) => ({
        ...{ jobId, epoch },
        ...(age === undefined ? {} : { snapshotAgeSeconds: Math.min(age, MAX_SNAPSHOT_AGE_SECONDS) }),
      })),
    freeSlots: Math.min(freeSlots, MAX_AGENT_SLOTS),
    ...defined({ snapshotStore: snapshotStore && hexWords(snapshotStore), offer: offerOf(offer) }),
  };
}

export function encodeHeartbeatReply({ lostLeases, cancelledLeases, revoked }: LeaseUpdates): Uint8Array {
  return bytesOf(HeartbeatReplySchema, {
    lostLeases: lostLeases.map(lease),
    cancelledLeases: cancelledLeases.map(lease),
    revoked,
  });
}

/** @throws if the bytes are not a heartbeat reply */
export function decodeHeartbeatReply(bytes: Uint8Array): LeaseUpdates {
  const { lostLeases, cancelledLeases, revoked } = fromBinary(HeartbeatReplySchema, bytes);
  return { lostLeases: lostLeases.map(lease), cancelledLeases: cancelledLeases.map(lease), revoked };
}

function lease({ jobId, epoch }: Lease): Lease {
  return { jobId, epoch };
}

// The number of leases in one heartbeat that the control plane processes. It ignores the rest.
const MAX_LEASES = 1_000;
const MAX_SNAPSHOT_AGE_SECONDS = 366 * 86_400;
