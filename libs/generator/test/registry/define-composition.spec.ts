import { CORE_REGISTRY } from '../../src/types/core-registry.js';
import { defineComposition } from '../../src/registry/define-composition.js';
import { DefinitionError, type Problem } from '../../src/definition/errors.js';
import { refusalOf, svc, type Json } from '../schema-harness.js';
import { OPTIONS } from '../test-model.js';

const NAME = '@acme/people:badge';
const define = (composition: unknown): ReturnType<typeof defineComposition> =>
  defineComposition(composition, OPTIONS);
const refused = (composition: unknown): readonly Problem[] => refusalOf(() => define(composition)).problems;

describe('registering a composition', () => {
  it('[2.9.7/4, 2.9.7/5, 2.9.7/6, 9/5] returns a generator with its manifest', () => {
    const type = define({
      name: NAME,
      version: '1.2.0',
      description: 'A badge.',
      params: { prefix: { type: 'string', default: 'B' } },
      let: { n: svc('digits', { digits: 4, leading_zero: true }) },
      body: '{{prefix}}-{{n}}',
    });
    expect(type).toMatchObject({ name: NAME, version: '1.2.0', description: 'A badge.', output: 'string' });
    expect(type.params).toEqual({ prefix: { type: 'string', default: 'B' } });
    expect(define({ name: NAME, output: { a: 1 } })).toMatchObject({ version: '0.1.0', output: 'any' });
  });

  it.each<[string, unknown]>([
    ['no name', undefined],
    ['a number', 5],
    ['an empty name', ''],
    ['no namespace', 'badge'],
    ['no package', '@acme:badge'],
    ['no generator', '@acme/people:'],
    ['upper case', '@Acme/people:badge'],
    ['a blank', '@acme/people:bad ge'],
    ['two colons', '@acme/people:bad:ge'],
    ['too long a name', `@acme/people:${'x'.repeat(200)}`],
    ['letters beyond ASCII', '@acmé/people:badge'],
    ['a prototype', '__proto__'],
    ['a line break after the name', '@acme/people:badge\n'],
  ])('[2.9.7/4] refuses %s', (_, name) => {
    expect(refused({ ...(name !== undefined && { name }), body: 'x' })[0]?.path).toBe('name');
  });

  it('reserves the namespace of the product', () => {
    expect(refused({ name: '@svc/core:logic.digits', body: 'x' })).toEqual([
      { path: 'name', message: 'the namespace @svc/ is reserved' },
    ]);
    expect(refused({ name: '@svc/mine:x', body: 'x' })[0]?.path).toBe('name');
    expect(define({ name: '@svcs/mine:x', body: 'x' }).name).toBe('@svcs/mine:x');
  });

  it.each<[Json, string]>([
    [{ version: '1.0' }, 'version'],
    [{ version: 1 }, 'version'],
    [{ version: '' }, 'version'],
    [{ version: '1.0.0 beta' }, 'version'],
    [{ description: 5 }, 'description'],
    [{ parms: {} }, 'parms'],
    [{ type: 'svc' }, 'type'],
    [{ modifiers: {} }, 'modifiers'],
    [{ unique: true }, 'unique'],
    [{ computed: '1' }, 'computed'],
    [{ let: [] }, 'let'],
    [{ let: { a: 5 } }, 'let.a'],
    [{ let: { a: {} } }, 'let.a'],
  ])('refuses the members %j', (members, path) => {
    expect(refused({ name: NAME, body: 'x', ...members }).map((problem) => problem.path)).toContain(path);
  });

  it.each<unknown>([null, [], 'body', 5])('refuses %j as a composition', (composition) => {
    expect(() => define(composition)).toThrow(DefinitionError);
  });

  it.each<[string, Json]>([
    ['none', {}],
    ['body and output', { body: 'x', output: 1 }],
    ['variants and output', { variants: [{ pattern: 'x' }], output: null }],
    ['all three', { body: 'x', variants: [{ pattern: 'x' }], output: 1 }],
  ])('refuses %s of the output forms', (_, forms) => {
    expect(refused({ name: NAME, ...forms })).toContainEqual({
      path: '',
      message: 'a composition must have exactly one of body, variants, output',
    });
  });

  it('accepts null as an output', () => {
    expect(define({ name: NAME, output: null }).output).toBe('any');
  });

  it.each<[unknown, string, string]>([
    [[], 'params', 'must be an object'],
    [{ a: 'string' }, 'params.a', 'must be an object with a type'],
    [{ a: {} }, 'params.a.type', 'is required'],
    [{ a: { type: 'strng' } }, 'params.a.type', 'did you mean "string"?'],
    [{ a: { type: 'date' } }, 'params.a.type', 'must be one of string, integer'],
    [{ a: { type: 'string', requird: true } }, 'params.a.requird', 'did you mean "required"?'],
    [{ a: { type: 'string', required: 'yes' } }, 'params.a.required', 'must be true or false'],
    [{ a: { type: 'integer', default: '1' } }, 'params.a.default', 'must be an integer'],
    [{ a: { type: 'integer', default: 1.5 } }, 'params.a.default', 'must be an integer'],
    [{ a: { type: 'object', default: [] } }, 'params.a.default', 'must be an object'],
    [{ a: { type: 'array', default: {} } }, 'params.a.default', 'must be an array'],
    [
      { a: { type: 'string', required: true, default: 'x' } },
      'params.a.default',
      'a required param cannot have a default',
    ],
  ])('refuses the manifest %j', (params, path, message) => {
    expect(refused({ name: NAME, params, body: 'x' })).toContainEqual({
      path,
      message: expect.stringContaining(message) as string,
    });
  });

  it('accepts 100 params and refuses 101', () => {
    const params = (count: number): Json =>
      Object.fromEntries(Array.from({ length: count }, (_, i) => [`p${i}`, { type: 'any' }]));
    expect(Object.keys(define({ name: NAME, params: params(100), body: 'x' }).params)).toHaveLength(100);
    expect(refusalOf(() => define({ name: NAME, params: params(101), body: 'x' })).code).toBe(
      'limit_exceeded',
    );
  });
});

