import { compileSchema } from '../../src/compile/compile-schema.js';
import { type GeneratorType } from '../../src/registry/generator-type.js';
import fc from 'fast-check';
import { refusalOf } from '../schema-harness.js';
import { OPTIONS } from '../test-model.js';
import { asUse } from './as-use.js';
import { DECLARED_EDGES } from './declared-edges.js';
import { DECLARED_RANGES } from './declared-ranges.js';

const ROWS = 10;

/** Tests that values obey the bounds, lengths, sets and orders that the params declare. */
export function rangeLaws(type: GeneratorType): void {
  const range = DECLARED_RANGES.get(type.name);
  const edges = DECLARED_EDGES.get(type.name);

  describe(`${type.name} within its range`, () => {
    it('has a range in declared-ranges.ts, and edges in declared-edges.ts', () => {
      expect(range).toBeDefined();
      expect(edges).toBeDefined();
    });
    if (range === undefined || edges === undefined) return;

    it.each(type.examples)('respects it in its example %j', (example) => {
      check(asUse(example).params, asUse(example).constraints, 7, 0, 200);
    });

    it.each(edges.accepted)('respects it at the edge %j', (params) => {
      for (const seed of [0, 1, Number.MAX_SAFE_INTEGER, -Number.MAX_SAFE_INTEGER]) {
        check(params, {}, seed, 0, ROWS);
        check(params, {}, seed, 1e9, 1);
      }
    });

    it('refuses params beyond the edges, and names the param', () => {
      const unexpected = edges.refused.flatMap(([param, params]) => {
        const { problems } = refusalOf(() => compileSchema(schemaOf(params, {}), OPTIONS));
        return problems.some(({ path }) => path.endsWith(param)) ? [] : [{ param, params, problems }];
      });
      expect(unexpected).toEqual([]);
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

    function schemaOf(params: Params, constraints: Params): unknown {
      return { generators: { it: { use: type.name, params, constraints } }, output: ['it'] };
    }

    function check(params: Params, constraints: Params, seed: number, from: number, count: number): void {
      let row = from;
      for (const record of compileSchema(schemaOf(params, constraints), OPTIONS).records(seed, from, count)) {
        range?.check(record['it'], params, row, constraints);
        row += 1;
      }
    }
  });
}

type Params = Readonly<Record<string, unknown>>;
