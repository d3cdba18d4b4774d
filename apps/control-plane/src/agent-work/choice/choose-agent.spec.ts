import { MAX_AGENT_SLOTS } from '@understudy/sync-job';

import { chooseAgent, type SlotsSince } from './choose-agent.js';

const nothing = (): SlotsSince => ({ taken: 0, freed: 0, held: 0 });

describe('choosing an agent', () => {
  it('prefers the one with the most room, then the smaller id', () => {
    const agents = [
      { id: 'c', freeSlots: 2 },
      { id: 'b', freeSlots: 2 },
      { id: 'a', freeSlots: 1 },
    ];
    expect(chooseAgent(agents, nothing)?.id).toBe('b');
  });

  it('chooses nobody when all are full', () => {
    expect(chooseAgent([{ id: 'a', freeSlots: 0 }], nothing)).toBeUndefined();
  });

  it('counts leases that the last heartbeat does not know', () => {
    const agents = [{ id: 'a', freeSlots: 1 }];
    expect(chooseAgent(agents, () => ({ taken: 1, freed: 0, held: 1 }))).toBeUndefined();
    expect(chooseAgent(agents, () => ({ taken: 1, freed: 1, held: 1 }))?.id).toBe('a');
  });

  it('gives an agent no more than an agent can have, whatever it claims', () => {
    const agents = [{ id: 'a', freeSlots: MAX_AGENT_SLOTS }];
    const holding = (held: number) => (): SlotsSince => ({ taken: 0, freed: 0, held });
    expect(chooseAgent(agents, holding(MAX_AGENT_SLOTS - 1))?.id).toBe('a');
    expect(chooseAgent(agents, holding(MAX_AGENT_SLOTS))).toBeUndefined();
  });
});
