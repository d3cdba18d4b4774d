import fc from 'fast-check';
import { FingerprintTable } from './fingerprint-table.js';

const word = fc.oneof(fc.constantFrom(0, 1, -1, 1 << 31), fc.integer({ min: -(2 ** 31), max: 2 ** 31 - 1 }));

describe('FingerprintTable', () => {
  it('returns the number with which each fingerprint was added', () => {
    const different = fc.uniqueArray(fc.tuple(word, word), {
      // The table stores the fingerprint 0 0 as 0 1.
      selector: ([high, low]) => (high === 0 && low === 0 ? '0 1' : `${high} ${low}`),
      maxLength: 200,
    });
    fc.assert(
      fc.property(different, (pairs) => {
        const table = new FingerprintTable(true);
        pairs.forEach(([high, low], i) => {
          expect(table.has(high, low)).toBe(false);
          expect(table.numberOf(high, low)).toBe(-1);
          expect(table.add(high, low, i)).toBe(true);
        });
        pairs.forEach(([high, low], i) => {
          expect(table.add(high, low, 99)).toBe(false);
          expect(table.numberOf(high, low)).toBe(i);
        });
        expect(table.size).toBe(pairs.length);
      }),
    );
  });

  it('grows beyond its first slots, even if all fingerprints share their top bits', () => {
    const table = new FingerprintTable();
    for (let i = 1; i <= 20_000; i++) table.add(7, Math.imul(i, 0x9e3779b1));
    expect(table.size).toBe(20_000);
    for (let i = 1; i <= 20_000; i++) expect(table.has(7, Math.imul(i, 0x9e3779b1))).toBe(true);
    expect(table.has(8, 5)).toBe(false);
  });
});
