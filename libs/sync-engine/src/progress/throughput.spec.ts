import fc from 'fast-check';
import { throughputOf, withSample, type ProgressSample } from './throughput.js';

const counts = fc.nat({ max: Number.MAX_SAFE_INTEGER });
const sample: fc.Arbitrary<ProgressSample> = fc.record({
  atMs: fc.integer(),
  rows: counts,
  bytes: counts,
  work: fc.double({ min: 0, max: 1e18, noNaN: true }),
});
const YEAR_MS = 365 * 24 * 60 * 60 * 1000;
const at = (atMs: number, rows: number): ProgressSample => ({ atMs, rows, bytes: rows * 100, work: rows });

describe('throughputOf', () => {
  it('returns whole numbers within bounds for any clock and any counts', () => {
    fc.assert(
      fc.property(fc.array(sample, { maxLength: 5 }), fc.double(), (samples, remaining) => {
        const { rowsPerSecond, bytesPerSecond, remainingMs } = throughputOf(samples, remaining);
        for (const rate of [rowsPerSecond, bytesPerSecond]) {
          expect(Number.isSafeInteger(rate) && rate >= 0).toBe(true);
        }
        if (remainingMs === undefined) return;
        expect(Number.isSafeInteger(remainingMs) && remainingMs >= 0 && remainingMs <= YEAR_MS).toBe(true);
      }),
    );
  });

  it('returns a higher rate for more copied rows, and a longer remaining time for more remaining work', () => {
    fc.assert(
      fc.property(fc.tuple(counts, counts), fc.tuple(counts, counts), fc.nat(1e9), (rows, left, ms) => {
        const [few = 0, many = 0] = rows.sort((a, b) => a - b);
        const [little = 0, much = 0] = left.sort((a, b) => a - b);
        const slow = throughputOf([at(0, 0), at(ms, few)], much);
        const fast = throughputOf([at(0, 0), at(ms, many)], little);
        expect(fast.rowsPerSecond).toBeGreaterThanOrEqual(slow.rowsPerSecond);
        expect(fast.bytesPerSecond).toBeGreaterThanOrEqual(slow.bytesPerSecond);
        expect(fast.remainingMs ?? Infinity).toBeLessThanOrEqual(slow.remainingMs ?? Infinity);
      }),
    );
  });

  it('divides rows, bytes and remaining work by the elapsed time', () => {
    expect(throughputOf([at(1000, 500), at(3000, 2500)], 5000)).toEqual({
      rowsPerSecond: 1000,
      bytesPerSecond: 100_000,
      remainingMs: 5000,
    });
  });

  it('returns zero if the clock stands still or runs backwards, or if no row was copied', () => {
    const none = { rowsPerSecond: 0, bytesPerSecond: 0 };
    expect(throughputOf([], 1)).toEqual(none);
    expect(throughputOf([at(5, 1)], 1)).toEqual(none);
    expect(throughputOf([at(5, 1), at(5, 9)], 1)).toEqual(none);
    expect(throughputOf([at(5, 1), at(4, 9)], 1)).toEqual(none);
    expect(throughputOf([at(5, 1), at(900, 1)], 1)).toEqual(none);
    expect(throughputOf([at(5, 1), at(900, 1)], 0)).toEqual(none);
  });
});

describe('withSample', () => {
  it('keeps the samples of the window and one before it, in ascending order of time', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 0, max: 50_000 }), { minLength: 1 }), (instants) => {
        let kept: readonly ProgressSample[] = [];
        for (const [row, instant] of instants.entries()) {
          const next = at(instant, row);
          kept = withSample(kept, next, 10_000);
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
