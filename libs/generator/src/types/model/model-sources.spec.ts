import { compileSchema } from '../../compile/compile-schema.js';
import { CORE_REGISTRY } from '../core-registry.js';
import { withCompositions } from '../../registry/stored-compositions.js';
import { type CompileOptions } from '../../registry/generator-type.js';
import { type ModelSource } from '../../compile/environment.js';
import { failure, problems, refusalOf, values, type Json } from '../../../test/schema-harness.js';
import { OPTIONS } from '../../../test/test-model.js';

const CITIES = [
  'Köln',
  'Kiel',
  'Ulm',
  { value: 'Bonn', weight: 5 },
  { value: 'Nirgends', weight: 0 },
  '𠮷野',
];
const SOURCES = new Map<string, ModelSource>([
  ['xx_XX/cities', { kind: 'list', values: CITIES }],
  ['xx_XX/by_state', { kind: 'list', values: { a: ['b'] } }],
  ['xx_XX/numbers', { kind: 'list', values: [1, 2] }],
  ['xx_XX/people', { kind: 'composition', use: '@test/made:people' }],
  ['xx_XX/unserved', { kind: 'composition', use: '@test/made:none' }],
]);
const options: CompileOptions = {
  ...OPTIONS,
  models: (id) => SOURCES.get(id) ?? OPTIONS.models(id),
  registry: withCompositions(CORE_REGISTRY, {
    names: () => ['@test/made:people'],
    read: (name) =>
      name === '@test/made:people'
        ? { name, let: { city: { type: 'model', source: 'xx_XX/cities' } }, body: 'Ada of {{city}}' }
        : undefined,
  }),
};

const model = (source: string, more: Json = {}): Json => ({ type: 'model', source, ...more });
const cities = (more: Json): Json => model('xx_XX/cities', more);
const realWord = (params: Json): Json => ({ generation: { mode: 'real_word', params } });

describe('a model id that refers to a list', () => {
  it('gives its values by weight', () => {
    const made = values(cities({}), 20_000, options);
    expect(new Set(made)).toEqual(new Set(['Köln', 'Kiel', 'Ulm', 'Bonn', '𠮷野']));
    const bonn = made.filter((value) => value === 'Bonn').length;
    expect(Math.abs(bonn / 20_000 - 5 / 9)).toBeLessThan(0.015);
  });

  it.each<[Json, string[]]>([
    [{ constraints: { starts_with: 'K' } }, ['Köln', 'Kiel']],
    [{ constraints: { starts_with: 'Ko\u0308' } }, ['Köln']],
    [{ constraints: { ends_with: 'l' } }, ['Kiel']],
    [{ constraints: { contains: 'l', max_length: 3 } }, ['Ulm']],
    [{ constraints: { min_length: 4, starts_with: 'K', ends_with: 'n' } }, ['Köln']],
    [{ constraints: { max_length: 2 } }, ['𠮷野']],
    [{ constraints: { exclude_originals: false, starts_with: 'U' } }, ['Ulm']],
    [{ constraints: { starts_with: 'B' }, generation: { params: { starts_with: 'U' } } }, ['Ulm']],
    [realWord({}), ['Köln', 'Kiel', 'Ulm', 'Bonn', '𠮷野']],
    [realWord({ prefix: 'Ki' }), ['Kiel']],
    [{ ...realWord({ prefix: 'K' }), constraints: { ends_with: 'n' } }, ['Köln']],
  ])('meets %j', (more, expected) => {
    expect(new Set(values(cities(more), 300, options))).toEqual(new Set(expected));
  });

  it('gives null if no real word matches', () => {
    expect(values(cities(realWord({ prefix: 'Z' })), 2, options)).toEqual([null, null]);
    expect(values(cities(realWord({ prefix: 'Nir' })), 2, options)).toEqual([null, null]);
  });

  it.each<[Json, string, string]>([
    [
      { constraints: { starts_with: 'Z' } },
      'constraints.starts_with',
      'no value of the list meets this constraint',
    ],
    [
      { constraints: { starts_with: 'Nir' } },
      'constraints.starts_with',
      'no value of the list meets this constraint',
    ],
    [{ constraints: { starts_with: 'K', contains: 'z' } }, 'constraints.contains', 'no value of the list'],
    [
      { constraints: { min_length: 5 } },
      'constraints.min_length',
      'no value of the list meets this constraint',
    ],
    [
      { constraints: { starts_with: 'K', max_length: 3 } },
      'constraints',
      'no value of the list meets all constraints',
    ],
    [{ generation: { params: { starts_with: 'Z' } } }, 'generation.params.starts_with', 'no value'],
    [{ constraints: { exclude_originals: true } }, 'constraints.exclude_originals', 'a list of real values'],
    [
      { ...realWord({}), constraints: { exclude_originals: true } },
      'constraints.exclude_originals',
      'leaves no value',
    ],
    [
      { generation: { mode: 'sentence' } },
      'generation.mode',
      'serves only the modes word and real_word, not',
    ],
    [{ generation: { mode: 'poem' } }, 'generation.mode', 'not poem'],
  ])('refuses %j before the first row', (more, path, message) => {
    expect(problems(cities(more), options)).toEqual([
      { path: `generators.it.${path}`, message: expect.stringContaining(message) as string },
    ]);
  });

  it('refuses lists whose values are not texts', () => {
    expect(problems(model('xx_XX/by_state'), options)[0]?.message).toContain('is a map of lists');
    expect(problems(model('xx_XX/numbers'), options)[0]?.message).toContain('not all texts');
  });

  it('may come from a template of the row', () => {
    const named = values(model('xx_XX/{{which}}'), 50, options, { which: { body: 'cities' } });
    expect(named).toEqual(values(cities({}), 50, options));
  });
});

