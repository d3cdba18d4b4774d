import fc from 'fast-check';
import { chiSquarePValue, expectPlausible } from '../../../random/test/statistics/p-values.js';
import { compileDefinition } from '../../src/compile/compile-definition.js';
import { compileSchema } from '../../src/compile/compile-schema.js';
import { svc, type Json } from '../schema-harness.js';
import { OPTIONS } from '../test-model.js';

function generate(it: Json, count: number, seed = 1): unknown[] {
  const plan = compileSchema({ generators: { it }, output: ['it'] }, OPTIONS);
  return [...plan.records(seed, 0, count)].map((record) => record['it']);
}

const at = (ms: number): string => new Date(ms).toISOString();
const DAY_MS = 86_400_000;

/** Generates ranges, each with its number of values. */
const range = fc
  .record({
    min: fc.oneof(fc.integer(), fc.constantFrom(-(2 ** 53) + 1, 2 ** 31 - 2, 2 ** 53 - 400)),
    size: fc.integer({ min: 1, max: 365 }),
    kind: fc.constantFrom(
      ...['int_between', 'except', 'timestamp', 'digits'],
      ...['date_between', 'datetime_between', 'time_between', 'float_between'],
    ),
  })
  .map(({ min, size, kind }): { definition: Json; size: number } => {
    if (kind === 'digits') return { definition: svc('digits', { digits: 2, strict: true }), size: 90 };
    if (kind === 'timestamp') {
      return { definition: svc('timestamp', { start: at(0), end: at((size - 1) * 1000) }), size };
    }
    if (kind === 'date_between')
      return { definition: svc(kind, { start: at(0), end: at((size - 1) * DAY_MS) }), size };
    if (kind === 'datetime_between')
      return { definition: svc(kind, { start: at(size - 1), end: at(0) }), size };
    if (kind === 'time_between') {
      const end = at(DAY_MS - 60_000 + (size - 1) * 1000).slice(11, 19);
      return { definition: svc(kind, { start: '23:59', end }), size };
    }
    if (kind === 'float_between') {
      const from = min % 1e6;
      return { definition: svc(kind, { min: from / 100, max: (from + size - 1) / 100 }), size };
    }
    const params = { min, max: min + size - 1 };
    if (kind === 'int_between' || size === 1) return { definition: svc('int_between', params), size };
    return { definition: svc('int_between', { ...params, except: [min] }), size: size - 1 };
  });

describe('unique on a range', () => {
  it('[2.9.1/1] gives every value once, for any range and seed', () => {
    fc.assert(
      fc.property(range, fc.maxSafeNat(), ({ definition, size }, seed) => {
        const unique = { ...definition, unique: true };
        expect(new Set(generate(unique, size, seed)).size).toBe(size);
        expect(() => generate(unique, size + 1, seed)).toThrow(`unique has used all ${size} values`);
      }),
      { numRuns: 60, seed: 1 },
    );
  });

  it('[2.9.7/19] gives as many values as a repeat asks for, for any range and seed', () => {
    fc.assert(
      fc.property(range, fc.maxSafeNat(), fc.boolean(), ({ definition, size }, seed, isTransformed) => {
        const of = isTransformed ? { ...definition, transform: "concat('n', value)" } : definition;
        const repeat = { repeat: { count: size, of, unique: true } };
        for (const items of generate(repeat, 3, seed)) expect(new Set(items as number[]).size).toBe(size);
      }),
      { numRuns: 60, seed: 1 },
    );
  });

  it('gives every value of a transform once, also if the transform gives a value several times', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 60 }),
        fc.integer({ min: 1, max: 60 }),
        fc.nat(),
        (all, kept, seed) => {
          const size = Math.min(all, kept);
          const definition = { ...svc('int_between', { max: all - 1 }), transform: `value % ${kept}` };
          expect(new Set(generate({ ...definition, unique: true }, size, seed)).size).toBe(size);
          const repeat = (count: number): Json => ({ repeat: { count, of: definition, unique: true } });
          expect(new Set(generate(repeat(size), 1, seed)[0] as number[]).size).toBe(size);
          if (kept < all) {
            const message = 'the transform gave only ' + `${kept} different values`;
            expect(() => generate({ ...definition, unique: true }, size + 1, seed)).toThrow(message);
            expect(() => generate(repeat(size + 1), 1, seed)).toThrow(message);
          }
        },
      ),
      { numRuns: 60, seed: 1 },
    );
  });

  it('names the transform if a large range gives too few different values', () => {
    const year = {
      ...svc('datetime_between', { start: '2020-01-01', end: '2026-01-01' }),
      transform: 'year(value)',
    };
    const message =
      'the transform gave only 6 different values; let the transform keep more of the value, or request fewer';
    expect(() => generate({ ...year, unique: true }, 7)).toThrow(message);
    const random = { ...svc('uuid_v4'), transform: 'substring(value, 0, 1)' };
    expect(() => generate({ ...random, unique: true }, 17)).toThrow(
      'let the transform keep more of the value, or let the generator produce more values, or request fewer',
    );
  });

  it('does not spend values on nulls of a transform', () => {
    const definition = {
      ...svc('int_between', { max: 9 }),
      transform: 'value < 5 ? null : value',
      unique: true,
    };
    expect(generate(definition, 10).sort()).toEqual([5, 6, 7, 8, 9, null, null, null, null, null]);
  });

  it('gives nulls of a transform without end, also in a repeat', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 9 }), fc.integer({ min: 11, max: 40 }), (kept, count) => {
        const it = { ...svc('int_between', { max: 9 }), transform: `value < ${kept} ? value : null` };
        const check = (values: readonly unknown[]): void => {
          expect(values.filter((value) => value !== null).sort()).toEqual(
            Array.from({ length: kept }, (_, i) => i),
          );
        };
        const unique = { ...it, unique: true };
        check(generate(unique, count));
        check(generate({ repeat: { count, of: it, unique: true } }, 1)[0] as unknown[]);
        const plan = compileSchema({ generators: { it: unique }, output: ['it'] }, OPTIONS);
        expect(plan.warnings(count)).toEqual([]);
      }),
      { numRuns: 30, seed: 1 },
    );
    const failing = { ...svc('int_between', { max: 9 }), transform: '1 / (value - 3)', unique: true };
    expect(() => generate(failing, 11)).toThrow('is not a finite number');
  });

  it.each([15, 16, 17, 18])('gives different numbers of %i digits, with every digit', (digits) => {
    for (const strict of [true, false]) {
      const values = generate({ ...svc('digits', { digits, strict }), unique: true }, 2000) as (
        | number
        | bigint
      )[];
      expect(new Set(values.map(BigInt)).size).toBe(2000);
      // Doubles beyond 2^53 would be even.
      expect(values.filter((value) => BigInt(value) % 2n === 1n).length).toBeGreaterThan(800);
      for (const value of values)
        if (typeof value === 'number') expect(Number.isSafeInteger(value)).toBe(true);
    }
  });

  it('names the first of consecutive integers only if a double holds all of them', () => {
    for (let digits = 1; digits <= 18; digits += 1) {
      for (const strict of [true, false]) {
        const { traits } = compileDefinition(svc('digits', { digits, strict }), { ...OPTIONS, path: 'it' });
        const { from, count = 0 } = traits?.numbered ?? {};
        if (from !== undefined) expect(Number.isSafeInteger(from + count - 1)).toBe(true);
        expect(from !== undefined).toBe(digits <= 15);
      }
    }
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
