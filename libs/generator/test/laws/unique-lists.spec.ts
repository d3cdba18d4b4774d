import fc from 'fast-check';
import { parseExactJson } from '@understudy/expression';
import { chiSquarePValue, expectPlausible } from '../../../random/test/statistics/p-values.js';
import { svc, values, type Json } from '../schema-harness.js';

const NONE_LEFT = /unique has used all \d+ values|unique cannot give/;

/** Generates weights that differ by up to twelve orders of magnitude. */
const weights = fc.array(fc.constantFrom(1e-6, 0.5, 1, 3, 1e6), { minLength: 1, maxLength: 40 });

const listOf = (all: readonly number[]): Json => ({
  type: 'list',
  values: all.map((weight, i) => ({ value: i % 2 === 0 ? i : { number: i }, weight })),
});

const repeated = (count: number, of: Json): Json => ({ repeat: { count, of, unique: true } });
const different = (made: readonly unknown[]): number =>
  new Set(made.map((value) => JSON.stringify(value))).size;

describe('unique on a list', () => {
  it('gives every value once, for any weights and seed', () => {
    fc.assert(
      fc.property(weights, fc.boolean(), (all, isCategorical) => {
        const plain: Json = isCategorical
          ? { type: 'statistical', mode: 'categorical', values: listOf(all)['values'] }
          : listOf(all);
        expect(different(values({ ...plain, unique: true }, all.length))).toBe(all.length);
        expect(() => values({ ...plain, unique: true }, all.length + 1)).toThrow(NONE_LEFT);
        for (const items of values(repeated(all.length, plain), 3))
          expect(different(items as unknown[])).toBe(all.length);
        expect(() => values(repeated(all.length + 1, plain), 1)).toThrow(NONE_LEFT);
      }),
      { numRuns: 60, seed: 1 },
    );
  });

  it('gives every value of a transform once', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 30 }), fc.integer({ min: 1, max: 30 }), (all, kept) => {
        const list = { type: 'list', values: Array.from({ length: all }, (_, i) => i) };
        const it = { ...list, transform: `value % ${kept}`, unique: true };
        const size = Math.min(all, kept);
        expect(different(values(it, size))).toBe(size);
        expect(() => values(it, size + 1)).toThrow(NONE_LEFT);
      }),
      { numRuns: 60, seed: 1 },
    );
  });

  it('draws by weight over what is left', () => {
    const orders = ['123', '132', '213', '231', '312', '321'];
    const weight = [0, 1, 2, 1e4];
    const total = 10_003;
    const expected = orders.map((order) => {
      const [a = 0, b = 0] = [...order].map((digit) => weight[Number(digit)]);
      return ((a / total) * b) / (total - a);
    });
    const list = {
      type: 'list',
      values: [1, 2, 3].map((value) => ({ value, weight: weight[value] })),
    };
    const counts = orders.map(() => 0);
    for (const items of values(repeated(3, list), 20_000)) {
      const place = orders.indexOf((items as number[]).join(''));
      counts[place] = (counts[place] ?? 0) + 1;
    }
    // The orders that do not begin with 3 have an expected count below 5, so they are compared as one.
    const joined = (all: readonly number[]): number[] => [
      all.slice(0, 4).reduce((sum, each) => sum + each, 0),
      ...all.slice(4),
    ];
    expectPlausible(chiSquarePValue(joined(counts), joined(expected)));
  });

  it.each(['{"a":1}', '[1,2]', '0.10000000000000001', '90071992547409931', '"text"'])(
    'counts equal elements %s once',
    (json) => {
      const list = { type: 'list', values: parseExactJson(`[${json},7,${json}]`) };
      expect(values({ ...list, unique: true }, 2)).toHaveLength(2);
      expect(() => values({ ...list, unique: true }, 3)).toThrow('unique has used all 2 values');
      expect(() => values(repeated(3, list as Json), 1)).toThrow('the generator has at most 2');
    },
  );

  it('repeats null, also if it is rare', () => {
    const list = { type: 'list', values: [{ value: null, weight: 1e-6 }, 1, 2, 3], unique: true };
    const made = values(list, 20);
    expect(made.filter((value) => value !== null).sort()).toEqual([1, 2, 3]);
  });

  it('gives both values of a boolean, also if one is rare', () => {
    for (const probability of [1e-9, 0.5, 1 - 1e-9]) {
      const boolean = svc('boolean', { probability });
      expect(values({ ...boolean, unique: true }, 2).sort()).toEqual([false, true]);
      expect(() => values({ ...boolean, unique: true }, 3)).toThrow('unique has used all 2 values');
    }
    expect(() => values({ ...svc('boolean', { probability: 1 }), unique: true }, 2)).toThrow(
      'unique has used all 1 values',
    );
  });
});
