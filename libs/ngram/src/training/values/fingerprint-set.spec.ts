import fc from 'fast-check';
import { FingerprintSet } from './fingerprint-set.js';

const word = fc.oneof(fc.integer({ min: 0, max: 3 }), fc.integer({ min: 0, max: 0xffffffff }));

describe('FingerprintSet', () => {
  test('contains the same members as a Set, and lists them in order', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(word, word), { maxLength: 3000 }), (pairs) => {
        const set = new FingerprintSet();
        const model = new Set<bigint>();
        for (const [high, low] of pairs) {
          const member = (BigInt(high) << 32n) | BigInt(low);
          expect(set.add(high, low)).toBe(!model.has(member));
          model.add(member);
        }
        const expected = [...model].sort((x, y) => (x < y ? -1 : 1));
        const sorted = set.sorted();
        expect(set.size).toBe(model.size);
        expect(expected.every((m, i) => sorted[2 * i] === Number(m >> 32n))).toBe(true);
        expect(expected.every((m, i) => sorted[2 * i + 1] === Number(m & 0xffffffffn))).toBe(true);
        expect(sorted.length).toBe(2 * model.size);
      }),
      { seed: 1, numRuns: 60 },
    );
  });
});
