import { deriveKey, rootKey } from '@understudy/random';
import { OPTIONS } from '../test/test-model.js';
import { compileDefinition, compileTemplate, DefinitionError, GenerationError } from './index.js';

const KEY = deriveKey(rootKey('definition', 1), 'email');
const AT = 'tables[0].columns.email';

describe('compileTemplate', () => {
  const options = {
    ...OPTIONS,
    path: `${AT}.pattern`,
    modifiersPath: AT,
    bindings: ['first', 'last', 'uuid_code'],
  };

  it('renders over bindings and knows which it reads', () => {
    const plan = compileTemplate('{{lowercase(last)}}.{{first}}@example.test', options);
    expect(plan.references).toEqual(['first', 'last']);
    expect(plan.value(KEY, 0, 1, 0, ['Ada', 'Lovelace', ''])).toBe('lovelace.Ada@example.test');
  });

  it('always renders to text', () => {
    expect(compileTemplate('{{1 + 1}}', options).value(KEY, 0, 1, 0, [])).toBe('2');
  });

  it('draws a uuid for each row and each attempt', () => {
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

  it('refuses an unknown name with path and position', () => {
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

  it('decides a null once for all attempts', () => {
    const plan = compileDefinition({ type: 'svc', algorithm: 'uuid_v4', nullable: 0.5 }, options);
    for (let row = 0; row < 50; row += 1) {
      const isNull = plan.value(KEY, 0, row, 0, []) === null;
      for (let attempt = 1; attempt < 5; attempt += 1)
        expect(plan.value(KEY, 0, row, attempt, []) === null).toBe(isNull);
    }
  });

  it.each([
    [{ type: 'svc', algorithm: 'sequence' }, `${AT}.algorithm`],
    [{ type: 'svc', algorithm: 'ulid' }, `${AT}.algorithm`],
    [{ use: '@svc/core:logic.uuid_v7' }, `${AT}.use`],
    [{ type: 'svc', algorithm: 'digits', unique: true }, `${AT}.unique`],
    [{ type: 'model', source: 'en_US/none' }, `${AT}.source`],
  ])('refuses %j', (definition, path) => {
    expect(() => compileDefinition(definition, options)).toThrow(
      expect.objectContaining({ problems: [expect.objectContaining({ path })] }),
    );
  });

  it('starts the value budget anew for every cell', () => {
    const plan = compileDefinition({ repeat: { count: 60_000, of: { type: 'list', values: [1] } } }, options);
    for (let row = 0; row < 3; row += 1) expect(plan.value(KEY, 0, row, 0, [])).toHaveLength(60_000);
  });
});
