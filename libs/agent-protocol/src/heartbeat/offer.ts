import { AGENT_LABEL, MAX_AGENT_LABELS, MAX_AGENT_SLOTS, MAX_OFFERED_DATABASES } from '@understudy/sync-job';

import { type AgentCapability, capabilitiesOf, numbersOf } from '../capabilities.js';
import {
  enumName,
  enumValue,
  SnapshotStoreKind,
  type EnumName,
  type AgentFingerprint,
  type AgentOffer as WireOffer,
} from '../schema/index.js';
import { defined, hexWords, twoWords } from '../wire-values.js';
import { policySummary, wirePolicySummary, type PolicySummary } from './policy-summary.js';

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

/** The fingerprints under which an agent got work: of the policy for one database, and of the masking key. */
export interface ExpectedOffer {
  readonly policy: string;
  readonly maskingKey: string;
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

export function wireOffer(offer: AgentOffer) {
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
export function offerOf(wire: WireOffer | undefined): AgentOffer | undefined {
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

const DATABASE_NAME = /^[A-Za-z0-9_-]{1,63}$/;
