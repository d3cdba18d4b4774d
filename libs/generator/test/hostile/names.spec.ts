import { compileSchema } from '../../src/compile/compile-schema.js';
import { DefinitionError } from '../../src/definition/errors.js';
import fc from 'fast-check';
import { asText, records, refusal, svc, type Json } from '../schema-harness.js';
import { OPTIONS } from '../test-model.js';

const PROTOTYPE = Object.getOwnPropertyNames(Object.prototype);

/** Creates an object with JSON.parse, for which `__proto__` is an ordinary property. */
function object(entries: readonly (readonly [string, unknown])[]): Json {
  return JSON.parse(
    `{${entries.map(([name, value]) => `${JSON.stringify(name)}:${JSON.stringify(value)}`).join()}}`,
  ) as Json;
}

const NAMES = [
  ...PROTOTYPE,
  'prototype',
  '',
  ' ',
  '0',
  '-1',
  '007',
  '4294967295',
  '1e308',
  'NaN',
  'null',
  'true',
  'item',
  'value',
  'uuid',
  'lowercase',
  '{{x}}',
  '\\{{',
  '`',
  '"',
  "'; DROP TABLE users; --",
  '<script>',
  '../../etc/passwd',
  '${1}',
  '\0',
  '\n',
  '\u2028',
  '\ud800',
  'ё',
  '名前',
  '🦜',
  'a\u0301',
  'n'.repeat(10_000),
  '🦜'.repeat(5000),
];

afterEach(() => {
  expect(Object.getOwnPropertyNames(Object.prototype)).toEqual(PROTOTYPE);
  expect(Object.keys({})).toEqual([]);
});

describe('names of generators', () => {
  it('are ordinary names, even __proto__ and constructor', () => {
    const generators = object(NAMES.map((name) => [name, svc('digits', { digits: 9 })]));
    const plan = compileSchema({ generators, output: NAMES }, OPTIONS);
    expect(plan.output).toEqual(NAMES);
    const [record = {}] = plan.records(1, 0, 1);
    expect(Object.keys(record).sort()).toEqual([...NAMES].sort());
    expect(Object.getPrototypeOf(record)).toBe(Object.prototype);
    const made = NAMES.map((name) => Object.getOwnPropertyDescriptor(record, name)?.value as unknown);
    expect(made.every((value) => typeof value === 'number')).toBe(true);
    expect(new Set(made).size).toBe(NAMES.length); // each has a stream of its own
  });

  it.each(NAMES.map((name) => [name.slice(0, 20), name]))(
    '%j can be the name of a step, a param and a key',
    (_, name) => {
      const it = {
        let: object([[name, { body: 'x' }]]),
        params: object([[`${name}p`, { default: 1 }]]),
        output: object([[name, 'y']]),
      };
      expect(asText(records({ it }, ['it'])[0]?.['it'])).toBe(asText(object([[name, 'y']])));
    },
  );

  it('can be any text', () => {
    fc.assert(
      fc.property(fc.uniqueArray(fc.string({ unit: 'binary' }), { minLength: 1, maxLength: 8 }), (names) => {
        const generators = object(names.map((name, i) => [name, { computed: String(i) }]));
        const [record = {}] = records(generators, names);
        names.forEach((name, i) => expect(Object.getOwnPropertyDescriptor(record, name)?.value).toBe(i));
      }),
      { numRuns: 100 },
    );
  });

  it('are unknown if only the prototype has them', () => {
    for (const name of PROTOTYPE) {
      expect(refusal({ it: svc('digits') }, [name]).problems.map(({ path }) => path)).toEqual(['output[0]']);
      if (name === '__proto__') continue; // needs no quotes either, but no generator has it as a parameter
      expect(refusal({ it: { body: `{{${name}}}` } }).problems[0]?.path).toBe('generators.it.body');
      expect(refusal({ it: svc(name) }).problems[0]?.path).toBe('generators.it.algorithm');
      expect(refusal({ it: { type: name } }).problems[0]?.path).toBe('generators.it.type');
      expect(refusal({ it: { use: name } }).problems[0]?.path).toBe('generators.it.use');
      expect(refusal({ it: svc('digits', { [name]: 1 }) }).problems[0]?.path).toBe(
        `generators.it.params.${name}`,
      );
    }
  });

  it('are cut in messages if they have 10,000 characters', () => {
    const name = 'n'.repeat(10_000);
    const { problems } = refusal({ [name]: { body: '{{nobody}}' }, [`${name}2`]: 5, it: svc(name) }, [
      name,
      `${name}3`,
    ]);
    expect(problems.map(({ path }) => path)).toEqual([
      `generators.${'n'.repeat(64)}….body`,
      `generators.${'n'.repeat(64)}…`,
      'generators.it.algorithm',
      'output[1]',
    ]);
    for (const { message } of problems) expect(message.length).toBeLessThan(1000);
  });

  it('do not make an error large if they occur in many problems', () => {
    const steps = Object.fromEntries(Array.from({ length: 900 }, (_, i) => [`s${i}`, 5]));
    const error = refusal({ ['n'.repeat(500_000)]: { let: steps, body: '' }, it: svc('digits') });
    expect(error.problems).toHaveLength(101);
    expect(error.problems.at(-1)?.message).toBe('100 problems were found; there may be more');
    expect(error.message.length).toBeLessThan(50_000);
  });

  it('a definition with many mistakes is checked only up to 100 of them', () => {
    const keys = Object.fromEntries(Array.from({ length: 20_000 }, (_, i) => [`bodi${i}`, 1]));
    expect(refusal({ it: { body: '', ...keys } }).problems).toHaveLength(101);
    expect(refusal({ it: { output: new Array(50_000).fill('{{nobody}}') } }).problems).toHaveLength(101);
    expect(refusal({ it: svc('digits') }, new Array(50_000).fill('it')).problems).toHaveLength(101);
  });
});

describe('values that are not JSON', () => {
  it.each<[string, unknown]>([
    ['a function', () => 1],
    ['a date', new Date(0)],
    ['a symbol', Symbol('x')],
    ['undefined', undefined],
    ['a bigint', 1n],
  ])('%s is refused as a generator', (_, definition) => {
    expect(() => compileSchema({ generators: { it: definition }, output: ['it'] }, OPTIONS)).toThrow(
      DefinitionError,
    );
  });
});
