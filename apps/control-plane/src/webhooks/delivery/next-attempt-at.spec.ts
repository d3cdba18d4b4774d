import fc from 'fast-check';

import { DEFAULTS } from '../../platform/config/configuration.js';
import { MAX_RETRY_AFTER_MS, nextAttemptAt, retryAfterMs } from './next-attempt-at.js';

const DELAYS = DEFAULTS.webhooks.retryDelaysMs;
const HOUR = 3_600_000;
const at = new Date('2026-01-01T00:00:00Z');
const jitter = fc.double({ min: -1, max: 1, noNaN: true });
const failed = fc.integer({ min: 1, max: DELAYS.length - 1 });

const waited = (tries: number, drawn: number, retryAfterMs?: number): number => {
  const next = nextAttemptAt({ tries, at, jitter: drawn, retryAfterMs }, DELAYS);
  if (next === undefined) throw new Error('no further try');
  return next.getTime() - at.getTime();
};

describe('nextAttemptAt', () => {
  it('retries after 5 s, 5 m, 30 m, 2 h, 5 h, 10 h, 14 h, 20 h and 24 h, about 75 hours in total', () => {
    const waits = DELAYS.slice(1).map((_, index) => waited(index + 1, 0));
    expect(waits).toEqual([
      5_000,
      300_000,
      1_800_000,
      ...[2, 5, 10, 14, 20, 24].map((hours) => hours * HOUR),
    ]);
    expect(waits.reduce((sum, wait) => sum + wait, 0) / HOUR).toBeCloseTo(75.6, 1);
  });

  it('plans the first attempt immediately, and none after the tenth', () => {
    expect(DELAYS[0]).toBe(0);
    for (const tries of [10, 11, 1_000])
      expect(nextAttemptAt({ tries, at, jitter: 0, retryAfterMs: 1 }, DELAYS)).toBeUndefined();
  });

  it('keeps delays within ten percent of the schedule, and reaches both limits', () => {
    fc.assert(
      fc.property(failed, jitter, (tries, drawn) => {
        const delay = DELAYS[tries] ?? 0;
        expect(Math.abs(waited(tries, drawn) - delay)).toBeLessThanOrEqual(0.1 * delay + 0.5);
      }),
    );
    expect([waited(2, -1), waited(2, 1)]).toEqual([270_000, 330_000]);
  });

  it("respects the receiver's Retry-After up to one day", () => {
    fc.assert(
      fc.property(failed, jitter, fc.maxSafeNat(), (tries, drawn, retryAfterMs) => {
        const wait = waited(tries, drawn, retryAfterMs);
        expect(wait).toBeGreaterThanOrEqual(Math.min(retryAfterMs, MAX_RETRY_AFTER_MS));
        expect(wait).toBe(Math.max(waited(tries, drawn), Math.min(retryAfterMs, MAX_RETRY_AFTER_MS)));
      }),
    );
  });
});

const now = new Date('2026-01-01T00:00:00Z');

describe('retryAfterMs', () => {
  it.each([
    ['120', 120_000],
    [' 0 ', 0],
    ['Thu, 01 Jan 2026 00:02:00 GMT', 120_000],
    ['Wed, 31 Dec 2025 23:00:00 GMT', 0],
    [undefined, undefined],
    ['', undefined],
    ['-1', undefined],
    ['1.5', undefined],
    ['soon', undefined],
    ['2026', 2_026_000],
    ['2026-01-01T01:00:00Z', undefined],
    ['9'.repeat(400), undefined],
    ['Thu, ' + '0'.repeat(400), undefined],
  ])('reads the header %j as %p ms', (header, expected) => {
    expect(retryAfterMs(header, now)).toBe(expected);
  });
});
