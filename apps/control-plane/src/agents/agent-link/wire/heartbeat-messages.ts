import { create, fromBinary, toBinary } from '@bufbuild/protobuf';
import {
  AgentCapability,
  enumName,
  EventAcknowledgementSchema,
  HeartbeatReplySchema,
  HeartbeatSchema,
  SnapshotStoreKind,
  type AgentFingerprint,
  type AgentOffer as WireOffer,
} from '@understudy/contract';
import { AGENT_LABEL, MAX_AGENT_LABELS, MAX_AGENT_SLOTS, MAX_OFFERED_DATABASES } from '@understudy/sync-job';

import {
  BY_URL,
  byName,
  type AgentHeartbeat,
  type AgentOffer,
  type LeaseUpdates,
  type LeaseRef,
} from '../messages/agent-heartbeat.js';
import { decodePolicySummary } from './policy-summary.js';
import { hexWords, ID, isPositiveInteger } from './wire-values.js';

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
    ...(snapshotStore === undefined ? {} : { snapshotStore: hexWords(snapshotStore) }),
    ...offerOf(offer),
  };
}

/**
 * Decodes an offer. Drops invalid database names and labels. Drops the whole offer if the fingerprint of the
 * masking key is missing.
 */
function offerOf(wire: WireOffer | undefined): { offer?: AgentOffer } {
  if (wire?.maskingKey === undefined) return {};
  const { databases, labels, maskingKey, urls, slots, policy } = wire;
  const capabilities = wire.capabilities.flatMap((value) => enumName(AgentCapability, value) ?? []);
  const snapshotStoreKind = enumName(SnapshotStoreKind, wire.snapshotStoreKind);
  const named = databases
    .slice(0, MAX_OFFERED_DATABASES)
    .flatMap(({ name, policy }) => (DATABASE_NAME.test(name) ? entry(byName(name), policy) : []));
  return {
    offer: {
      labels: labels.filter((label) => AGENT_LABEL.test(label)).slice(0, MAX_AGENT_LABELS),
      maskingKey: hexWords(maskingKey),
      policies: Object.fromEntries([...named, ...entry(BY_URL, urls)]),
      ...(slots === 0 ? {} : { slots: Math.min(slots, MAX_AGENT_SLOTS) }),
      ...(snapshotStoreKind === undefined ? {} : { snapshotStoreKind }),
      ...(policy === undefined ? {} : { policy: decodePolicySummary(policy) }),
      ...(capabilities.length === 0 ? {} : { capabilities: [...new Set(capabilities)] }),
    },
  };
}

function entry(key: string, policy: AgentFingerprint | undefined): [string, string][] {
  return policy === undefined ? [] : [[key, hexWords(policy)]];
}

export function encodeHeartbeatReply({ lostLeases, cancelledLeases, revoked }: LeaseUpdates): Uint8Array {
  const refs = (leases: readonly LeaseRef[]) => leases.map(({ jobId, epoch }) => ({ jobId, epoch }));
  return toBinary(
    HeartbeatReplySchema,
    create(HeartbeatReplySchema, {
      lostLeases: refs(lostLeases),
      cancelledLeases: refs(cancelledLeases),
      revoked,
    }),
  );
}

export function encodeAcknowledgement(journalSeq: bigint): Uint8Array {
  return toBinary(
    EventAcknowledgementSchema,
    create(EventAcknowledgementSchema, { journalSeqs: [journalSeq] }),
  );
}

// The number of leases in one heartbeat that the control plane processes. It ignores the rest.
const MAX_LEASES = 1_000;
const MAX_SNAPSHOT_AGE_SECONDS = 366 * 86_400;
const DATABASE_NAME = /^[A-Za-z0-9_-]{1,63}$/;
