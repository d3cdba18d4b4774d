import { SlotQueue, type Slot } from './slot-queue.js';

/** Returns a queue that records the names of the tasks in the order in which they get slots. */
function queueOf(threads: number, capacity = 100) {
  const queue = new SlotQueue(threads, capacity);
  const called: string[] = [];
  const slots = new Map<string, Slot>();
  return {
    queue,
    enter: (name: string, organizationId: string, long = false): boolean => {
      const slot = queue.enter({ organizationId, long });
      if (!slot) return false;
      slots.set(name, slot);
      void slot.ready.then(() => called.push(name));
      return true;
    },
    leave: (name: string) => slots.get(name)?.leave(),
    called: async (): Promise<string> => {
      await Promise.resolve();
      return called.join(' ');
    },
  };
}

describe('the slot queue', () => {
  it('grants as many slots as there are workers, in the order of arrival', async () => {
    const { enter, leave, called, queue } = queueOf(2);
    for (const name of ['a', 'b', 'c', 'd']) enter(name, 'org');
    expect(await called()).toBe('a b');
    expect([queue.running, queue.waiting]).toEqual([2, 2]);
    leave('a');
    expect(await called()).toBe('a b c');
  });

  it('does not give the last worker of an organisation to a long task', async () => {
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

  it('gives spare workers to organisations that use no worker', async () => {
    const { enter, leave, called } = queueOf(2);
    for (const name of ['a1', 'a2', 'a3']) enter(name, 'a');
    enter('b1', 'b', true);
    enter('b2', 'b');
    enter('c1', 'c');
    enter('d1', 'd');
    expect(await called()).toBe('a1 a2 b1 c1');
    // One of four tasks has ended: the next slot goes to the organisation without a worker, not to the oldest task.
    leave('a1');
    expect(await called()).toBe('a1 a2 b1 c1 d1');
    for (const name of ['b1', 'c1']) leave(name);
    expect(await called()).toBe('a1 a2 b1 c1 d1 b2');
  });

  it('lets a long task use the worker if there is only one', async () => {
    const { enter, called } = queueOf(1);
    enter('long', 'a', true);
    expect(await called()).toBe('long');
  });

  it('prefers the organisation that has fewer workers', async () => {
    const { enter, leave, called } = queueOf(3);
    for (const name of ['a1', 'a2', 'b1', 'a3', 'b2']) enter(name, name[0] ?? '');
    expect(await called()).toBe('a1 a2 b1');
    leave('a1');
    expect(await called()).toBe('a1 a2 b1 a3');
    leave('a2');
    leave('a3');
    expect(await called()).toBe('a1 a2 b1 a3 b2');
  });

  it('limits the queue, and limits one organisation to half of it', async () => {
    const { enter, queue } = queueOf(1, 4);
    for (const organization of ['a', 'b']) {
      const entered = ['running', 'w1', 'w2', 'w3'].map((name) => enter(name, organization));
      expect(entered).toEqual([true, true, true, false]);
    }
    expect(enter('w1', 'c')).toBe(false);
    expect(queue.waiting).toBe(4);
  });

  it('removes a task that leaves before it gets a slot', async () => {
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
