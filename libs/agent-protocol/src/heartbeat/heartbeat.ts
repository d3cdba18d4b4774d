import { fromBinary } from '@bufbuild/protobuf';
import { AGENT_LABEL, MAX_AGENT_LABELS, MAX_AGENT_SLOTS, MAX_OFFERED_DATABASES } from '@understudy/sync-job';

import { type AgentCapability, capabilitiesOf, numbersOf } from '../capabilities.js';
import {
  enumName,
  enumValue,
  HeartbeatReplySchema,
  HeartbeatSchema,
  SnapshotStoreKind,
  type AgentFingerprint,
  type AgentOffer as WireOffer,
  type EnumName,
} from '../schema/index.js';
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
import { policySummary, wirePolicySummary, type PolicySummary } from './policy-summary.js';

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

/** The work that an agent can accept. Fingerprints are 32 lower-case hex digits. */
export interface AgentOffer {
  readonly labels: readonly string[];
  readonly maskingKey: string;
  /**
   * Fingerprint of the policy for each database that the agent can open. The key is `agent:<name>`, or `url` for
   * all databases that are named by URL.
   */
  readonly policies: Readonly<Record<string, string>>;
  /** The number of jobs that the agent runs concurrently. Older agents do not report it. */
  readonly slots?: number;
  /** Older agents do not report it. */
  readonly snapshotStoreKind?: EnumName<typeof SnapshotStoreKind>;
  /** Older agents do not report it. */
  readonly policy?: PolicySummary;
  /** The options of sync jobs that the agent applies. Older agents do not report it. */
  readonly capabilities?: readonly AgentCapability[];
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

/** The key in {@link AgentOffer.policies} for databases that are named by URL. */
export const BY_URL = 'url';

/** The key in {@link AgentOffer.policies} for a database that is named in the agent's policy. */
export function byName(name: string): string {
  return `${NAMED}${name}`;
}

/** Returns the database name in a key of {@link AgentOffer.policies}. @returns undefined for the key {@link BY_URL} */
export function nameOf(key: string): string | undefined {
  return key.startsWith(NAMED) ? key.slice(NAMED.length) : undefined;
}

const NAMED = 'agent:';

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

function wireOffer(offer: AgentOffer) {
  const { labels, maskingKey, policies, slots, snapshotStoreKind, policy, capabilities = [] } = offer;
  const { [BY_URL]: urls, ...named } = policies;
  return {
    labels: [...labels],
    maskingKey: twoWords(maskingKey),
    databases: Object.entries(named).map(([key, hash]) => ({
      name: nameOf(key) ?? key,
      policy: twoWords(hash),
    })),
    snapshotStoreKind: enumValue(SnapshotStoreKind, snapshotStoreKind),
    capabilities: [...numbersOf(capabilities)],
    ...defined({
      urls: urls === undefined ? undefined : twoWords(urls),
      slots,
      policy: policy && wirePolicySummary(policy),
    }),
  };
}

/**
 * Decodes an offer. Drops invalid database names and labels.
 * @returns undefined if the fingerprint of the masking key is missing
 */
function offerOf(wire: WireOffer | undefined): AgentOffer | undefined {
  if (wire?.maskingKey === undefined) return undefined;
  const { databases, labels, maskingKey, urls, slots, policy } = wire;
  const capabilities = capabilitiesOf(wire.capabilities);
  const named = databases
    .slice(0, MAX_OFFERED_DATABASES)
    .flatMap(({ name, policy: hash }) => (DATABASE_NAME.test(name) ? entry(byName(name), hash) : []));
  return {
    labels: labels.filter((label) => AGENT_LABEL.test(label)).slice(0, MAX_AGENT_LABELS),
    maskingKey: hexWords(maskingKey),
    policies: Object.fromEntries([...named, ...entry(BY_URL, urls)]),
    ...defined({
      slots: slots === 0 ? undefined : Math.min(slots, MAX_AGENT_SLOTS),
      snapshotStoreKind: enumName(SnapshotStoreKind, wire.snapshotStoreKind),
      policy: policy && policySummary(policy),
      capabilities: capabilities.length === 0 ? undefined : capabilities,
    }),
  };
}

function entry(key: string, policy: AgentFingerprint | undefined): [string, string][] {
  return policy === undefined ? [] : [[key, hexWords(policy)]];
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
const DATABASE_NAME = /^[A-Za-z0-9_-]{1,63}$/;
