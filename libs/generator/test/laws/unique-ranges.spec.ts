import fc from 'fast-check';
import { chiSquarePValue, expectPlausible } from '../../../random/test/statistics/p-values.js';
import { compileSchema } from '../../src/compile/compile-schema.js';
import { svc, type Json } from '../schema-harness.js';
import { OPTIONS } from '../test-model.js';

function generate(it: Json, count: number, seed = 1): unknown[] {
  const plan = compileSchema({ generators: { it }, output: ['it'] }, OPTIONS);
  return [...plan.records(seed, 0, count)].map((record) => record['it']);
}

/** Generates ranges of integers, each with its number of values. */
const range = fc
  .record({
    min: fc.oneof(fc.integer(), fc.constantFrom(-(2 ** 53) + 1, 2 ** 31 - 2, 2 ** 53 - 400)),
    size: fc.integer({ min: 1, max: 365 }),
    kind: fc.constantFrom('int_between', 'except', 'timestamp', 'digits'),
  })
  .map(({ min, size, kind }): { definition: Json; size: number } => {
    if (kind === 'digits') return { definition: svc('digits', { digits: 2, strict: true }), size: 90 };
    if (kind === 'timestamp') {
      const end = new Date((size - 1) * 1000).toISOString();
      return { definition: svc('timestamp', { start: '1970-01-01', end }), size };
    }
    const params = { min, max: min + size - 1 };
    if (kind === 'int_between' || size === 1) return { definition: svc('int_between', params), size };
    return { definition: svc('int_between', { ...params, except: [min] }), size: size - 1 };
  });

describe('unique on a range of integers', () => {
  it('gives every value once, for any range and seed', () => {
    fc.assert(
      fc.property(range, fc.maxSafeNat(), ({ definition, size }, seed) => {
        const unique = { ...definition, unique: true };
        expect(new Set(generate(unique, size, seed)).size).toBe(size);
        expect(() => generate(unique, size + 1, seed)).toThrow(`unique has used all ${size} values`);
      }),
      { numRuns: 60, seed: 1 },
    );
  });

  it('gives as many values as a repeat asks for, for any range and seed', () => {
    fc.assert(
      fc.property(range, fc.maxSafeNat(), ({ definition, size }, seed) => {
        const repeat = { repeat: { count: size, of: definition, unique: true } };
        for (const items of generate(repeat, 3, seed)) expect(new Set(items as number[]).size).toBe(size);
      }),
      { numRuns: 60, seed: 1 },
    );
  });

  it('does not spend values on nulls', () => {
    const definition = { ...svc('int_between', { min: 1, max: 500 }), unique: true, nullable: 0.5 };
    const kept = generate(definition, 800).filter((value) => value !== null);
    expect(new Set(kept).size).toBe(kept.length);
  });

  it('gives each order with the same probability', () => {
    const orders = ['123', '132', '213', '231', '312', '321'];
    const die = svc('int_between', { min: 1, max: 3 });
    const even = orders.map(() => 1 / orders.length);
    const modifier = orders.map(() => 0);
    for (let seed = 0; seed < 3000; seed += 1) {
      const place = orders.indexOf(generate({ ...die, unique: true }, 3, seed).join(''));
      modifier[place] = (modifier[place] ?? 0) + 1;
    }
    expectPlausible(chiSquarePValue(modifier, even));
    const repeated = orders.map(() => 0);
    for (const items of generate({ repeat: { count: 3, of: die, unique: true } }, 6000)) {
      const place = orders.indexOf((items as number[]).join(''));
      repeated[place] = (repeated[place] ?? 0) + 1;
    }
    expectPlausible(chiSquarePValue(repeated, even));
  });
});
