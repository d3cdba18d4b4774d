import { setImmediate as turn } from 'node:timers/promises';
import { runInParallel } from './run-in-parallel.js';

const never = new AbortController().signal;
const until = (signal: AbortSignal) =>
  new Promise<never>((_, reject) => {
    const stop = () => reject(signal.reason as Error);
    if (signal.aborted) stop();
    else signal.addEventListener('abort', stop);
  });

describe('runInParallel', () => {
  it('returns the results in the order of the tasks', async () => {
    expect(await runInParallel(never, [() => Promise.resolve(1), () => Promise.resolve('b')])).toEqual([
      1,
      'b',
    ]);
  });

  it('rejects with the first failure after the other tasks have ended', async () => {
    let ended = false;
    const other = (signal: AbortSignal) =>
      until(signal).catch(async () => {
        await turn();
        ended = true;
        throw new Error('a consequence');
      });
    await expect(runInParallel(never, [() => Promise.reject(new Error('the cause')), other])).rejects.toThrow(
      'the cause',
    );
    expect(ended).toBe(true);
  });

  it('aborts all tasks if the given signal is aborted', async () => {
    const stop = new AbortController();
    const both = runInParallel(stop.signal, [until, until]);
    stop.abort(new Error('enough'));
    await expect(both).rejects.toThrow('enough');
  });
});
