import { compileSchema } from '../../src/compile/compile-schema.js';
import { type GeneratorType } from '../../src/registry/generator-type.js';
import fc from 'fast-check';
import { OPTIONS } from '../test-model.js';
import { asUse } from './as-use.js';
import { DECLARED_RANGES } from './declared-ranges.js';

const ROWS = 25;

/** Tests that values obey the bounds, lengths, sets and orders that the params declare. */
export function rangeLaws(type: GeneratorType): void {
  const range = DECLARED_RANGES.get(type.name);

  describe(`${type.name} within its range`, () => {
    it('has a range in declared-ranges.ts', () => {
      expect(range).toBeDefined();
    });
    if (range === undefined) return;

    it.each(type.examples)('respects it in its example %j', (example) => {
      check(asUse(example).params, asUse(example).constraints, 7, 0, 200);
    });

    it('respects it for any params', () => {
      fc.assert(
        fc.property(
          range.params,
          range.constraints ?? fc.constant({}),
          fc.maxSafeNat(),
          fc.nat(1e9),
          (params, constraints, seed, from) => {
            check(params, constraints, seed, from, ROWS);
          },
        ),
        { numRuns: 60, seed: 1 },
      );
    });

    function check(params: Params, constraints: Params, seed: number, from: number, count: number): void {
      const schema = { generators: { it: { use: type.name, params, constraints } }, output: ['it'] };
      let row = from;
      for (const record of compileSchema(schema, OPTIONS).records(seed, from, count)) {
        range?.check(record['it'], params, row, constraints);
        row += 1;
      }
    }
  });
}

type Params = Readonly<Record<string, unknown>>;
