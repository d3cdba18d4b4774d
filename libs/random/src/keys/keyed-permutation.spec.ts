import fc from 'fast-check';
import { deriveKey, KeyedPermutation, rootKey } from '../index.js';

const KEY = deriveKey(rootKey('test', 1), 'column');
const TWO_53 = 9007199254740992;

describe('KeyedPermutation', () => {
  it('returns every number of its range exactly once', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 3000 }), fc.string({ maxLength: 3 }), (size, label) => {
        const permutation = new KeyedPermutation(deriveKey(KEY, label), size);
        const seen = new Set(Array.from({ length: size }, (_, i) => permutation.of(i)));
        expect(seen.size).toBe(size);
        expect(Math.max(...seen)).toBe(size - 1);
        expect(Math.min(...seen)).toBe(0);
      }),
      { numRuns: 60 },
    );
  });

  it('stays in its range without collisions for large sizes', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: TWO_53 - 1 }),
        fc.uniqueArray(fc.nat({ max: TWO_53 - 1 }), { minLength: 2, maxLength: 20 }),
        (span, picks) => {
          const size = Math.max(span, Math.max(...picks) + 1);
          const permutation = new KeyedPermutation(KEY, size);
          const images = picks.map((index) => permutation.of(index));
          expect(new Set(images).size).toBe(picks.length);
          for (const image of images)
            expect(image >= 0 && image < size && Number.isInteger(image)).toBe(true);
        },
      ),
    );
  });

  it.each([2, 3, 5, 10])(
    'maps a number of %d to every other with the same frequency over many keys',
    (size) => {
      const trials = 4000;
      const counts = new Array<number>(size).fill(0);
      for (let i = 0; i < trials; i++) {
        const image = new KeyedPermutation(deriveKey(KEY, `trial ${i}`), size).of(1);
        counts[image] = (counts[image] ?? 0) + 1;
      }
      const expected = trials / size;
      const chiSquare = counts.reduce((sum, count) => sum + (count - expected) ** 2 / expected, 0);
      // The 99.99th percentile for 9 degrees of freedom. With fewer degrees of freedom it is lower.
      expect(chiSquare).toBeLessThan(33.7);
    },
  );

  it('gives pinned numbers', () => {
    const permutation = new KeyedPermutation(KEY, 1_000_000);
    expect([0, 1, 2, 999_999].map((index) => permutation.of(index))).toMatchInlineSnapshot(`
     [
       801172,
       150348,
       456208,
       821441,
     ]
    `);
  });

  it.each([0, -1, 1.5, NaN, TWO_53 * 2])('refuses a size of %d', (size) => {
    expect(() => new KeyedPermutation(KEY, size)).toThrow(RangeError);
  });
});
