import fc from 'fast-check';
import { TextPool } from './text-pool.js';

describe('TextPool', () => {
  test('numbers texts in order, recognises repeats, and sorts by code points', () => {
    const text = fc.string({
      unit: fc.constantFrom('a', 'b', '\uffee', '\u{10000}', 'é'),
      minLength: 1,
      maxLength: 3,
    });
    fc.assert(
      fc.property(fc.array(text, { maxLength: 1200 }), (texts) => {
        const pool = new TextPool();
        const known: string[] = [];
        for (const value of texts) {
          const bytes = Uint8Array.of(1, ...new TextEncoder().encode(value), 1);
          const at = known.indexOf(value);
          expect(pool.intern(bytes, 1, bytes.length - 1)).toBe(at < 0 ? known.length : at);
          if (at < 0) known.push(value);
        }
        const kept = [...known.keys()].filter((number) => number % 3 !== 1);
        const { texts: sorted, order } = pool.sorted(kept);
        const points = (value: string) =>
          [...value].map((c) => (c.codePointAt(0) ?? 0).toString(16).padStart(6, '0')).join();
        const expected = known
          .map((value, number) => ({ value, number }))
          .filter(({ number }) => number % 3 !== 1)
          .sort((x, y) => (points(x.value) < points(y.value) ? -1 : 1));
        expect([...order]).toEqual(expected.map(({ number }) => number));
        expected.forEach(({ value }, i) => {
          expect(sorted.text(i)).toBe(value);
          expect(sorted.find(new TextEncoder().encode(value))).toBe(i);
        });
        for (const prefix of ['a', 'ab', '\uffee', '\u{10000}', 'z', '']) {
          const { first, end } = sorted.range(prefix);
          const within = expected
            .map(({ value }, i) => (value.startsWith(prefix) ? i : -1))
            .filter((i) => i >= 0);
          expect(end - first).toBe(within.length);
          if (within.length > 0) expect(first).toBe(within[0]);
        }
      }),
      { seed: 3, numRuns: 40 },
    );
  });
});
