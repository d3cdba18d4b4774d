import { compileDefinition } from '../../src/compile/compile-definition.js';
import { compileSchema } from '../../src/compile/compile-schema.js';
import { type CompileOptions } from '../../src/registry/generator-type.js';
import { deriveKey, rootKey } from '@understudy/random';
import fc from 'fast-check';
import { asText, type Json } from '../schema-harness.js';
import { OPTIONS } from '../test-model.js';

const seeds = fc.maxSafeNat();
const ROWS = 23;

export interface LawContext {
  /** Generators that the definition refers to. */
  readonly siblings?: Json;
  readonly options?: CompileOptions;
}

/** Tests the laws that every generator must obey. Call it for each new type. */
export function generatorLaws(
  name: string,
  definition: Json,
  { siblings = {}, options = OPTIONS }: LawContext = {},
): void {
  const planOf = (generators: Json): ReturnType<typeof compileSchema> =>
    compileSchema({ generators, output: ['it'] }, options);
  const column = (generators: Json, seed: number, from: number, count: number): unknown[] =>
    [...planOf(generators).records(seed, from, count)].map((record) => record['it']);
  const values = (seed: number, from: number, count: number): unknown[] =>
    column({ ...siblings, it: definition }, seed, from, count);

  describe(name, () => {
    it('gives the same values for the same seed', () => {
      fc.assert(
        fc.property(seeds, (seed) => {
          expect(values(seed, 0, 10)).toEqual(values(seed, 0, 10));
        }),
        { numRuns: 10 },
      );
    });

    it('does not depend on the rows generated before', () => {
      fc.assert(
        fc.property(seeds, fc.nat(30), (seed, row) => {
          expect(values(seed, row, 1)).toEqual(values(seed, 0, row + 1).slice(row));
        }),
        { numRuns: 10 },
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
        { numRuns: 10 },
      );
    });

    it.each([1, 2, 7])('gives the same bytes if %i workers share the rows', (workers) => {
      const whole = planOf({ ...siblings, it: definition }).open(42);
      const lines: string[] = [];
      for (let worker = 0; worker < workers; worker += 1) {
        const cursor = planOf({ ...siblings, it: definition }).open(42);
        const [from, to] = [worker, worker + 1].map((edge) => Math.floor((edge * ROWS) / workers));
        for (let row = from ?? 0; row < (to ?? 0); row += 1) {
          cursor.moveTo(row);
          lines.push(asText(cursor.values));
        }
      }
      const expected = Array.from({ length: ROWS }, (_, row) => {
        whole.moveTo(row);
        return asText(whole.values);
      });
      expect(lines).toEqual(expected);
    });

    it('does not change when other generators of the schema do', () => {
      const expected = values(9, 0, 20);
      const others: Json[] = [
        { other: { type: 'svc', algorithm: 'uuid_v4' } },
        { other: { type: 'svc', algorithm: 'digits', params: { digits: 9 }, unique: true } },
        {
          another: { repeat: { count: '1-3', of: { type: 'svc', algorithm: 'nanoid' } } },
          other: { body: '' },
        },
      ];
      for (const other of others) {
        expect(column({ ...other, ...siblings, it: definition }, 9, 0, 20)).toEqual(expected);
        const output = [...Object.keys(other), 'it'];
        const plan = compileSchema(
          { generators: { it: definition, ...siblings, ...other }, output },
          options,
        );
        expect([...plan.records(9, 0, 20)].map((record) => record['it'])).toEqual(expected);
      }
    });

    it('keeps the values that nullable does not replace', () => {
      if (definition['unique'] === true) return; // with unique, a row that becomes null frees its value for other rows
      const plain = column({ ...siblings, it: { ...definition, nullable: false } }, 3, 0, 60);
      const nullable = column({ ...siblings, it: { ...definition, nullable: 0.5 } }, 3, 0, 60);
      const kept = nullable.map((value, row) => (value === null ? null : asText(plain[row])));
      expect(nullable.map((value) => (value === null ? null : asText(value)))).toEqual(kept);
      const nulls = nullable.filter((value) => value === null).length;
      expect(nulls).toBeGreaterThan(10);
      expect(nulls).toBeLessThan(60);
    });
  });
}

/** Tests the laws that every definition in a column rule must obey. */
export function cellLaws(name: string, definition: Json, { options = OPTIONS }: LawContext = {}): void {
  describe(`${name} as a cell`, () => {
    it('is a pure function of key, row and attempt', () => {
      const plan = compileDefinition(definition, { ...options, path: 'rule' });
      const other = compileDefinition(definition, { ...options, path: 'elsewhere' });
      const key = deriveKey(rootKey('laws', 1), 'a');
      const same = { ...key };
      fc.assert(
        fc.property(fc.integer(), fc.integer(), fc.nat(50), (hi, lo, attempt) => {
          const value = plan.value(key, hi | 0, lo | 0, attempt, []);
          plan.value(same, 1, 2, 3, []);
          expect(plan.value(same, hi | 0, lo | 0, attempt, [])).toEqual(value);
          expect(other.value(key, hi | 0, lo | 0, attempt, [])).toEqual(value);
        }),
        { numRuns: 50 },
      );
    });

    it('gives different values for a different row, attempt or key', () => {
      const plan = compileDefinition(definition, { ...options, path: 'rule' });
      const key = deriveKey(rootKey('laws', 1), 'a');
      const otherKey = deriveKey(rootKey('laws', 1), 'b');
      const rows = Array.from({ length: 200 }, (_, row) => row);
      const base = rows.map((row) => plan.value(key, 0, row, 0, []));
      expect(new Set(base.map(asText)).size).toBeGreaterThan(1);
      expect(rows.map((row) => plan.value(key, 0, row, 1, []))).not.toEqual(base);
      expect(rows.map((row) => plan.value(key, 1, row, 0, []))).not.toEqual(base);
      expect(rows.map((row) => plan.value(otherKey, 0, row, 0, []))).not.toEqual(base);
    });
  });
}
