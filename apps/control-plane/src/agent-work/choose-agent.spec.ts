import { chooseAgent, type SlotsSince } from './choose-agent.js';
import { canOpen, type AgentDatabase } from './agent-database.js';

const NAMED: AgentDatabase = { kind: 'agent', name: 'shop' };
const sealedTo = (...ids: string[]): AgentDatabase => ({
  kind: 'sealed',
  by_agent: Object.fromEntries(ids.map((id) => [id, { encapsulated_key: '', ciphertext: '' }])),
});
const nothing = (): SlotsSince => ({ taken: 0, freed: 0 });

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
    expect(chooseAgent(agents, () => ({ taken: 1, freed: 0 }))).toBeUndefined();
    expect(chooseAgent(agents, () => ({ taken: 1, freed: 1 }))?.id).toBe('a');
  });
});

describe('a sealed connection string', () => {
  it('is opened by agents that hold a copy, and by no other', () => {
    expect(canOpen([sealedTo('b'), NAMED], 'a')).toBe(false);
    expect(canOpen([sealedTo('b'), NAMED], 'b')).toBe(true);
    expect(canOpen([sealedTo('b'), sealedTo('a')], 'b')).toBe(false);
    expect(canOpen([sealedTo('b')], 'constructor')).toBe(false);
  });
});
