import { bothOrFirstFailure } from './both-or-first-failure.js';

const never = new AbortController().signal;
const untilAborted = (signal: AbortSignal) =>
  new Promise<void>((_, reject) => {
    signal.addEventListener('abort', () => reject(new Error('stopped')), { once: true });
  });

describe('two works at once', () => {
  it('stop when one of them fails, with its error', async () => {
    const first = new Error('first');
    const works = [untilAborted, () => Promise.reject(first)];
    await expect(bothOrFirstFailure(never, works)).rejects.toBe(first);
  });

  it('stop when they are told to, with the reason', async () => {
    const controller = new AbortController();
    const reason = new Error('lease lost');
    const working = bothOrFirstFailure(controller.signal, [untilAborted, untilAborted]);
    controller.abort(reason);
    await expect(working).rejects.toBe(reason);
  });

  it('are both done when neither fails', async () => {
    const done: number[] = [];
    const work = (n: number) => () => Promise.resolve(void done.push(n));
    await bothOrFirstFailure(never, [work(1), work(2)]);
    expect(done).toEqual([1, 2]);
  });
});
