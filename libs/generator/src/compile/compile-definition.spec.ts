import { deriveKey, rootKey } from '@understudy/random';
import { OPTIONS } from '../../test/test-model.js';
import { compileDefinition, compileTemplate, DefinitionError, GenerationError } from '../index.js';

const KEY = deriveKey(rootKey('definition', 1), 'email');
const AT = 'tables[0].columns.email';

describe('compileTemplate', () => {
  const options = {
    ...OPTIONS,
    path: `${AT}.pattern`,
    modifiersPath: AT,
    bindings: ['first', 'last', 'uuid_code'],
  };

  it('renders the bindings, and reports which of them it reads', () => {
    const plan = compileTemplate('{{lowercase(last)}}.{{first}}@example.test', options);
    expect(plan.references).toEqual(['first', 'last']);
    expect(plan.value(KEY, 0, 1, 0, ['Ada', 'Lovelace', ''])).toBe('lovelace.Ada@example.test');
  });

  it('always renders to text', () => {
    expect(compileTemplate('{{1 + 1}}', options).value(KEY, 0, 1, 0, [])).toBe('2');
  });

  it('draws a different uuid for each row and each attempt', () => {
    const plan = compileTemplate('user-{{uuid}}@example.test', options);
    const value = (row: number, attempt: number): unknown => plan.value(KEY, 0, row, attempt, []);
    expect(value(1, 0)).toMatch(/^user-[0-9a-f-]{36}@example\.test$/);
    expect(new Set([value(1, 0), value(2, 0), value(1, 1), value(1, 0)]).size).toBe(3);
  });

  it('applies the rule’s modifiers', () => {
    const plan = compileTemplate('x{{uuid}}', {
      ...options,
      modifiers: { nullable: 0.5, transform: 'uppercase(value)' },
    });
    const made = Array.from({ length: 100 }, (_, row) => plan.value(KEY, 0, row, 0, []));
    expect(made.filter((value) => value === null).length).toBeGreaterThan(25);
    expect(made.every((value) => value === null || /^X[0-9A-F-]{36}$/.test(String(value)))).toBe(true);
  });

  it('refuses an unknown name with its path and position', () => {
    expect(() => compileTemplate('{{frist}}', options)).toThrow(
      new DefinitionError([
        { path: `${AT}.pattern`, message: 'unknown name "frist"; did you mean "first"? (at character 3)' },
      ]),
    );
  });

  it('fails on a row with the rule’s path and without the value', () => {
    const plan = compileTemplate('{{first * 2}}', options);
    expect(() => plan.value(KEY, 0, 1, 0, ['secret'])).toThrow(
      new GenerationError(`${AT}.pattern`, '"*" needs a number, got a text'),
    );
  });
});

