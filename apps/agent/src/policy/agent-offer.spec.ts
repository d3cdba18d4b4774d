import { BY_URL, byName } from '@understudy/agent-protocol';
import { MAX_OFFERED_DATABASES } from '@understudy/sync-job';

import { AgentOffer } from './agent-offer.js';
import { parsePolicy } from './policy-document.js';
import type { PolicySections } from './policy-sections.js';
import { policySummary } from './policy-summary.js';

const ORGANIZATION = 'org_01ARZ3NDEKTSV4RRFFQ69G5FAV';
const summary = policySummary(parsePolicy('', () => undefined));
const configuration = { labels: ['eu'], maxJobs: 3, snapshots: {} };
const identity = { maskingKey: new Uint8Array(32).fill(1), organizationId: ORGANIZATION };
const offerOf = (sections: PolicySections) => new AgentOffer({ sections, summary }, identity, configuration);
const key = (byte: number) => new Uint8Array(32).fill(byte);

function offer(maskingKey = key(1), organizationId = ORGANIZATION) {
  const sections = { databases: new Map([['shop', 'rules of the database']]), urls: 'rules of URLs' };
  const { policies, ...rest } = new AgentOffer(
    { sections, summary },
    { maskingKey, organizationId },
    configuration,
  );
  return { ...rest, urls: policies[BY_URL], shop: policies[byName('shop')] };
}

describe('the offer of an agent', () => {
  it('is equal for agents with the same masking key and policy', () => {
    expect(offer()).toEqual(offer());
  });

  it('has other fingerprints under another masking key and in another organisation', () => {
    const { maskingKey, shop, urls } = offer();
    for (const other of [offer(key(2)), offer(key(1), 'org_01ARZ3NDEKTSV4RRFFQ69G5FAW')]) {
      expect(other.maskingKey).not.toEqual(maskingKey);
      expect(other.shop).not.toEqual(shop);
      expect(other.urls).not.toEqual(urls);
    }
  });

  it('admits no URL when the policy admits none', () => {
    expect(offerOf({ databases: new Map(), urls: undefined }).policies).toEqual({});
  });

  it('accepts as many databases as a heartbeat may name and refuses a policy with more', () => {
    const named = (count: number) =>
      new Map(Array.from({ length: count }, (_, index): [string, string] => [`db${index}`, 'x']));
    const most = offerOf({ databases: named(MAX_OFFERED_DATABASES), urls: undefined });
    expect(Object.keys(most.policies)).toHaveLength(MAX_OFFERED_DATABASES);
    expect(() => offerOf({ databases: named(MAX_OFFERED_DATABASES + 1), urls: undefined })).toThrow(
      'The policy file is not valid',
    );
  });

  it.each([
    ['folder', {}],
    ['bucket', { bucket: { name: 'b', region: 'r', prefix: '' } }],
  ])('names a %s as the place of snapshots', (kind, snapshots) => {
    const sections = { databases: new Map(), urls: undefined };
    const offered = new AgentOffer({ sections, summary }, identity, { ...configuration, snapshots });
    expect([offered.snapshotStoreKind, offered.slots, offered.policy]).toEqual([kind, 3, summary]);
  });
});
