import { chiSquarePValue, expectPlausible } from '../../../random/test/statistics/p-values.js';
import { svc } from '../schema-harness.js';
import { countsOf } from './sample.js';

/** Returns the seconds of the day from `from` to `to`, over midnight if `to` is earlier. */
function secondsFrom(from: number, to: number): string[] {
  const seconds: string[] = [];
  for (let at = from; ; at = (at + 1) % 86_400) {
    seconds.push(
      [Math.floor(at / 3600), Math.floor(at / 60) % 60, at % 60]
        .map((n) => String(n).padStart(2, '0'))
        .join(':'),
    );
    if (at === to) return seconds;
  }
}

const at = (hour: number, minute = 0, second = 0): number => (hour * 60 + minute) * 60 + second;

describe('time_between draws each second of the range with the same probability', () => {
  it.each<[string, string, number, number]>([
    ['22:00', '06:00', at(22), at(6)],
    ['23:00', '01:00', at(23), at(1)],
    ['23:59:30', '00:00:10', at(23, 59, 30), at(0, 0, 10)],
    ['00:00:01', '00:00:00', at(0, 0, 1), at(0)],
    ['23:59:59', '00:00', at(23, 59, 59), at(0)],
    ['09:00', '09:01', at(9), at(9, 1)],
    ['12:00', '12:00', at(12), at(12)],
  ])('from %s to %s', (start, end, from, to) => {
    const seconds = secondsFrom(from, to);
    const cells = Math.min(seconds.length, 50);
    const counts = countsOf(svc('time_between', { start, end }), seconds, 20_000);
    if (cells === 1) return; // countsOf found only this value
    const bins = new Array<number>(cells).fill(0);
    const sizes = new Array<number>(cells).fill(0);
    counts.forEach((count, i) => {
      const bin = Math.floor((i * cells) / seconds.length);
      bins[bin] = (bins[bin] ?? 0) + count;
      sizes[bin] = (sizes[bin] ?? 0) + 1;
    });
    expectPlausible(
      chiSquarePValue(
        bins,
        sizes.map((size) => size / seconds.length),
      ),
    );
  });
});
