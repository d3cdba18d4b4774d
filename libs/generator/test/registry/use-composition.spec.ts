import { compileDefinition } from '../../src/compile/compile-definition.js';
import { CORE_REGISTRY } from '../../src/types/core-registry.js';
import { defineComposition } from '../../src/registry/define-composition.js';
import { type CompileOptions } from '../../src/registry/generator-type.js';
import { type Registry } from '../../src/registry/registry.js';
import { cellLaws, generatorLaws } from '../laws/generator-laws.js';
import { failure, problems, records, refusal, refusalOf, svc, values, type Json } from '../schema-harness.js';
import { OPTIONS } from '../test-model.js';

/** Returns a registry in which each composition may use those before it. */
function registryOf(...compositions: Json[]): Registry {
  return compositions.reduce<Registry>(
    (registry, composition) => registry.with(defineComposition(composition, { ...OPTIONS, registry })),
    CORE_REGISTRY,
  );
}

const optionsOf = (...compositions: Json[]): CompileOptions => ({
  ...OPTIONS,
  registry: registryOf(...compositions),
});

const NAME = '@acme/people:badge';
const BADGE: Json = {
  name: NAME,
  params: {
    prefix: { type: 'string', default: 'B' },
    low: { type: 'integer', default: 100 },
    tags: { type: 'array' },
    owner: { type: 'string', required: true },
    any: { type: 'any' },
  },
  let: { n: svc('int_between', { min: '{{low}}', max: 999 }) },
  output: { id: '{{prefix}}{{n}}', n: '{{n}}', owner: '{{owner}}', tags: '{{tags}}', any: '{{any}}' },
};
const options = optionsOf(BADGE);
const use = (params: Json): Json => ({ use: NAME, params });

describe('using a composition', () => {
  it('[2.9.7/7] passes params with their types, and defaults for absent ones', () => {
    const [value] = values(use({ owner: 'Ada', low: 998, tags: [1, 'x'], any: { a: null } }), 1, options);
    expect(value).toEqual({
      id: expect.stringMatching(/^B99[89]$/) as string,
      n: expect.any(Number) as number,
      owner: 'Ada',
      tags: [1, 'x'],
      any: { a: null },
    });
    expect(values(use({ owner: '' }), 1, options)[0]).toMatchObject({ owner: '', tags: null, any: null });
  });

  it.each<[Json, string, string]>([
    [{}, 'params.owner', 'is required (string)'],
    [{ owner: null }, 'params.owner', 'must be a string, got null'],
    [{ owner: 5 }, 'params.owner', 'must be a string, got the number 5'],
    [{ owner: 'x', low: '5' }, 'params.low', 'must be an integer'],
    [{ owner: 'x', low: 1.5 }, 'params.low', 'must be an integer'],
    [{ owner: 'x', tags: {} }, 'params.tags', 'must be an array'],
    [{ owner: 'x', prefixx: 'y' }, 'params.prefixx', 'did you mean "prefix"?'],
    [{ owner: 'x', toString: 'y' }, 'params.toString', 'is not a parameter'],
    [{ owner: '{{nobody}}' }, 'params.owner', 'unknown name "nobody"'],
  ])('[2.9.7/7] refuses the params %j before the first row', (params, path, message) => {
    expect(problems(use(params), options)).toEqual([
      { path: `generators.it.${path}`, message: expect.stringContaining(message) as string },
    ]);
  });

  it('refuses unknown constraints and keys', () => {
    expect(problems({ ...use({ owner: 'x' }), constraints: { min: 1 } }, options)[0]?.path).toBe(
      'generators.it.constraints.min',
    );
    expect(problems({ ...use({ owner: 'x' }), prefix: 'A' }, options)[0]?.path).toBe('generators.it.prefix');
  });

  it.each<[Json, Json, string, string]>([
    [{ owner: '{{n}}' }, { n: svc('sequence') }, 'params.owner', 'must be a string'],
    [{ owner: 'x', low: '{{n}}' }, { n: { body: '7' } }, 'params.low', 'must be an integer'],
    [{ owner: 'x', low: '{{n / 2}}' }, { n: { computed: '1' } }, 'params.low', 'must be an integer'],
    [{ owner: 'x', tags: '{{n}}' }, { n: { computed: '1' } }, 'params.tags', 'must be an array'],
    [
      { owner: '{{n}}' },
      { n: { ...svc('digits'), nullable: 1 } },
      'params.owner',
      'must be a string, got null',
    ],
  ])('fails on the row for the params %j', (params, siblings, path, message) => {
    expect(failure(use(params), 1, options, siblings)).toMatchObject({
      path: `generators.it.${path}`,
      reason: expect.stringContaining(message) as string,
      code: 'generation_failed',
    });
  });

  it('[2.9.7/3] checks its params on every call, not only on the first', () => {
    const siblings = { n: svc('sequence'), owner: { computed: 'if(n < 4, "x", n)' } };
    const error = failure(use({ owner: '{{owner}}' }), 10, options, siblings);
    expect(error.path).toBe('generators.it.params.owner');
    expect(records({ ...siblings, it: use({ owner: '{{owner}}' }) }, ['it'], 3, 1, options)).toHaveLength(3);
  });

  it('reports its name and its own path if it fails inside', () => {
    const error = failure(use({ owner: 'x', low: '{{n}}' }), 1, options, { n: { computed: '1000' } });
    expect(error.path).toBe('generators.it');
    expect(error.reason).toBe('in @acme/people:badge, let.n.params.min: min 1000 is greater than max 999');
    expect(error.code).toBe('generation_failed');
  });

  it('[2.9.7/10] cannot read the names of the schema, and is not affected by them', () => {
    const siblings = { n: { computed: '-1' }, prefix: { computed: '"no"' }, low: { computed: '0' } };
    const expected = values(use({ owner: 'x' }), 10, options);
    expect(values(use({ owner: 'x' }), 10, options, siblings)).toEqual(expected);
    const inner = refusalOf(() => defineComposition({ name: '@acme/people:x', body: '{{n}}' }, OPTIONS));
    expect(inner.problems[0]?.path).toBe('body');
  });

  it('gives different values at every use', () => {
    const made = records(
      {
        a: use({ owner: 'x' }),
        b: use({ owner: 'x' }),
        it: { repeat: { count: 5, of: use({ owner: 'x' }) } },
      },
      ['a', 'b', 'it'],
      40,
      1,
      options,
    );
    const numbers = made.flatMap(({ a, b, it }) =>
      [a, b, ...(it as unknown[])].map((item) => (item as Json)['n']),
    );
    const [first = [], second = []] = [made.map(({ a }) => a), made.map(({ b }) => b)];
    expect(first).not.toEqual(second);
    // 280 draws from 900 numbers give about 240 different numbers. If all uses drew the same numbers, there
    // would be only 40.
    expect(new Set(numbers).size).toBeGreaterThan(200);
  });

  it('accepts modifiers like any generator', () => {
    const registry = optionsOf({
      name: NAME,
      params: { n: { type: 'integer', default: 9 } },
      body: '{{pick(1, 2, 3)}}-{{n}}',
    });
    expect(new Set(values({ use: NAME, unique: true }, 3, registry))).toEqual(new Set(['1-9', '2-9', '3-9']));
    expect(failure({ use: NAME, unique: true }, 4, registry).path).toBe('generators.it');
    expect(values({ use: NAME, transform: 'value + "!"' }, 1, registry)[0]).toMatch(/^[123]-9!$/);
    const nullable = values({ use: NAME, nullable: 0.5 }, 50, registry);
    const plain = values({ use: NAME }, 50, registry);
    nullable.forEach((value, row) => expect([null, plain[row]]).toContain(value));
    expect(new Set(nullable)).toContain(null);
  });
});