describe('a misspelt reference fails at registration', () => {
  const params = { country: { type: 'string', required: true } };
  const digits = svc('digits');

  // One row for every path in a composition that can contain a name.
  it.each<[string, Json]>([
    ['body', { body: 'x {{contry}}' }],
    ['variants[1].pattern', { variants: [{ pattern: 'x' }, { pattern: '{{contry}}' }] }],
    ['output', { output: '{{contry}}' }],
    ['output.a[1].b', { output: { a: [1, { b: '{{contry}}' }] } }],
    ['let.x.computed', { let: { x: { computed: 'contry' } }, body: '' }],
    ['let.x.computed', { let: { x: { computed: '{{contry}}' } }, body: '' }],
    ['let.x.params.length', { let: { x: svc('nanoid', { length: '{{contry}}' }) }, body: '' }],
    ['let.x.params.except[0]', { let: { x: svc('int_between', { except: ['{{contry}}'] }) }, body: '' }],
    [
      'let.x.params.n',
      { let: { x: { use: '@svc/core:logic.digits', params: { n: '{{contry}}' } } }, body: '' },
    ],
    ['let.x.transform', { let: { x: { ...digits, transform: 'value + contry' } }, body: '' }],
    ['let.x.values[0]', { let: { x: { type: 'list', values: ['{{contry}}'] } }, body: '' }],
    [
      'let.x.values[0]',
      { let: { x: { type: 'list', values: [{ value: '{{contry}}', weight: 2 }] } }, body: '' },
    ],
    ['let.x.where', { let: { x: { type: 'list', values: [1], where: 'item == contry' } }, body: '' }],
    ['let.x.key', { let: { x: { type: 'list', source: 'towns_by_country', key: '{{contry}}' } }, body: '' }],
    ['let.x.source', { let: { x: { type: 'list', source: '{{contry}}' } }, body: '' }],
    ['let.x.source.asset', { let: { x: { type: 'list', source: { asset: '{{contry}}' } } }, body: '' }],
    ['let.x.source', { let: { x: { type: 'model', source: '{{contry}}' } }, body: '' }],
    [
      'let.x.constraints.starts_with',
      {
        let: {
          x: { type: 'model', source: 'en_US/first_names', constraints: { starts_with: '{{contry}}' } },
        },
        body: '',
      },
    ],
    ['let.x.repeat.count', { let: { x: { repeat: { count: 'contry', of: digits } } }, body: '' }],
    [
      'let.x.repeat.of.computed',
      { let: { x: { repeat: { count: 1, of: { computed: 'contry' } } } }, body: '' },
    ],
    ['let.x.let.y.body', { let: { x: { let: { y: { body: '{{contry}}' } }, body: '' } }, body: '' }],
    ['let.x.variants[0].pattern', { let: { x: { variants: [{ pattern: '{{contry}}' }] } }, body: '' }],
  ])('in %s', (path, parts) => {
    expect(refused({ name: NAME, params, ...parts })).toContainEqual({
      path,
      message: expect.stringMatching(
        /^unknown name "contry"; did you mean "country"\? \(at character \d+\)$/,
      ) as string,
    });
  });

  it('suggests let steps, and functions if a function is called', () => {
    const step = { let: { town: svc('digits') }, body: '{{twon}}' };
    expect(refused({ name: NAME, ...step })[0]?.message).toContain('did you mean "town"?');
    expect(refused({ name: NAME, params, body: '{{lowercas(country)}}' })[0]?.message).toContain(
      'did you mean "lowercase"?',
    );
    expect(refused({ name: NAME, params, body: '{{lowercase(country, 1)}}' })[0]?.path).toBe('body');
    const use = { let: { x: { use: '@svc/core:logic.digts' } }, body: '' };
    expect(refused({ name: NAME, ...use })[0]).toEqual({
      path: 'let.x.use',
      message: expect.stringContaining('did you mean "@svc/core:logic.digits"?') as string,
    });
  });

  it('[2.9.7/11] allows the name item only in where', () => {
    const list = { type: 'list', values: [1, 2], where: 'item > 1 && country != null' };
    expect(define({ name: NAME, params, let: { x: list }, body: '{{x}}' }).name).toBe(NAME);
    expect(refused({ name: NAME, body: '{{item}}' })[0]?.message).toContain('unknown name "item"');
    const values = { type: 'list', values: ['{{item}}'] };
    expect(refused({ name: NAME, let: { x: values }, body: '' })[0]?.path).toBe('let.x.values[0]');
  });

  it('allows the name value only in transform', () => {
    expect(refused({ name: NAME, let: { x: { computed: 'value' } }, body: '' })[0]?.path).toBe(
      'let.x.computed',
    );
  });

  it('does not resolve names inside of another step', () => {
    const inner = { let: { hidden: svc('digits') }, body: '{{hidden}}' };
    expect(refused({ name: NAME, let: { x: inner }, body: '{{hidden}}' })[0]?.path).toBe('body');
  });

  it('[2.9.7/11] reports all of them together', () => {
    const paths = refused({
      name: 'badge',
      params: { a: { type: 'string' } },
      let: { x: { body: '{{b}}' }, y: svc('int_between', { min: 2, max: 1 }) },
      output: ['{{z1}}', '{{z2}}'],
    }).map((problem) => problem.path);
    expect(paths).toEqual(['name', 'let.x.body', 'let.y.params.min', 'output[0]', 'output[1]']);
  });
});

