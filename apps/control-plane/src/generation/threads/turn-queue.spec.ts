import { TurnQueue, type Ticket } from './turn-queue.js';

/** Who has been called so far, by name. */
function queueOf(threads: number, places = 100) {
  const queue = new TurnQueue(threads, places);
  const called: string[] = [];
  const tickets = new Map<string, Ticket>();
  return {
    queue,
    enter: (name: string, organizationId: string, long = false): boolean => {
      const ticket = queue.enter({ organizationId, long });
      if (!ticket) return false;
      tickets.set(name, ticket);
      void ticket.ready.then(() => called.push(name));
      return true;
    },
    leave: (name: string) => tickets.get(name)?.leave(),
    called: async (): Promise<string> => {
      await Promise.resolve();
      return called.join(' ');
    },
  };
}

describe('the turn queue', () => {
  it('gives out as many turns as there are threads, in order of arrival', async () => {
    const { enter, leave, called, queue } = queueOf(2);
    for (const name of ['a', 'b', 'c', 'd']) enter(name, 'org');
    expect(await called()).toBe('a b');
    expect([queue.running, queue.waiting]).toEqual([2, 2]);
    leave('a');
    expect(await called()).toBe('a b c');
  });

  it('keeps the last thread of an organisation free of long work', async () => {
    const { enter, leave, called } = queueOf(2);
    enter('long1', 'a', true);
    enter('long2', 'a', true);
    enter('short', 'a');
    expect(await called()).toBe('long1 short');
    leave('short');
    expect(await called()).toBe('long1 short');
    leave('long1');
    expect(await called()).toBe('long1 short long2');
  });

  it('has spare threads for organisations that hold none', async () => {
    const { enter, leave, called } = queueOf(2);
    for (const name of ['a1', 'a2', 'a3']) enter(name, 'a');
    enter('b1', 'b', true);
    enter('b2', 'b');
    enter('c1', 'c');
    enter('d1', 'd');
    expect(await called()).toBe('a1 a2 b1 c1');
    // One of four has ended: it is the turn of who holds none, not of who came first.
    leave('a1');
    expect(await called()).toBe('a1 a2 b1 c1 d1');
    for (const name of ['b1', 'c1']) leave(name);
    expect(await called()).toBe('a1 a2 b1 c1 d1 b2');
  });

  it('lets long work have the only thread', async () => {
    const { enter, called } = queueOf(1);
    enter('long', 'a', true);
    expect(await called()).toBe('long');
  });

  it('prefers the organisation that holds fewer threads', async () => {
    const { enter, leave, called } = queueOf(3);
    for (const name of ['a1', 'a2', 'b1', 'a3', 'b2']) enter(name, name[0] ?? '');
    expect(await called()).toBe('a1 a2 b1');
    leave('a1');
    expect(await called()).toBe('a1 a2 b1 a3');
    leave('a2');
    leave('a3');
    expect(await called()).toBe('a1 a2 b1 a3 b2');
  });

  it('has a bounded number of places, half of them for one organisation', async () => {
    const { enter, queue } = queueOf(1, 4);
    for (const organization of ['a', 'b']) {
      const entered = ['running', 'w1', 'w2', 'w3'].map((name) => enter(name, organization));
      expect(entered).toEqual([true, true, true, false]);
    }
    expect(enter('w1', 'c')).toBe(false);
    expect(queue.waiting).toBe(4);
  });

  it('takes back the place of who leaves before the turn', async () => {
    const { enter, leave, called, queue } = queueOf(1);
    for (const name of ['a', 'b', 'c']) enter(name, 'org');
    leave('b');
    expect([queue.running, queue.waiting]).toEqual([1, 1]);
    leave('a');
    expect(await called()).toBe('a c');
    leave('c');
    expect([queue.running, queue.waiting]).toEqual([0, 0]);
  });
});
