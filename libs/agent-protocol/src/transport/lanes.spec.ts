import { Lanes, type LaneTask } from './lanes.js';

function gate() {
  let open: () => void = () => undefined;
  const opened = new Promise<void>((resolve) => (open = resolve));
  return { open, opened };
}

const task = (run: () => Promise<void>): LaneTask => ({ bytes: 0, run });

describe('lanes', () => {
  it('run the tasks of one lane in order, and start tasks of other lanes in between', async () => {
    const lanes = new Lanes(2);
    const done: string[] = [];
    const first = gate();
    lanes.add(
      'a',
      task(() => first.opened.then(() => void done.push('a1'))),
    );
    lanes.add(
      'a',
      task(async () => void done.push('a2')),
    );
    const other = gate();
    lanes.add(
      'b',
      task(async () => {
        done.push('b1');
        other.open();
      }),
    );
    await other.opened;
    expect(done).toEqual(['b1']);
    first.open();
    await lanes.idle();
    expect(done).toEqual(['b1', 'a1', 'a2']);
  });

  it('run no more tasks concurrently than allowed', async () => {
    const lanes = new Lanes(3);
    let running = 0;
    let most = 0;
    for (let lane = 0; lane < 20; lane += 1) {
      lanes.add(
        String(lane),
        task(async () => {
          most = Math.max(most, ++running);
          await Promise.resolve();
          running -= 1;
        }),
      );
    }
    await lanes.idle();
    expect([most, running]).toEqual([3, 0]);
  });

  it('drop tasks that have not started when cleared', async () => {
    const lanes = new Lanes(1);
    const first = gate();
    const dropped: string[] = [];
    lanes.add('a', { ...task(() => first.opened), drop: () => dropped.push('dropped a1') });
    lanes.add('a', {
      ...task(async () => void dropped.push('ran a2')),
      drop: () => dropped.push('dropped a2'),
    });
    lanes.clear();
    first.open();
    await lanes.idle();
    expect(dropped).toEqual(['dropped a2']);
  });

  it('take turns, so a lane with many tasks delays another lane by only one task', async () => {
    const lanes = new Lanes(1);
    const done: string[] = [];
    const first = gate();
    lanes.add(
      'a',
      task(() => first.opened),
    );
    for (const name of ['a1', 'a2', 'a3'])
      lanes.add(
        'a',
        task(async () => void done.push(name)),
      );
    for (const name of ['b1', 'b2'])
      lanes.add(
        'b',
        task(async () => void done.push(name)),
      );
    first.open();
    await lanes.idle();
    expect(done).toEqual(['a1', 'b1', 'a2', 'b2', 'a3']);
  });

  it('count the waiting and the running tasks of a lane', async () => {
    const lanes = new Lanes(1);
    const first = gate();
    for (const bytes of [3, 4]) lanes.add('a', { bytes, run: () => first.opened });
    expect([lanes.held('a'), lanes.held('b')]).toEqual([
      { tasks: 2, bytes: 7 },
      { tasks: 0, bytes: 0 },
    ]);
    first.open();
    await lanes.idle();
    expect(lanes.held('a')).toEqual({ tasks: 0, bytes: 0 });
  });
});
