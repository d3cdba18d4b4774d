import { RandomStream, rootKey, WeightedPick } from '@understudy/random';
import fc from 'fast-check';
import { evenVariety, weightedVariety } from './variety.js';

describe('weightedVariety', () => {
  it('equals that of even values if all weights are the same', () => {
    for (const n of [1, 2, 10, 999]) {
      expect(weightedVariety(Array<number>(n).fill(3))).toEqual(evenVariety(n));
    }
  });

  it('counts the possible values, in any unit, from one value to all', () => {
    const weights = fc.array(fc.integer({ min: 0, max: 1000 }), { minLength: 1, maxLength: 40 });
    fc.assert(
      fc.property(
        weights.filter((all) => all.some((weight) => weight > 0)),
        (all) => {
          const { most, easy } = weightedVariety(all);
          expect(most).toBe(all.filter((weight) => weight > 0).length);
          expect(easy).toBeGreaterThanOrEqual(1);
          expect(easy).toBeLessThanOrEqual(most);
          expect(weightedVariety(all.map((weight) => weight * 1024))).toEqual({ most, easy });
        },
      ),
    );
  });

  it('agrees with sampling', () => {
    const weights = Array.from({ length: 2000 }, (_, i) => 1 / (i + 1));
    const { easy } = weightedVariety(weights);
    const total = weights.reduce((sum, weight) => sum + weight, 0);
    const pick = new WeightedPick(weights);
    const random = new RandomStream().seek(rootKey('variety', 1), 0);
    const seen = new Set<number>();
    let left = total;
    while (seen.size < easy) {
      const index = pick.pick(random);
      if (seen.has(index)) continue;
      seen.add(index);
      left -= weights[index] ?? 0;
    }
    expect(left / total).toBeGreaterThan(0.07);
    expect(left / total).toBeLessThan(0.13);
  });
});
