import { MAX_OFFERED_DATABASES } from '@understudy/sync-job';

import { AgentOffer } from './agent-offer.js';

const ORGANIZATION = 'org_01ARZ3NDEKTSV4RRFFQ69G5FAV';
const key = (byte: number) => new Uint8Array(32).fill(byte);

function offer(maskingKey = key(1), organizationId = ORGANIZATION) {
  const sections = { databases: new Map([['shop', 'rules of the database']]), urls: 'rules of URLs' };
  const { databases, urls, ...rest } = new AgentOffer(sections, { maskingKey, organizationId }, ['eu']);
  return { ...rest, urls, shop: databases[0]?.policy };
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
    const identity = { maskingKey: key(1), organizationId: ORGANIZATION };
    expect(new AgentOffer({ databases: new Map(), urls: undefined }, identity, []).urls).toBeUndefined();
  });

  it('accepts as many databases as a heartbeat may name and refuses a policy with more', () => {
    const identity = { maskingKey: key(1), organizationId: ORGANIZATION };
    const named = (count: number) =>
      new Map(Array.from({ length: count }, (_, index): [string, string] => [`db${index}`, 'x']));
    const most = new AgentOffer({ databases: named(MAX_OFFERED_DATABASES), urls: undefined }, identity, []);
    expect(most.databases).toHaveLength(MAX_OFFERED_DATABASES);
    expect(
      () => new AgentOffer({ databases: named(MAX_OFFERED_DATABASES + 1), urls: undefined }, identity, []),
    ).toThrow('The policy file is not valid');
  });
});
