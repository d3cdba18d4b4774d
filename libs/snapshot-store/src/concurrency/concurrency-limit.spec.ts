import { ConcurrencyLimit } from './concurrency-limit.js';

describe('a concurrency limit', () => {
  it('lets so many in, and the others in the order they came', async () => {
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
    await settle();
    expect(begun).toEqual([0, 1]);
    ends[1]?.();
    await settle();
    expect(begun).toEqual([0, 1, 2]);
    ends[0]?.();
    await settle();
    expect(begun).toEqual([0, 1, 2, 3]);
    ends.forEach((end) => end());
    await Promise.all(runs);
  });

  it('gives a place on when the one before failed, and not to those who left', async () => {
    const limit = new ConcurrencyLimit(1);
    const { signal } = new AbortController();
    const leaver = new AbortController();
    let fail: (error: Error) => void = () => undefined;
    const first = limit.run(signal, () => new Promise((_resolve, reject) => (fail = reject)));
    const left = limit.run(leaver.signal, () => Promise.resolve('left'));
    const last = limit.run(signal, () => Promise.resolve('last'));
    leaver.abort(new Error('no patience'));
    await expect(left).rejects.toThrow('no patience');
    fail(new Error('failed'));
    await expect(first).rejects.toThrow('failed');
    expect(await last).toBe('last');
    await expect(limit.run(leaver.signal, () => Promise.resolve())).rejects.toThrow('no patience');
  });
});

function settle(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
