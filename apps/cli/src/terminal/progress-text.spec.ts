import { Pace } from './pace.js';
import { clock, progressText } from './progress-text.js';

function paceOf(perSecond: number, done: number): Pace {
  const pace = new Pace();
  pace.observe(0, done - perSecond);
  pace.observe(1000, done);
  return pace;
}

describe('the text of progress', () => {
  it('has a bar, the pace and the time left where the total is known', () => {
    const advance = { done: 4_100_000, total: 10_000_000, unit: 'rows', pace: paceOf(312_000, 4_100_000) };
    expect(progressText(advance)).toBe(
      '[########············]  41 %  4,100,000 of 10,000,000 rows, 312,000 rows/s, 0:19 left',
    );
  });

  it('says what is known where it is not, or nothing has moved', () => {
    expect(progressText({ done: 5, unit: 'bytes', pace: paceOf(2, 5) })).toBe('5 bytes, 2 bytes/s');
    expect(progressText({ done: 0, total: 0, unit: 'rows', pace: new Pace() })).toBe(
      '[####################] 100 %  0 of 0 rows',
    );
    expect(progressText({ done: 9, total: 3, unit: 'rows', pace: new Pace() })).toContain('100 %');
  });

  it.each([
    [0, '0:00'],
    [6.2, '0:07'],
    [750, '12:30'],
    [11_100, '3:05:00'],
  ])('%p seconds are %s', (seconds, text) => {
    expect(clock(seconds)).toBe(text);
  });
});
