import { CORE_REGISTRY } from '../../src/types/core-registry.js';
import { compileSchema } from '../../src/compile/compile-schema.js';
import { defineComposition } from '../../src/registry/define-composition.js';
import { type CompileOptions } from '../../src/registry/generator-type.js';
import { type Problem } from '../../src/definition/errors.js';
import { failure, problems, svc, values, type Json } from '../schema-harness.js';
import { OPTIONS } from '../test-model.js';

const RANGE = {
  name: '@t/t:range',
  params: { low: { type: 'integer', default: 0 }, tags: { type: 'any', default: 1 } },
  let: {
    n: svc('int_between', { min: '{{low}}', max: 9 }),
    tag: { type: 'list', values: [1, 2, 3], where: 'item > low' },
    all: { repeat: { count: 'tags', of: svc('digits') } },
  },
  output: ['{{n}}', '{{tag}}', '{{all}}'],
};
const OUTER = {
  name: '@t/t:outer',
  params: { start: { type: 'integer', required: true } },
  let: { inner: { use: '@t/t:range', params: { low: '{{start}}' } } },
  output: '{{inner}}',
};

const registry = CORE_REGISTRY.with(defineComposition(RANGE, OPTIONS));
const options: CompileOptions = {
  ...OPTIONS,
  registry: registry.with(defineComposition(OUTER, { ...OPTIONS, registry })),
};
const range = (params: Json): Json => ({ use: '@t/t:range', params });
const at = (message: string): Problem[] => [
  { path: 'generators.it', message: expect.stringContaining(message) as string },
];

describe('an error inside of a composition that constant params cause', () => {
  it.each<[Json, string]>([
    [{ low: 10 }, 'in @t/t:range, let.n.params.min: min 10 is greater than max 9'],
    [{ low: 3 }, 'in @t/t:range, let.tag.values: no element matches where'],
    [{ tags: -1 }, 'in @t/t:range, let.all.repeat.count: must not be negative'],
    [{ tags: 'x' }, 'in @t/t:range, let.all.repeat.count: must be a number'],
  ])('is found before the first row: %j', (params, message) => {
    const found = problems(range(params), options);
    expect(found).toContainEqual(at(message)[0]);
  });

  it('is found through nested compositions', () => {
    expect(problems({ use: '@t/t:outer', params: { start: 3 } }, options)).toEqual(
      at('in @t/t:outer, let.inner: in @t/t:range, let.tag.values: no element'),
    );
  });

  it('is found in inline compositions and in plain definitions', () => {
    const it = {
      params: { low: { default: 10 } },
      let: { n: svc('int_between', { min: '{{low}}', max: 9 }) },
    };
    expect(problems({ ...it, body: '{{n}}' })).toEqual([
      { path: 'generators.it.let.n.params.min', message: 'min 10 is greater than max 9' },
    ]);
    expect(problems({ repeat: { count: '-2', of: svc('digits') } })[0]?.path).toBe(
      'generators.it.repeat.count',
    );
  });

  it('is reported on the row if the params come from the row', () => {
    const low = { computed: '10' };
    expect(failure(range({ low: '{{low}}' }), 1, options, { low })).toMatchObject({
      path: 'generators.it',
      reason: expect.stringContaining('let.n.params.min: min 10 is greater than max 9') as string,
    });
  });

  it('gives the same values as a row with the same params', () => {
    for (const params of [{}, { low: 2 }, { low: 1, tags: 3 }]) {
      const fromRow = { low: '{{low}}', tags: '{{tags}}' };
      const siblings = {
        low: { computed: String(params.low ?? 0) },
        tags: { computed: String(params.tags ?? 1) },
      };
      expect(values(range(params), 40, options)).toEqual(values(range(fromRow), 40, options, siblings));
    }
  });

  it('does not report an expression that fails unless a row needs its value', () => {
    const params = { text: { default: 'x' } };
    const definition = { params, body: 'fine', let: { n: { type: 'list', values: ['{{text * 2}}', 'a'] } } };
    expect(values(definition, 2)).toEqual(['fine', 'fine']);
    expect(() => compileSchema({ generators: { it: definition }, output: ['it'] }, OPTIONS)).not.toThrow();
  });
});