describe('compileDefinition', () => {
  const options = { ...OPTIONS, path: AT };

  it('decides only once for all attempts whether a value is null', () => {
    const plan = compileDefinition({ type: 'svc', algorithm: 'uuid_v4', nullable: 0.5 }, options);
    for (let row = 0; row < 50; row += 1) {
      const isNull = plan.value(KEY, 0, row, 0, []) === null;
      for (let attempt = 1; attempt < 5; attempt += 1)
        expect(plan.value(KEY, 0, row, attempt, []) === null).toBe(isNull);
    }
  });

  it.each([
    [{ type: 'svc', algorithm: 'digits', unique: true }, `${AT}.unique`],
    [{ type: 'model', source: 'en_US/none' }, `${AT}.source`],
  ])('refuses %j', (definition, path) => {
    expect(() => compileDefinition(definition, options)).toThrow(
      expect.objectContaining({ problems: [expect.objectContaining({ path })] }),
    );
  });

  it('uses the number of its row if it counts rows, and declares that it does', () => {
    const sequence = { type: 'svc', algorithm: 'sequence', params: { start: 10, step: 5 } };
    const plan = compileDefinition({ let: { n: sequence }, body: 'no {{n}}' }, options);
    expect(plan.countsRows).toBe(true);
    expect([0, 3].map((row) => plan.value(KEY, 0, 0, 0, [], row))).toEqual(['no 10', 'no 25']);
    expect(compileDefinition({ type: 'svc', algorithm: 'boolean' }, options).countsRows).toBe(false);
  });

  it.each<[object, object]>([
    [{ type: 'svc', algorithm: 'uuid_v4' }, { collisionFree: { length: 36 } }],
    [{ type: 'svc', algorithm: 'uuid_v4', nullable: true }, { collisionFree: { length: 36 } }],
    [{ type: 'svc', algorithm: 'uuid_v4', transform: 'first(value)' }, {}],
    [{ type: 'svc', algorithm: 'nanoid', params: { length: 15 } }, { collisionFree: { length: 15 } }],
    [{ type: 'svc', algorithm: 'nanoid', params: { length: 14 } }, {}],
    [{ type: 'svc', algorithm: 'ulid' }, { neverRepeats: true }],
    [{ type: 'svc', algorithm: 'sequence', params: { step: 0 } }, {}],
    [{ body: 'u-{{uuid}}@x' }, { collisionFree: { length: 40 } }],
    [{ body: '{{uuid()}}{{uuid}}' }, { collisionFree: { length: 72 } }],
    [{ body: '{{uuid}}{{first}}' }, { collisionFree: { length: undefined } }],
    [{ body: '{{substring(uuid(), 0, 2)}}' }, {}],
    [
      { let: { a: { type: 'svc', algorithm: 'boolean' } }, body: '{{a}}{{uuid}}' },
      { collisionFree: { length: undefined } },
    ],
    [{ let: { uuid: { type: 'svc', algorithm: 'boolean' } }, body: '{{uuid}}' }, {}],
  ])('determines the traits of %j', (definition, traits) => {
    expect(compileDefinition(definition, { ...options, bindings: ['first'] }).traits).toEqual(traits);
  });

  it('reports one value for a text without expressions, and an unknown number for a template', () => {
    const variety = (pattern: string) => compileTemplate(pattern, options).variety();
    expect(variety('same')).toEqual({ most: 1, easy: 1 });
    expect(variety('{{uuid}}')).toBeUndefined();
  });

  it.each([
    { type: 'svc', algorithm: 'int_between', params: { min: -3, max: 40 } },
    { type: 'svc', algorithm: 'int_between', params: { min: 0, max: 20, except: [0, 3, 4, 20] } },
    { type: 'svc', algorithm: 'digits', params: { digits: 2 } },
    { type: 'svc', algorithm: 'digits', params: { digits: 2, strict: true } },
    { type: 'svc', algorithm: 'digits', params: { digits: 2, leading_zero: true } },
  ])('numbers the values that %j draws, each exactly once', (definition) => {
    const plan = compileDefinition(definition, options);
    const { numbered } = plan.traits;
    const all = Array.from({ length: numbered?.count ?? 0 }, (_, i) => numbered?.at(i));
    expect(new Set(all).size).toBe(plan.variety()?.most);
    for (let row = 0; row < 500; row += 1) expect(all).toContain(plan.value(KEY, 0, row, 0, []));
    if (numbered?.from !== undefined) expect(all).toEqual(all.map((_, i) => (numbered.from ?? 0) + i));
  });

  it('numbers values of up to 15 digits exactly, and values with more digits not at all', () => {
    const digits = (count: number) =>
      compileDefinition({ type: 'svc', algorithm: 'digits', params: { digits: count } }, options).traits;
    expect(digits(15).numbered?.at(999_999_999_999_999)).toBe(999_999_999_999_999);
    expect(digits(16).numbered).toBeUndefined();
  });

  it('resets the value budget for every cell', () => {
    const plan = compileDefinition({ repeat: { count: 60_000, of: { type: 'list', values: [1] } } }, options);
    for (let row = 0; row < 3; row += 1) expect(plan.value(KEY, 0, row, 0, [])).toHaveLength(60_000);
  });
});
