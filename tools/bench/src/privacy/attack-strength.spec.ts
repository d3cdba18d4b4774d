import fc from 'fast-check';

import { attackStrength } from './attack-strength.js';

describe('attackStrength', () => {
  test('is the share of pairs that the member wins, where ties count half', () => {
    const scores = fc.array(fc.constantFrom(-Infinity, -2, -1, 0, 3), { minLength: 1, maxLength: 20 });
    fc.assert(
      fc.property(scores, scores, (members, outsiders) => {
        const points = members.flatMap((a) => outsiders.map((b) => (a > b ? 1 : a === b ? 0.5 : 0)));
        const share = points.reduce((sum: number, point) => sum + point, 0) / points.length;
        expect(attackStrength(members, outsiders).auc).toBeCloseTo(share, 12);
      }),
      { seed: 1 },
    );
  });

  test('counts members above a threshold that at most one outsider in a hundred exceeds', () => {
    const outsiders = Array.from({ length: 200 }, (_, i) => i);
    expect(attackStrength([196, 197, 198, 300], outsiders).found_at_1_percent).toBe(0.5);
    expect(attackStrength(outsiders, outsiders).found_at_1_percent).toBe(0.01);
  });

  test('rejects empty lists of members or outsiders', () => {
    expect(() => attackStrength([], [1])).toThrow('expected scores of both');
    expect(() => attackStrength([1], [])).toThrow('expected scores of both');
  });
});