describe('a model id that refers to a composition', () => {
  it('gives the same values as using the composition', () => {
    const made = values(model('xx_XX/people'), 40, options);
    expect(made.every((value) => /^Ada of (Köln|Kiel|Ulm|Bonn|𠮷野)$/.test(String(value)))).toBe(true);
    expect(values({ use: '@svc/core:model', params: { source: 'xx_XX/people' } }, 40, options)).toEqual(made);
    expect(values({ use: '@test/made:people' }, 40, options)).toEqual(made);
    const generation = { mode: 'word' };
    expect(values(model('xx_XX/people', { generation, constraints: {} }), 40, options)).toEqual(made);
  });

  it.each<[Json, string[]]>([
    [{ constraints: { max_length: 10 } }, ['Ada of Ulm', 'Ada of 𠮷野']],
    [{ constraints: { min_length: 11, ends_with: 'l' } }, ['Ada of Kiel']],
    [{ constraints: { starts_with: 'Ada of Ko\u0308' } }, ['Ada of Köln']],
    [{ constraints: { contains: 'f B' } }, ['Ada of Bonn']],
    [
      { constraints: { starts_with: 'Eve' }, generation: { params: { starts_with: 'Ada of U' } } },
      ['Ada of Ulm'],
    ],
    [{ constraints: { exclude_originals: false, contains: 'Ki' } }, ['Ada of Kiel']],
  ])('meets %j by generating values again', (more, expected) => {
    expect(new Set(values(model('xx_XX/people', more), 200, options))).toEqual(new Set(expected));
  });

  it('changes only the values that do not meet the constraints', () => {
    const free = values(model('xx_XX/people'), 100, options);
    const kept = values(model('xx_XX/people', { constraints: { contains: 'Bonn' } }), 100, options);
    expect(kept.every((value) => value === 'Ada of Bonn')).toBe(true);
    const loose = values(model('xx_XX/people', { constraints: { starts_with: 'Ada' } }), 100, options);
    expect(loose).toEqual(free);
  });

  it('fails with the constraint after 1,000 attempts, instead of ignoring it', () => {
    const error = failure(model('xx_XX/people', { constraints: { ends_with: 'q' } }), 1, options);
    expect([error.path, error.code, error.reason]).toEqual([
      'generators.it.constraints.ends_with',
      'generation_failed',
      'no value of the composition met the constraints in 1000 attempts; loosen the constraints',
    ]);
    const both = failure(
      model('xx_XX/people', { constraints: { ends_with: 'm', min_length: 11 } }),
      1,
      options,
    );
    expect(both.path).toBe('generators.it.constraints');
  });

  it('is unique among the values that meet its constraints', () => {
    const made = values(model('xx_XX/people', { unique: true, constraints: { max_length: 10 } }), 2, options);
    expect(new Set(made)).toEqual(new Set(['Ada of Ulm', 'Ada of 𠮷野']));
  });

  it('accepts modifiers like any generator', () => {
    const made = values(model('xx_XX/people', { unique: true, transform: 'length(value)' }), 2, options);
    expect(new Set(made).size).toBe(2);
  });

  it.each<[Json, string, string]>([
    [{ generation: { mode: 'real_word' } }, 'generation.mode', 'serves only mode word, not real_word'],
    [{ generation: { params: { prefix: 'A' } } }, 'generation.params.prefix', 'is not a parameter'],
    [
      { constraints: { min_length: 9, max_length: 8 } },
      'constraints.min_length',
      'greater than max_length 8',
    ],
    [{ constraints: { starts_with: 'Ada', max_length: 2 } }, 'constraints.starts_with', 'longer than'],
    [{ constraints: { contains: 'Ada', max_length: 2 } }, 'constraints.contains', 'longer than'],
    [{ constraints: { max_length: '9' } }, 'constraints.max_length', 'must be an integer'],
    [{ constraints: { exclude_originals: true } }, 'constraints.exclude_originals', 'composition'],
    [{ constraints: { longest: 9 } }, 'constraints.longest', 'is not a parameter'],
    [{ colour: 1 }, 'colour', 'is not a key of this generator'],
  ])('refuses %j', (more, path, message) => {
    expect(problems(model('xx_XX/people', more), options)).toEqual([
      { path: `generators.it.${path}`, message: expect.stringContaining(message) as string },
    ]);
  });

  it.each<[Json, string]>([
    [{ constraints: { starts_with: '{{which}}' } }, 'constraints'],
    [{ generation: { params: { starts_with: '{{which}}' } } }, 'generation'],
  ])('refuses %j if a row provides it', (more, path) => {
    const generators = { it: model('xx_XX/people', more), which: { body: 'Ada' } };
    expect(refusalOf(() => compileSchema({ generators, output: ['it'] }, options)).problems).toEqual([
      {
        path: `generators.it.${path}`,
        message: expect.stringContaining('must not contain templates') as string,
      },
    ]);
  });

  it('reports an unknown composition, and a composition whose id comes from a template', () => {
    expect(problems(model('xx_XX/unserved'), options)).toEqual([
      { path: 'generators.it.source', message: 'refers to a composition that is not available here' },
    ]);
    const error = failure(model('xx_XX/{{which}}'), 1, options, { which: { body: 'people' } });
    expect([error.path, error.reason]).toEqual([
      'generators.it.source',
      'is a composition, whose id cannot come from a template; write the id itself',
    ]);
  });
});
