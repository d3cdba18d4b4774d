import { svc, type Json } from '../../test/schema-harness.js';
import { OPTIONS } from '../../test/test-model.js';
import { compileSchema } from '../compile/compile-schema.js';
import { CORE_REGISTRY } from '../types/core-registry.js';
import { defineGenerator, type GeneratorDefinition } from './define-generator.js';

/** Returns the values of a generator in `rows` rows, starting with row `from`. */
function columnOf(members: Partial<GeneratorDefinition>, params: Json, rows: number, from = 0): unknown[] {
  const type = defineGenerator({
    name: '@acme/x:y',
    description: 'For a test.',
    params: { n: { type: 'integer', default: 0 } },
    output: 'any',
    examples: [],
    build: () => () => null,
    ...members,
  });
  const schema = {
    generators: { row: svc('sequence'), it: { use: '@acme/x:y', params } },
    output: ['it'],
  };
  const plan = compileSchema(schema, { ...OPTIONS, registry: CORE_REGISTRY.with(type) });
  return [...plan.records(1, from, rows)].map((record) => record['it']);
}

describe('defineGenerator', () => {
  it('builds once if params are constant, otherwise once for each set of values', () => {
    const built: number[] = [];
    const build: GeneratorDefinition['build'] = (parameters) => {
      built.push(parameters.integer('n'));
      return () => 0;
    };
    columnOf({ build }, { n: 7 }, 50);
    expect(built.splice(0)).toEqual([7]);
    columnOf({ build }, { n: '{{row % 3}}' }, 50);
    expect(built.splice(0)).toEqual([1, 2, 0]);
  });

  it('gives the same values for constant params and for templates that produce them', () => {
    const build: GeneratorDefinition['build'] = (parameters) => (random) =>
      parameters.integer('n') + random.below(1000);
    const constant = columnOf({ build }, { n: 5 }, 20);
    expect(columnOf({ build }, { n: '{{5 + 0}}' }, 20)).toEqual(constant);
    expect(columnOf({ build }, { n: '{{if(row > 0, 5, row)}}' }, 20)).toEqual(constant);
  });

  it('gives a row the same value even if its set of values was evicted from the cache', () => {
    const build: GeneratorDefinition['build'] = (parameters) => (random) =>
      parameters.integer('n') * 1000 + random.below(1000);
    const params = { n: '{{row % 300}}' };
    const whole = columnOf({ build }, params, 900);
    expect(new Set(whole.map((value) => Math.floor(Number(value) / 1000))).size).toBe(300);
    for (const row of [0, 255, 256, 299, 300, 899]) {
      expect(columnOf({ build }, params, 1, row)).toEqual([whole[row]]);
    }
  });

  it('gives each further stream independent values', () => {
    const streamed =
      (streams: readonly string[], drawn: readonly string[]): GeneratorDefinition['build'] =>
      () => ({
        streams,
        draw: (random, _, stream) => [
          random.uint32(),
          ...drawn.map((label) => stream(streams.indexOf(label)).uint32()),
        ],
      });
    const both = columnOf({ build: streamed(['a', 'b'], ['a', 'b']) }, {}, 20) as number[][];
    const second = columnOf({ build: streamed(['b'], ['b']) }, {}, 20) as number[][];
    const moved = columnOf({ build: streamed(['c', 'b', 'a'], ['a', 'a', 'b']) }, {}, 20) as number[][];
    both.forEach(([value, a, b], row) => {
      expect(second[row]).toEqual([value, b]);
      expect(moved[row]).toEqual([value, a, a, b]);
    });
    expect(new Set(both.flat()).size).toBe(60);
  });

  it('passes on errors in the generator itself', () => {
    const build: GeneratorDefinition['build'] = () => ({ streams: [], draw: (_, __, stream) => stream(0) });
    expect(() => columnOf({ build }, {}, 1)).toThrow(RangeError);
  });
});
