import fc from 'fast-check';

import { CallTally } from './call-tally.js';

const calls = fc.array(fc.tuple(fc.constantFrom('a', 'b', 'c'), fc.constantFrom('2026-01', '2026-02')));

describe('CallTally', () => {
  it('returns each counted call exactly once', () => {
    fc.assert(
      fc.property(fc.array(calls), (rounds) => {
        const tally = new CallTally();
        const handed = rounds.flatMap((round) => {
          for (const [organization, period] of round) tally.add(organization, period);
          return tally.take();
        });
        const all = rounds.flat();
        for (const subject of ['a', 'b', 'c']) {
          for (const period of ['2026-01', '2026-02']) {
            const sum = handed
              .filter((calls) => calls.subject === subject && calls.period === period)
              .reduce((total, { used }) => total + used, 0);
            expect(sum).toBe(all.filter(([a, b]) => a === subject && b === period).length);
            expect(tally.of(subject, period)).toBe(0);
          }
        }
      }),
    );
  });
});