describe('nested compositions', () => {
  const CODE: Json = {
    name: '@acme/a:code',
    params: { prefix: { type: 'string', required: true }, digits: { type: 'integer', default: 3 } },
    let: { n: svc('digits', { digits: '{{digits}}', leading_zero: true }) },
    body: '{{prefix}}{{n}}',
  };
  const PERSON: Json = {
    name: '@acme/a:person',
    params: { team: { type: 'string', default: 'T' } },
    let: {
      first: { type: 'model', source: 'en_US/first_names' },
      code: {
        use: '@acme/a:code',
        params: { prefix: '{{lowercase(team)}}-{{first}}-', digits: '{{1 + 1}}' },
      },
    },
    output: { first: '{{first}}', code: '{{code}}' },
  };
  const TEAM: Json = {
    name: '@acme/a:team',
    params: { size: { type: 'any', default: '2-3' }, name: { type: 'string', default: 'Core' } },
    let: {
      members: { repeat: { count: '2-3', of: { use: '@acme/a:person', params: { team: '{{name}}' } } } },
    },
    output: { name: '{{name}}', members: '{{members}}' },
  };
  const nested = optionsOf(CODE, PERSON, TEAM);

  it('pass values through three levels', () => {
    for (const value of values({ use: '@acme/a:team', params: { name: 'Ops' } }, 20, nested)) {
      const { name, members } = value as { name: string; members: { first: string; code: string }[] };
      expect(name).toBe('Ops');
      expect([2, 3]).toContain(members.length);
      for (const { first, code } of members) expect(code).toMatch(new RegExp(`^ops-${first}-\\d\\d$`));
    }
  });

  it('report a fault three levels deep with its full path', () => {
    const strict = optionsOf(
      { ...CODE, let: { n: svc('nanoid', { length: '{{digits}}' }) } },
      {
        ...PERSON,
        let: { code: { use: '@acme/a:code', params: { prefix: 'x', digits: '{{0}}' } } },
        output: '{{code}}',
      },
      TEAM,
    );
    const error = failure({ use: '@acme/a:team' }, 1, strict);
    expect(error.path).toBe('generators.it');
    expect(error.reason).toBe(
      'in @acme/a:team, let.members.repeat.of: in @acme/a:person, let.code: ' +
        'in @acme/a:code, let.n.params.length: must be from 1 to 1024, got 0',
    );
  });

  it('keep the generators with which they were defined', () => {
    const first = CORE_REGISTRY.with(defineComposition({ name: '@acme/a:x', body: 'old' }, OPTIONS));
    const user = defineComposition(
      { name: '@acme/a:y', let: { x: { use: '@acme/a:x' } }, body: '{{x}}' },
      { ...OPTIONS, registry: first },
    );
    const other = CORE_REGISTRY.with(user, defineComposition({ name: '@acme/a:x', body: 'new' }, OPTIONS));
    expect(values({ use: '@acme/a:y' }, 1, { ...OPTIONS, registry: other })).toEqual(['old']);
    expect(values({ use: '@acme/a:x' }, 1, { ...OPTIONS, registry: other })).toEqual(['new']);
  });

  it('exceed the limit of generators if each of 30 levels doubles the uses', () => {
    let registry: Registry = CORE_REGISTRY;
    const error = refusalOf(() => {
      for (let level = 0; level < 30; level += 1) {
        const step = level === 0 ? svc('digits') : { use: `@acme/a:n${level - 1}` };
        const composition = {
          name: `@acme/a:n${level}`,
          let: { a: step, b: step },
          output: ['{{a}}', '{{b}}'],
        };
        registry = registry.with(defineComposition(composition, { ...OPTIONS, registry }));
      }
    });
    expect(error.code).toBe('limit_exceeded');
    expect(registry.names().length - CORE_REGISTRY.names().length).toBeLessThan(10);
  });

  it('[2.9.7/1] may be 200 levels deep and no deeper', () => {
    let registry: Registry = CORE_REGISTRY;
    const define = (level: number): void => {
      const step = level === 0 ? svc('digits') : { use: `@acme/a:n${level - 1}` };
      const composition = { name: `@acme/a:n${level}`, let: { x: step }, output: '{{x}}' };
      registry = registry.with(defineComposition(composition, { ...OPTIONS, registry }));
    };
    for (let level = 0; level < 200; level += 1) define(level);
    expect(refusalOf(() => define(200)).code).toBe('limit_exceeded');
    const deep = { ...OPTIONS, registry };
    expect(values({ use: '@acme/a:n198' }, 3, deep)).toEqual([
      expect.any(Number),
      expect.any(Number),
      expect.any(Number),
    ]);
    expect(refusal({ it: { use: '@acme/a:n199' } }, ['it'], deep).code).toBe('limit_exceeded');
  });
});

