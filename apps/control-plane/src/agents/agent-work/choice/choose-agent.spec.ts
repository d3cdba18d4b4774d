import { MAX_AGENT_SLOTS } from '@understudy/sync-job';

import { chooseAgent, type SlotsSince } from './choose-agent.js';

const nothing = (): SlotsSince => ({ taken: 0, freed: 0, held: 0 });

describe('chooseAgent', () => {
  it('chooses the agent with the most free slots and breaks ties by the smaller id', () => {
    const agents = [
      { id: 'c', freeSlots: 2 },
      { id: 'b', freeSlots: 2 },
      { id: 'a', freeSlots: 1 },
    ];
    expect(chooseAgent(agents, nothing)?.id).toBe('b');
  });

  it('chooses no agent if none has a free slot', () => {
    expect(chooseAgent([{ id: 'a', freeSlots: 0 }], nothing)).toBeUndefined();
  });

  it('counts leases that were granted or ended after the last heartbeat', () => {
    const agents = [{ id: 'a', freeSlots: 1 }];
    expect(chooseAgent(agents, () => ({ taken: 1, freed: 0, held: 1 }))).toBeUndefined();
    expect(chooseAgent(agents, () => ({ taken: 1, freed: 1, held: 1 }))?.id).toBe('a');
  });

  it('limits the leases of an agent to MAX_AGENT_SLOTS even if the agent reports more free slots', () => {
    const agents = [{ id: 'a', freeSlots: MAX_AGENT_SLOTS }];
    const holding = (held: number) => (): SlotsSince => ({ taken: 0, freed: 0, held });
    expect(chooseAgent(agents, holding(MAX_AGENT_SLOTS - 1))?.id).toBe('a');
    expect(chooseAgent(agents, holding(MAX_AGENT_SLOTS))).toBeUndefined();
  });
});
