import { createHmac, hkdfSync } from 'node:crypto';

import {
  AGENT_CAPABILITIES,
  type AgentOffer as OfferMessage,
  BY_URL,
  byName,
  type ExpectedOffer,
  type PolicySummary,
} from '@understudy/agent-protocol';
import { MAX_OFFERED_DATABASES } from '@understudy/sync-job';

import { type AgentConfiguration, ConfigurationError } from '../config/agent-configuration.js';
import type { AgentIdentity } from '../identity/agent-identity.js';
import type { Policy } from './policy.js';

/**
 * The database names, labels and fingerprints by which the control plane chooses an agent, and the limits that
 * it shows. They do not change at run time. Only a person who has the masking key can test guesses about the
 * policy against the fingerprints.
 */
export class AgentOffer implements OfferMessage {
  readonly policies: Readonly<Record<string, string>>;
  readonly maskingKey: string;
  readonly labels: readonly string[];
  readonly slots: number;
  readonly snapshotStoreKind: 'folder' | 'bucket';
  readonly policy: PolicySummary;
  readonly capabilities = AGENT_CAPABILITIES;

  /** @throws ConfigurationError if the policy has more databases than one heartbeat may name */
  constructor(
    { sections, summary }: Pick<Policy, 'sections' | 'summary'>,
    { maskingKey, organizationId }: Pick<AgentIdentity, 'maskingKey' | 'organizationId'>,
    { labels, maxJobs, snapshots }: Pick<AgentConfiguration, 'labels' | 'maxJobs' | 'snapshots'>,
  ) {
    if (sections.databases.size > MAX_OFFERED_DATABASES) {
      throw new ConfigurationError('The policy file is not valid', [
        `databases: expected at most ${MAX_OFFERED_DATABASES}, got ${sections.databases.size}; move the rest to another agent`,
      ]);
    }
    const key = new Uint8Array(hkdfSync('sha256', maskingKey, organizationId, KEY_PURPOSE, 32));
    this.maskingKey = fingerprint(key, 'masking key', '');
    const { databases, urls } = sections;
    const named = [...databases].map(
      ([name, section]) => [byName(name), fingerprint(key, 'database', section)] as const,
    );
    this.policies = {
      ...Object.fromEntries(named),
      ...(urls !== undefined && { [BY_URL]: fingerprint(key, 'urls', urls) }),
    };
    this.labels = labels;
    this.slots = maxJobs;
    this.snapshotStoreKind = snapshots.bucket === undefined ? 'folder' : 'bucket';
    this.policy = summary;
  }

  /**
   * Checks that this agent offers what a command requires.
   * @param name the database; undefined for a URL
   */
  isAsExpected(name: string | undefined, { policy, maskingKey }: ExpectedOffer): boolean {
    return (
      policy === this.policies[name === undefined ? BY_URL : byName(name)] && maskingKey === this.maskingKey
    );
  }
}

/** Returns 32 hex digits. */
function fingerprint(key: Uint8Array, purpose: string, text: string): string {
  const hash = createHmac('sha256', key).update(`${purpose}\n${text}`).digest();
  return hash.toString('hex', 0, FINGERPRINT_BYTES);
}

const KEY_PURPOSE = 'understudy agent fingerprints v1';
const FINGERPRINT_BYTES = 16;
