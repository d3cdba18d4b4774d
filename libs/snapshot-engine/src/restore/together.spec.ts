import { setImmediate as turn } from 'node:timers/promises';
import { together } from './together.js';

const never = new AbortController().signal;
const until = (signal: AbortSignal) =>
  new Promise<never>((_, reject) => {
    const stop = () => reject(signal.reason as Error);
    if (signal.aborted) stop();
    else signal.addEventListener('abort', stop);
  });

describe('two pieces of work together', () => {
  it('give what both gave', async () => {
    expect(
      await together(
        never,
        () => Promise.resolve(1),
        () => Promise.resolve('b'),
      ),
    ).toEqual([1, 'b']);
  });

  it('fail with what failed first, when the other has come to its end too', async () => {
    let ended = false;
    const other = (signal: AbortSignal) =>
      until(signal).catch(async () => {
        await turn();
        ended = true;
        throw new Error('a consequence');
      });
    await expect(together(never, () => Promise.reject(new Error('the cause')), other)).rejects.toThrow(
      'the cause',
    );
    expect(ended).toBe(true);
  });

  it('are both stopped from outside', async () => {
    const stop = new AbortController();
    const both = together(stop.signal, until, until);
    stop.abort(new Error('enough'));
    await expect(both).rejects.toThrow('enough');
  });
});
