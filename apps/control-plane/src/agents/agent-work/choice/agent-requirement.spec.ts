import { BY_URL, byName } from '@understudy/agent-protocol';

import { bound, unbound, type AgentProfile, type AgentRequirement } from './agent-requirement.js';

const SHOP = byName('shop');
const agent: AgentProfile = {
  ...{ id: 'agt_1', name: 'a', snapshotStore: null },
  offer: { labels: [], maskingKey: 'k', policies: { [SHOP]: 's', [BY_URL]: 'u', [byName('other')]: 'o' } },
};

describe('work that an agent got but did not begin', () => {
  it.each<[string, AgentRequirement, AgentRequirement]>([
    [
      'keeps the fingerprints of its names',
      { opens: [SHOP, BY_URL] },
      { maskingKey: 'k', policies: { [SHOP]: 's' } },
    ],
    ['loses all fingerprints if it names no database', { opens: [BY_URL] }, {}],
    [
      'keeps the fingerprints of its names if it selects an agent, too',
      { opens: [SHOP], name: 'a' },
      { maskingKey: 'k', policies: { [SHOP]: 's' } },
    ],
  ])('%s', (_, requires, kept) => {
    const given = bound(requires, agent);
    expect(given).toMatchObject({
      maskingKey: 'k',
      policies: { [requires.opens?.[0] ?? '']: expect.any(String) },
    });
    expect(bound(given, agent)).toEqual(given);
    expect(unbound(given)).toEqual({ ...requires, ...kept });
  });
});
