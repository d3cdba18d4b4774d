import { createHmac, hkdfSync } from 'node:crypto';

import { AGENT_CAPABILITIES, type AgentCapability, MAX_OFFERED_DATABASES } from '@understudy/sync-job';

import { type AgentConfiguration, ConfigurationError } from '../config/agent-configuration.js';
import type { AgentIdentity } from '../identity/agent-identity.js';
import type { Policy } from './policy.js';
import type { PolicySummary } from './policy-summary.js';

/**
 * The 16-byte keyed hash of the masking key or of a section of the policy. Only a person who has the masking
 * key can test guesses about the policy against the hash.
 */
export type Fingerprint = Uint8Array;

/** The fingerprints that a command requires of this agent. */
export interface ExpectedOffer {
  /** Fingerprint of the policy for one named database, or for all databases that are named by URL. */
  readonly policy: Fingerprint;
  readonly maskingKey: Fingerprint;
}

/**
 * The database names, labels and fingerprints by which the control plane chooses an agent, and the limits that
 * it shows. They do not change at run time.
 */
export class AgentOffer {
  readonly databases: readonly { readonly name: string; readonly policy: Fingerprint }[];
  readonly maskingKey: Fingerprint;
  /** Undefined when the policy admits no URL. */
  readonly urls: Fingerprint | undefined;
  readonly labels: readonly string[];
  /** The number of jobs that the agent runs concurrently. */
  readonly slots: number;
  readonly snapshotStoreKind: 'folder' | 'bucket';
  readonly policy: PolicySummary;
  /** The options of sync jobs that this version applies. */
  readonly capabilities: readonly AgentCapability[] = AGENT_CAPABILITIES;

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
    this.databases = [...sections.databases].map(([name, section]) => ({
      name,
      policy: fingerprint(key, 'database', section),
    }));
    this.urls = sections.urls === undefined ? undefined : fingerprint(key, 'urls', sections.urls);
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
    const own = name === undefined ? this.urls : this.databases.find((one) => one.name === name)?.policy;
    return own !== undefined && isEqual(own, policy) && isEqual(this.maskingKey, maskingKey);
  }
}

function isEqual(one: Fingerprint, other: Fingerprint): boolean {
  return Buffer.compare(one, other) === 0;
}

function fingerprint(key: Uint8Array, purpose: string, text: string): Fingerprint {
  const hash = createHmac('sha256', key).update(`${purpose}\n${text}`).digest();
  return new Uint8Array(hash.subarray(0, FINGERPRINT_BYTES));
}

const KEY_PURPOSE = 'understudy agent fingerprints v1';
const FINGERPRINT_BYTES = 16;
