import { retryDelayMs } from './enrolment-client.js';

describe('retryDelayMs', () => {
  it('doubles from 2 s to a minute', () => {
    expect([1, 2, 3, 4, 5, 6, 2_000].map((failures) => retryDelayMs(failures, 0))).toEqual([
      2_000, 4_000, 8_000, 16_000, 32_000, 60_000, 60_000,
    ]);
  });

  it('is shortened by at most a quarter', () => {
    expect(retryDelayMs(1, 1)).toBe(1_500);
    expect(retryDelayMs(50, 1)).toBe(45_000);
  });
});
