import { retryAfterMs } from './retry-after.js';

const now = new Date('2026-01-01T00:00:00Z');

describe('Retry-After', () => {
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
  ])('%j is %p ms', (header, expected) => {
    expect(retryAfterMs(header, now)).toBe(expected);
  });
});
