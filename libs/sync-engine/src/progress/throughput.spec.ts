import fc from 'fast-check';
import { paceOf, withReading, type Reading } from './throughput.js';

const counts = fc.nat({ max: Number.MAX_SAFE_INTEGER });
const reading: fc.Arbitrary<Reading> = fc.record({
  atMs: fc.integer(),
  rows: counts,
  bytes: counts,
  work: fc.double({ min: 0, max: 1e18, noNaN: true }),
});
const YEAR_MS = 365 * 24 * 60 * 60 * 1000;
const at = (atMs: number, rows: number): Reading => ({ atMs, rows, bytes: rows * 100, work: rows });

describe('the pace of a job', () => {
  it('is whole numbers within bounds, whatever clock and counts say', () => {
    fc.assert(
      fc.property(fc.array(reading, { maxLength: 5 }), fc.double(), (readings, remaining) => {
        const { rowsPerSecond, bytesPerSecond, remainingMs } = paceOf(readings, remaining);
        for (const rate of [rowsPerSecond, bytesPerSecond]) {
          expect(Number.isSafeInteger(rate) && rate >= 0).toBe(true);
        }
        if (remainingMs === undefined) return;
        expect(Number.isSafeInteger(remainingMs) && remainingMs >= 0 && remainingMs <= YEAR_MS).toBe(true);
      }),
    );
  });

  it('grows with the rows that moved, and what remains with the work that is left', () => {
    fc.assert(
      fc.property(fc.tuple(counts, counts), fc.tuple(counts, counts), fc.nat(1e9), (rows, left, ms) => {
        const [few = 0, many = 0] = rows.sort((a, b) => a - b);
        const [little = 0, much = 0] = left.sort((a, b) => a - b);
        const slow = paceOf([at(0, 0), at(ms, few)], much);
        const fast = paceOf([at(0, 0), at(ms, many)], little);
        expect(fast.rowsPerSecond).toBeGreaterThanOrEqual(slow.rowsPerSecond);
        expect(fast.bytesPerSecond).toBeGreaterThanOrEqual(slow.bytesPerSecond);
        expect(fast.remainingMs ?? Infinity).toBeLessThanOrEqual(slow.remainingMs ?? Infinity);
      }),
    );
  });

  it('is a division that anybody can check', () => {
    expect(paceOf([at(1000, 500), at(3000, 2500)], 5000)).toEqual({
      rowsPerSecond: 1000,
      bytesPerSecond: 100_000,
      remainingMs: 5000,
    });
  });

  it('is none where time stands, runs backwards or nothing moved', () => {
    const none = { rowsPerSecond: 0, bytesPerSecond: 0 };
    expect(paceOf([], 1)).toEqual(none);
    expect(paceOf([at(5, 1)], 1)).toEqual(none);
    expect(paceOf([at(5, 1), at(5, 9)], 1)).toEqual(none);
    expect(paceOf([at(5, 1), at(4, 9)], 1)).toEqual(none);
    expect(paceOf([at(5, 1), at(900, 1)], 1)).toEqual(none);
    expect(paceOf([at(5, 1), at(900, 1)], 0)).toEqual(none);
  });
});

describe('readings', () => {
  it('are kept for the window, with one before it, in the order of the clock', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 0, max: 50_000 }), { minLength: 1 }), (instants) => {
        let kept: readonly Reading[] = [];
        for (const [row, instant] of instants.entries()) {
          const next = at(instant, row);
          kept = withReading(kept, next, 10_000);
          expect(kept.at(-1)).toBe(next);
          kept.slice(1).forEach((later, i) => {
            expect(later.atMs).toBeGreaterThan(kept[i]?.atMs ?? Infinity);
            if (i > 0) expect(next.atMs - (kept[i]?.atMs ?? 0)).toBeLessThanOrEqual(10_000);
          });
        }
      }),
    );
  });
});
