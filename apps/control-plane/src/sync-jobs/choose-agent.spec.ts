import { chooseAgent, type SlotsSince } from './choose-agent.js';
import type { JobDatabase } from './sync-job.js';

const NAMED: JobDatabase = { kind: 'agent', name: 'shop' };
const sealedTo = (...ids: string[]): JobDatabase => ({
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
    expect(chooseAgent(agents, [NAMED, NAMED], nothing)?.id).toBe('b');
  });

  it('chooses nobody when all are full', () => {
    expect(chooseAgent([{ id: 'a', freeSlots: 0 }], [NAMED], nothing)).toBeUndefined();
  });

  it('counts leases that the last heartbeat does not know', () => {
    const agents = [{ id: 'a', freeSlots: 1 }];
    expect(chooseAgent(agents, [NAMED], () => ({ taken: 1, freed: 0 }))).toBeUndefined();
    expect(chooseAgent(agents, [NAMED], () => ({ taken: 1, freed: 1 }))?.id).toBe('a');
  });

  it('passes over agents that hold no copy of a sealed connection string', () => {
    const agents = [
      { id: 'a', freeSlots: 9 },
      { id: 'b', freeSlots: 1 },
    ];
    expect(chooseAgent(agents, [sealedTo('b'), NAMED], nothing)?.id).toBe('b');
    expect(chooseAgent(agents, [sealedTo('b'), sealedTo('a')], nothing)).toBeUndefined();
    expect(chooseAgent([{ id: 'constructor', freeSlots: 1 }], [sealedTo('b')], nothing)).toBeUndefined();
  });
});