describe('a composition is refused', () => {
  it('if one of its steps hides a param', () => {
    const hidden = {
      name: NAME,
      params: { n: { type: 'integer' } },
      let: { n: { computed: '1' } },
      body: '{{n}}',
    };
    expect(refused(hidden)).toEqual([
      { path: 'let.n', message: expect.stringContaining('another name') as string },
    ]);
  });

  it('if let contains a cycle', () => {
    const cycle = { a: { body: '{{b}}' }, b: { computed: 'c' }, c: { body: '{{a}}' } };
    expect(refused({ name: NAME, let: cycle, body: 'x' })).toEqual([
      { path: 'let.a', message: 'refers to itself: a → b → c → a' },
    ]);
    expect(refused({ name: NAME, let: { a: { body: '{{a}}' } }, body: '{{a}}' })).toHaveLength(1);
  });

  it('if it uses itself, because it is not registered yet', () => {
    const composition = { name: NAME, let: { x: { use: NAME } }, body: '{{x}}' };
    expect(refused(composition)[0]).toEqual({
      path: 'let.x.use',
      message: 'no generator of this name is registered',
    });
    // A composition that uses a registered composition cannot be registered under the same name.
    const registry = CORE_REGISTRY.with(define({ name: NAME, body: 'x' }));
    const second = defineComposition(composition, { ...OPTIONS, registry });
    expect(() => registry.with(second)).toThrow(RangeError);
  });

  it('if it has a removed type or an unknown mode', () => {
    for (const type of ['template', 'linked']) {
      expect(refused({ name: NAME, let: { x: { type } }, body: 'x' })[0]?.path).toBe('let.x.type');
    }
  });

  it('if its JSON is nested too deeply', () => {
    const nest = (levels: number): unknown => (levels === 0 ? 1 : [nest(levels - 1)]);
    expect(define({ name: NAME, output: nest(63) }).name).toBe(NAME);
    expect(refusalOf(() => define({ name: NAME, output: nest(64) })).code).toBe('limit_exceeded');
  });
});