describe('names of the prototype', () => {
  const hostile: Json = JSON.parse(`{
    "name": "@acme/x:hostile",
    "params": { "__proto__": { "type": "string", "default": "p" }, "constructor": { "type": "string", "required": true } },
    "let": { "hasOwnProperty": { "body": "{{__proto__}}{{constructor}}" }, "toString": { "computed": "hasOwnProperty" } },
    "output": { "__proto__": "{{toString}}", "constructor": "{{constructor}}" }
  }`) as Json;
  const registry = optionsOf(hostile);

  it('can be names of params and steps', () => {
    const given: unknown = JSON.parse(
      '{"use":"@acme/x:hostile","params":{"__proto__":"q","constructor":"c"}}',
    );
    expect(JSON.stringify(values(given, 1, registry)[0])).toBe('{"__proto__":"qc","constructor":"c"}');
    const absent = { use: '@acme/x:hostile', params: { constructor: 'd' } };
    expect(JSON.stringify(values(absent, 1, registry)[0])).toBe('{"__proto__":"pd","constructor":"d"}');
    expect(Object.getPrototypeOf({}) as unknown).toBe(Object.prototype);
    expect(Object.keys(Object.prototype)).toEqual([]);
  });

  it('are required if they are declared so, even if the prototype has them', () => {
    expect(problems({ use: '@acme/x:hostile' }, registry)).toEqual([
      { path: 'generators.it.params.constructor', message: 'is required (string)' },
    ]);
  });
});

describe('in a column rule', () => {
  it('a composition can be a cell', () => {
    const plan = compileDefinition(use({ owner: '{{name}}' }), {
      ...options,
      path: 'rule',
      bindings: ['name'],
    });
    expect(plan.references).toEqual(['name']);
    expect(plan.value({ a: 1, b: 2, c: 3, d: 4 }, 0, 1, 0, ['Ada'])).toMatchObject({ owner: 'Ada' });
  });

  it('reports that it counts rows if a generator inside of it does', () => {
    const counting = optionsOf({ name: NAME, let: { n: svc('sequence') }, body: '{{n}}' });
    const plan = compileDefinition({ use: NAME }, { ...counting, path: 'rule' });
    expect(plan.countsRows).toBe(true);
    expect(plan.value({ a: 1, b: 2, c: 3, d: 4 }, 0, 1, 0, [], 41)).toBe('42');
  });
});

generatorLaws('a composition', use({ owner: 'x' }), { options });
cellLaws('a composition', use({ owner: 'x' }), { options });
