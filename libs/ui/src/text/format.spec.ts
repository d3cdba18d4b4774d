import { formatBytes, formatCount, formatDuration, formatRelative, formatUtc } from './format.js';

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

describe('formatCount', () => {
  it('separates thousands', () => {
    expect(formatCount(0)).toBe('0');
    expect(formatCount(12_304_112)).toBe('12,304,112');
    expect(formatCount(9_007_199_254_740_993n)).toBe('9,007,199,254,740,993');
  });
});

describe('formatBytes', () => {
  it.each([
    [0, '0 B'],
    [1023, '1023 B'],
    [1024, '1.0 KiB'],
    [10_188, '9.9 KiB'],
    [10_200, '10 KiB'],
    [1024 * 1023, '1023 KiB'],
    [1024 * 1024 - 1, '1.0 MiB'],
    [1.5 * 1024 ** 3, '1.5 GiB'],
    [2 * 1024 ** 5, '2.0 PiB'],
    [5_000 * 1024 ** 5, '5000 PiB'],
  ])('writes %d bytes as %s', (bytes, text) => {
    expect(formatBytes(bytes)).toBe(text);
  });
});

describe('formatDuration', () => {
  it.each([
    [-5, '0 ms'],
    [0, '0 ms'],
    [999, '999 ms'],
    [999.6, '1.0 s'],
    [9_949, '9.9 s'],
    [9_950, '10 s'],
    [59_499, '59 s'],
    [59_500, '1 min'],
    [200 * SECOND, '3 min 20 s'],
    [HOUR - 1, '1 h'],
    [2 * HOUR + 5 * MINUTE, '2 h 5 min'],
    [DAY - 1, '1 d'],
    [3 * DAY + 4 * HOUR, '3 d 4 h'],
  ])('writes %d ms as %s', (ms, text) => {
    expect(formatDuration(ms)).toBe(text);
  });
});

describe('formatRelative', () => {
  const now = new Date('2026-11-25T12:00:00Z');

  it.each([
    [0, 'just now'],
    [-9 * SECOND, 'just now'],
    [-10 * SECOND, '10 seconds ago'],
    [-59 * MINUTE, '59 minutes ago'],
    [-90 * MINUTE, '1 hour ago'],
    [-3 * DAY, '3 days ago'],
    [3 * DAY + HOUR, 'in 3 days'],
    [-30 * DAY, null],
    [400 * DAY, null],
  ])('writes a distance of %d ms as %s', (distance, text) => {
    expect(formatRelative(new Date(now.getTime() + distance), now)).toBe(text);
  });
});

describe('formatUtc', () => {
  it('writes a time in UTC to the second', () => {
    expect(formatUtc(new Date('2026-11-25T23:34:30.987+02:00'))).toBe('2026-11-25 21:34:30 UTC');
  });
});
