import { ThroughputMeter } from './throughput.js';

describe('ThroughputMeter', () => {
  it('returns undefined until it has samples of two different times', () => {
    const meter = new ThroughputMeter();
    expect(meter.perSecond()).toBeUndefined();
    meter.observe(0, 0);
    expect([meter.perSecond(), meter.secondsLeft(10)]).toEqual([undefined, undefined]);
    meter.observe(0, 5);
    expect(meter.perSecond()).toBeUndefined();
  });

  it('measures the last ten seconds, for any number of samples', () => {
    const meter = new ThroughputMeter();
    for (let ms = 0; ms <= 60_000; ms += 5) meter.observe(ms, ms < 30_000 ? 0 : ms - 30_000);
    expect(meter.perSecond()).toBeCloseTo(1_000, 5);
    expect(meter.secondsLeft(40_000)).toBeCloseTo(10, 5);
    expect(meter.secondsLeft(1)).toBe(0);
    for (let ms = 60_000; ms <= 75_000; ms += 5) meter.observe(ms, 30_000);
    expect(meter.perSecond()).toBeUndefined();
  });
});
