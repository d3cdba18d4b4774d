import { Pace } from './pace.js';

describe('pace', () => {
  it('is unknown before two different moments', () => {
    const pace = new Pace();
    expect(pace.perSecond()).toBeUndefined();
    pace.observe(0, 0);
    expect([pace.perSecond(), pace.secondsLeft(10)]).toEqual([undefined, undefined]);
    pace.observe(0, 5);
    expect(pace.perSecond()).toBeUndefined();
  });

  it('is what the last ten seconds say, however often it is asked', () => {
    const pace = new Pace();
    for (let ms = 0; ms <= 60_000; ms += 5) pace.observe(ms, ms < 30_000 ? 0 : ms - 30_000);
    expect(pace.perSecond()).toBeCloseTo(1_000, 5);
    expect(pace.secondsLeft(40_000)).toBeCloseTo(10, 5);
    expect(pace.secondsLeft(1)).toBe(0);
    for (let ms = 60_000; ms <= 75_000; ms += 5) pace.observe(ms, 30_000);
    expect(pace.perSecond()).toBeUndefined();
  });
});
