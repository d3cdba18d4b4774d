import fc from 'fast-check';

import { DatabaseWaits } from './database-waits.js';

const LIMIT_MS = 9_000;

beforeEach(() => jest.useFakeTimers());
afterEach(() => jest.useRealTimers());

describe('the waits of a request', () => {
  it('reach their limit when at least one of them was open for the whole limit, and not earlier', () => {
    const span = fc.record({ pauseMs: fc.nat(3_000), lengthMs: fc.nat(6_000) });
    fc.assert(
      fc.property(fc.array(span, { maxLength: 12 }), (spans) => {
        const waits = new DatabaseWaits(() => Date.now());
        let spentMs = 0;
        for (const { pauseMs, lengthMs } of spans) {
          jest.advanceTimersByTime(pauseMs);
          let reached = 0;
          const end = waits.begin(LIMIT_MS, () => reached++);
          jest.advanceTimersByTime(lengthMs);
          end();
          end();
          spentMs += lengthMs;
          jest.advanceTimersByTime(0);
          // A wait that has no time left reaches the limit at its next turn of the event loop.
          expect(reached).toBe(spentMs > LIMIT_MS || (spentMs === LIMIT_MS && lengthMs > 0) ? 1 : 0);
        }
      }),
    );
  });

  it('count once while they are concurrent', () => {
    const waits = new DatabaseWaits(() => Date.now());
    const onLimit = jest.fn();
    const ends = [1, 2, 3].map(() => waits.begin(LIMIT_MS, onLimit));
    jest.advanceTimersByTime(LIMIT_MS - 1);
    ends.forEach((end) => end());
    expect(onLimit).not.toHaveBeenCalled();
    waits.begin(LIMIT_MS, onLimit);
    jest.advanceTimersByTime(1);
    expect(onLimit).toHaveBeenCalledTimes(1);
  });

  it('belong to the code that runs during them', async () => {
    const waits = new DatabaseWaits();
    const seen = await waits.during(async () => {
      await Promise.resolve();
      return DatabaseWaits.current();
    });
    expect([seen === waits, DatabaseWaits.current() === waits]).toEqual([true, false]);
  });
});
