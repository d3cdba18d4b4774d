import { ConcurrencyLimit } from './concurrency-limit.js';

describe('a concurrency limit', () => {
  it('runs as many functions concurrently as it permits, and starts the others in the order of their calls', async () => {
    const limit = new ConcurrencyLimit(2);
    const { signal } = new AbortController();
    const begun: number[] = [];
    const ends: (() => void)[] = [];
    const runs = [0, 1, 2, 3].map((run) =>
      limit.run(signal, async () => {
        begun.push(run);
        await new Promise<void>((resolve) => ends.push(resolve));
      }),
    );
    await nextTick();
    expect(begun).toEqual([0, 1]);
    ends[1]?.();
    await nextTick();
    expect(begun).toEqual([0, 1, 2]);
    ends[0]?.();
    await nextTick();
    expect(begun).toEqual([0, 1, 2, 3]);
    ends.forEach((end) => end());
    await Promise.all(runs);
  });

  it('reuses the slot of a function that failed, and skips functions that were aborted while they waited', async () => {
    const limit = new ConcurrencyLimit(1);
    const { signal } = new AbortController();
    const leaver = new AbortController();
    let fail: (error: Error) => void = () => undefined;
    const first = limit.run(signal, () => new Promise((_resolve, reject) => (fail = reject)));
    const left = limit.run(leaver.signal, () => Promise.resolve('left'));
    const last = limit.run(signal, () => Promise.resolve('last'));
    leaver.abort(new Error('aborted while waiting'));
    await expect(left).rejects.toThrow('aborted while waiting');
    fail(new Error('failed'));
    await expect(first).rejects.toThrow('failed');
    expect(await last).toBe('last');
    await expect(limit.run(leaver.signal, () => Promise.resolve())).rejects.toThrow('aborted while waiting');
  });
});

function nextTick(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
