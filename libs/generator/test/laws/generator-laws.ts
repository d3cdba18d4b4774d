import { compileDefinition, compileSchema } from '@understudy/generator';
import { deriveKey, rootKey } from '@understudy/random';
import fc from 'fast-check';
import { OPTIONS } from '../test-model.js';

const seeds = fc.maxSafeNat();

/** What every generator keeps. Call it for each new type. */
export function generatorLaws(name: string, definition: unknown, extra: Record<string, unknown> = {}): void {
  const schema = { generators: { ...extra, it: definition }, output: ['it'] };
  const values = (seed: number, from: number, count: number): unknown[] =>
    [...compileSchema(schema, OPTIONS).records(seed, from, count)].map((record) => record['it']);

  describe(name, () => {
    it('gives the same values for the same seed', () => {
      fc.assert(
        fc.property(seeds, (seed) => {
          expect(values(seed, 0, 10)).toEqual(values(seed, 0, 10));
        }),
        { numRuns: 20 },
      );
    });

    it('does not depend on the rows made before', () => {
      fc.assert(
        fc.property(seeds, fc.nat(30), (seed, row) => {
          expect(values(seed, row, 1)).toEqual(values(seed, 0, row + 1).slice(row));
        }),
        { numRuns: 20 },
      );
    });

    it('gives the same records for any split of the rows', () => {
      fc.assert(
        fc.property(seeds, fc.array(fc.nat(7), { minLength: 1, maxLength: 6 }), (seed, sizes) => {
          let from = 0;
          const parts = sizes.flatMap((size) => {
            const part = values(seed, from, size);
            from += size;
            return part;
          });
          expect(parts).toEqual(values(seed, 0, from));
        }),
        { numRuns: 20 },
      );
    });

    it('does not change when another generator is added', () => {
      const more = {
        generators: { other: { type: 'svc', algorithm: 'uuid_v4' }, ...schema.generators },
        output: ['other', 'it'],
      };
      const beside = [...compileSchema(more, OPTIONS).records(9, 0, 20)].map((record) => record['it']);
      expect(beside).toEqual(values(9, 0, 20));
    });
  });
}

/** What every definition that a column rule may hold keeps. */
export function cellLaws(name: string, definition: unknown): void {
  describe(`${name} as a cell`, () => {
    it('is a pure function of key, row and attempt', () => {
      const plan = compileDefinition(definition, { ...OPTIONS, path: 'rule' });
      const other = compileDefinition(definition, { ...OPTIONS, path: 'elsewhere' });
      const key = deriveKey(rootKey('laws', 1), 'a');
      const same = { ...key };
      fc.assert(
        fc.property(fc.integer(), fc.integer(), fc.nat(50), (hi, lo, attempt) => {
          const value = plan.value(key, hi | 0, lo | 0, attempt, []);
          plan.value(same, 1, 2, 3, []);
          expect(plan.value(same, hi | 0, lo | 0, attempt, [])).toEqual(value);
          expect(other.value(key, hi | 0, lo | 0, attempt, [])).toEqual(value);
        }),
      );
    });

    it('gives other values for another row, another attempt and another key', () => {
      const plan = compileDefinition(definition, { ...OPTIONS, path: 'rule' });
      const key = deriveKey(rootKey('laws', 1), 'a');
      const otherKey = deriveKey(rootKey('laws', 1), 'b');
      const rows = Array.from({ length: 200 }, (_, row) => row);
      const base = rows.map((row) => plan.value(key, 0, row, 0, []));
      expect(new Set(base.map((value) => JSON.stringify(value, bigints))).size).toBeGreaterThan(1);
      expect(rows.map((row) => plan.value(key, 0, row, 1, []))).not.toEqual(base);
      expect(rows.map((row) => plan.value(key, 1, row, 0, []))).not.toEqual(base);
      expect(rows.map((row) => plan.value(otherKey, 0, row, 0, []))).not.toEqual(base);
    });
  });
}

function bigints(_: string, value: unknown): unknown {
  return typeof value === 'bigint' ? `${value}n` : value;
}
