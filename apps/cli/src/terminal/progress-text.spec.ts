import { clock, progressText } from './progress-text.js';

describe('progressText', () => {
  it('contains a bar, the throughput and the remaining time if the total is known', () => {
    const facts = {
      ...{ done: 4_100_000, total: 10_000_000, unit: 'rows' },
      ...{ perSecond: 312_000, secondsLeft: 5_900_000 / 312_000 },
    };
    expect(progressText(facts)).toBe(
      '[########············]  41 %  4,100,000 of 10,000,000 rows, 312,000 rows/s, 0:19 left',
    );
  });

  it('omits unknown facts', () => {
    expect(progressText({ done: 5, unit: 'bytes', perSecond: 2 })).toBe('5 bytes, 2 bytes/s');
    expect(progressText({ done: 0, total: 0, unit: 'rows' })).toBe(
      '[####################] 100 %  0 of 0 rows',
    );
    expect(progressText({ done: 9, total: 3, unit: 'rows' })).toContain('100 %');
  });

  it('contains the throughput in bytes, and 0 % while the total is 0', () => {
    const facts = { done: 5_000, total: 0, unit: 'rows', perSecond: 1_000, bytesPerSecond: 45_000_000 };
    expect(progressText(facts, 0)).toBe(
      '[····················]   0 %  5,000 of 0 rows, 1,000 rows/s, 45.0 MB/s',
    );
  });

  it.each([
    [0, '0:00'],
    [6.2, '0:07'],
    [750, '12:30'],
    [11_100, '3:05:00'],
  ])('formats %p seconds as %s', (seconds, text) => {
    expect(clock(seconds)).toBe(text);
  });
});
