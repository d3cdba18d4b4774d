import { Lanes } from './lanes.js';

function gate() {
  let open: () => void = () => undefined;
  const opened = new Promise<void>((resolve) => (open = resolve));
  return { open, opened };
}

describe('lanes', () => {
  it('keep the order within a lane and let other lanes pass', async () => {
    const lanes = new Lanes(2);
    const done: string[] = [];
    const first = gate();
    lanes.add('a', () => first.opened.then(() => void done.push('a1')));
    lanes.add('a', async () => void done.push('a2'));
    const other = gate();
    lanes.add('b', async () => {
      done.push('b1');
      other.open();
    });
    await other.opened;
    expect(done).toEqual(['b1']);
    first.open();
    await lanes.idle();
    expect(done).toEqual(['b1', 'a1', 'a2']);
  });

  it('run no more at once than they may', async () => {
    const lanes = new Lanes(3);
    let running = 0;
    let most = 0;
    for (let lane = 0; lane < 20; lane += 1) {
      lanes.add(String(lane), async () => {
        most = Math.max(most, ++running);
        await Promise.resolve();
        running -= 1;
      });
    }
    await lanes.idle();
    expect([most, running]).toEqual([3, 0]);
  });

  it('forget what has not started when they are cleared', async () => {
    const lanes = new Lanes(1);
    const first = gate();
    let ran = false;
    lanes.add('a', () => first.opened);
    lanes.add('a', async () => void (ran = true));
    lanes.clear();
    first.open();
    await lanes.idle();
    expect(ran).toBe(false);
  });
});
