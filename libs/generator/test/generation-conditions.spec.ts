import { CORE_REGISTRY } from '../src/types/core-registry.js';
import { defineComposition } from '../src/registry/define-composition.js';
import { failure, refusal, refusalOf, svc, values, type Json } from './schema-harness.js';
import { OPTIONS } from './test-model.js';

/**
 * An error condition of docs/reference.md, section 7. The list below has the order of that section. If the
 * definition itself causes the error, it is a `validation_error` before the first row. If the values of a row
 * cause it, it is a `generation_failed` on that row.
 */
interface Condition {
  readonly condition: string;
  readonly definition: Json;
  /** Other generators of the schema. */
  readonly siblings?: Json;
  /** The path of the error, relative to the path of the generator. */
  readonly path: string;
  /** A part of the message. It describes the error, and also the solution unless that is obvious. */
  readonly message: string;
  /** The number of rows before the failure. Absent if the error occurs before the first row. */
  readonly failsAfter?: number;
}

const list = (members: Json): Json => ({ type: 'list', ...members });
const categorical = (values: unknown): Json => ({ type: 'statistical', mode: 'categorical', values });
const multivariate = (variables: unknown, correlations?: unknown): Json => ({
  type: 'statistical',
  mode: 'multivariate',
  variables,
  ...(correlations !== undefined && { correlations }),
});
const events = (...list: Json[]): Json => ({ type: 'event_sequence', events: list });
const row = svc('sequence');
const [a, b] = [{ name: 'a' }, { name: 'b' }];

const CONDITIONS: Condition[] = [
  {
    condition: '[7/9] unique cannot fill after 200 attempts',
    definition: list({ values: [1, 2, 3], unique: true }),
    path: '',
    message:
      '200 attempts after 3 different values: the attempts gave 3 different ones; let the generator produce more values, or request fewer',
    failsAfter: 3,
  },
  {
    condition: 'unique of repeat cannot fill after 200 attempts',
    definition: { repeat: { count: 'pick(3)', of: list({ values: [1, 2] }), unique: true } },
    path: '.repeat',
    message:
      '200 attempts after 2 different values: the attempts gave 2 different ones; let the generator produce more values, or request fewer',
    failsAfter: 0,
  },
  {
    condition: 'unique of repeat has too few values to fill',
    definition: { repeat: { count: 3, of: list({ values: [1, 2] }), unique: true } },
    path: '.repeat',
    message: 'unique cannot give 3 different values: the generator has at most 2',
  },
  {
    condition: '[7/9] int_between with min > max',
    definition: svc('int_between', { min: 5, max: 4 }),
    path: '.params.min',
    message: 'min 5 is greater than max 4',
  },
  {
    condition: 'int_between with min > max, from a row',
    definition: svc('int_between', { min: '{{row}}', max: 2 }),
    siblings: { row },
    path: '.params.min',
    message: 'min 3 is greater than max 2',
    failsAfter: 2,
  },
  {
    condition: '[7/9] float_between with min > max',
    definition: svc('float_between', { min: 2 }),
    path: '.params.min',
    message: 'min 2 is greater than max 1',
  },
  {
    condition: 'float_between with min > max, from a row',
    definition: svc('float_between', { min: '{{row - 1}}' }),
    siblings: { row },
    path: '.params.min',
    message: 'min 2 is greater than max 1',
    failsAfter: 2,
  },
  {
    condition: 'float_between without a number of its precision in the range',
    definition: svc('float_between', { min: 0.001, max: 0.009, precision: 2 }),
    path: '.params.precision',
    message: 'no number with 2 decimals is between min 0.001 and max 0.009',
  },
  {
    condition: 'float_between without a number of its precision in the range, from a row',
    definition: svc('float_between', { min: '{{row / 4}}', max: 0.3, precision: 0 }),
    siblings: { row: svc('sequence', { start: 0 }) },
    path: '.params.precision',
    message: 'no number with 0 decimals is between min 0.25 and max 0.3',
    failsAfter: 1,
  },
  {
    condition: '[7/9] int_between whose except excludes the whole range',
    definition: svc('int_between', { min: 1, max: 3, except: [3, 1, 2, 9] }),
    path: '.params.except',
    message: 'excludes the whole range; leave at least one value from min to max',
  },
  {
    condition: 'int_between whose except excludes the whole range, from a row',
    definition: svc('int_between', { min: 1, max: 1, except: ['{{row}}', 2, 3] }),
    siblings: { row: { computed: '1' } },
    path: '.params.except',
    message: 'excludes the whole range; leave at least one value from min to max',
    failsAfter: 0,
  },
  // The reference also lists an `except` that 1000 tries do not avoid. That cannot occur here: see the test
  // of int_between below.
  {
    condition: 'list with an empty selection: no values',
    definition: list({ values: [] }),
    path: '.values',
    message: 'must not be empty',
  },
  {
    condition: '[7/9] list with an empty selection: where matches nothing',
    definition: list({ values: [1, 2], where: 'item > 2' }),
    path: '.values',
    message: 'no element matches where; widen the condition, or add elements',
  },
  {
    condition: 'list with an empty selection, from a row',
    definition: list({ source: 'numbers', where: 'item.value < 1 - row' }),
    siblings: { row },
    path: '.source',
    message: 'no element matches where; widen the condition, or add elements',
    failsAfter: 0,
  },
  {
    condition: '[7/9] list with all-zero weights',
    definition: list({
      values: [
        { value: 1, weight: 0 },
        { value: 2, weight: 0 },
      ],
    }),
    path: '.values',
    message: 'all weights are 0; give at least one element a weight above 0',
  },
  {
    condition: 'list with all-zero weights among what where matches, from a row',
    definition: list({ values: [{ value: 1 }, { value: 2, weight: 0 }], where: 'item.value == row' }),
    siblings: { row },
    path: '.values',
    message: 'all matching weights are 0; give at least one element a weight above 0',
    failsAfter: 1,
  },
  {
    condition: '[7/9] list with a missing key bucket',
    definition: list({ source: 'towns_by_country', key: 'fra' }),
    path: '.key',
    message: 'the asset has no bucket of this name; did you mean "fr"?',
  },
  {
    condition: 'list with a missing key bucket, from a row',
    definition: list({ source: 'towns_by_country', key: "{{if(row < 3, 'nl', 'be')}}" }),
    siblings: { row },
    path: '.key',
    message: 'the asset has no bucket of this name',
    failsAfter: 2,
  },
  {
    condition: '[7/9] categorical, empty',
    definition: categorical([]),
    path: '.values',
    message: 'must not be empty',
  },
  {
    condition: '[2.9.5/6] categorical, absent',
    definition: { type: 'statistical', mode: 'categorical' },
    path: '.values',
    message: 'must be an array',
  },
  {
    condition: '[7/9] categorical with all-zero weights',
    definition: categorical([{ value: 'a', weight: 0 }]),
    path: '.values',
    message: 'all weights are 0; give at least one element a weight above 0',
  },
  {
    condition: '[7/9] multivariate with duplicate names',
    definition: multivariate([a, b, a]),
    path: '.variables[2].name',
    message: 'is also the name of another variable',
  },
  {
    condition: '[7/9] multivariate with an empty name',
    definition: multivariate([a, { name: '' }]),
    path: '.variables[1].name',
    message: 'must not be empty',
  },
  {
    condition: '[7/9] multivariate with a matrix that is not square: rows',
    definition: multivariate([a, b], [[1, 0]]),
    path: '.correlations',
    message: 'must have a row for each of the 2 variables, got 1',
  },
  {
    condition: '[7/9] multivariate with a matrix that is not square: columns',
    definition: multivariate([a, b], [[1, 0], [0]]),
    path: '.correlations[1]',
    message: 'must have 2 entries, one for each variable, got 1',
  },
  {
    condition: '[7/9] multivariate with a matrix that is not positive-definite',
    definition: multivariate(
      [a, b, { name: 'c' }],
      [
        [1, 0.9, -0.9],
        [0.9, 1, 0.9],
        [-0.9, 0.9, 1],
      ],
    ),
    path: '.correlations',
    message: 'positive-definite',
  },
  {
    condition: 'multivariate with a matrix that is not positive-definite, from a row',
    definition: multivariate(
      [a, b],
      [
        [1, '{{row / 2}}'],
        ['{{row / 2}}', 1],
      ],
    ),
    siblings: { row },
    path: '.correlations',
    message: 'positive-definite',
    failsAfter: 1,
  },
  {
    condition: '[7/9] event sequence without anchor',
    definition: events({ name: 'a', after: 'b' }, { name: 'b', after: 'a' }),
    path: '.events',
    message: 'needs an anchor: an event with base: true, or one without after',
  },
  {
    condition: '[7/9] event sequence with an unknown after',
    definition: events({ name: 'ordered' }, { name: 'shipped', after: 'orderd' }),
    path: '.events[1].after',
    message: 'is not the name of an event in the sequence; did you mean "ordered"?',
  },
  {
    condition: '[7/9] composition with a cycle in let',
    definition: { let: { x: { computed: 'y' }, y: { computed: 'x' } }, body: 'z' },
    path: '.let.x',
    message: 'refers to itself: x → y → x',
  },
  {
    condition: '[7/9] composition with an unknown reference',
    definition: { let: { town: svc('digits') }, body: '{{twon}}' },
    path: '.body',
    message: 'unknown name "twon"; did you mean "town"? (at character 3)',
  },
  {
    condition: '[7/9] type template',
    definition: { type: 'template', pattern: '{{row}}-x' },
    path: '.type',
    message: 'write a composition body instead: {"body":"{{row}}-x"}',
  },
  {
    condition: '[7/9] type linked',
    definition: { type: 'linked', source: 'towns' },
    path: '.type',
    message: 'write a list over an asset instead: {"type":"list","source":{"asset":"<name>"}}',
  },
  {
    condition: '[7/9] mode algebraic',
    definition: { type: 'statistical', mode: 'algebraic' },
    path: '.mode',
    message:
      'use a composition to compute values: {"let":{"x":{"computed":"<expression>"}},"output":"{{x}}"}',
  },
];

const known = CONDITIONS.filter(({ failsAfter }) => failsAfter === undefined);
const onRows = CONDITIONS.filter(({ failsAfter }) => failsAfter !== undefined);

describe('conditions found before the first row', () => {
  it.each(known)('$condition', ({ definition, siblings, path, message }) => {
    const error = refusal({ ...siblings, it: definition });
    expect(error.code).toBe('validation_error');
    expect(error.problems).toEqual([
      { path: `generators.it${path}`, message: expect.stringContaining(message) as string },
    ]);
  });

  it.each(known)('$condition, inside of a registered composition', ({ definition, path, message }) => {
    const composition = { name: '@acme/x:y', let: { it: definition }, body: '{{it}}' };
    const { code, problems } = refusalOf(() => defineComposition(composition, OPTIONS));
    expect(code).toBe('validation_error');
    expect(problems[0]).toEqual({
      path: `let.it${path}`,
      message: expect.stringContaining(message) as string,
    });
  });
});

describe('conditions that only the values of a row cause', () => {
  it.each(onRows)('$condition', ({ definition, siblings, path, message, failsAfter = 0 }) => {
    const error = failure(definition, failsAfter + 1, OPTIONS, siblings);
    expect(error.code).toBe('generation_failed');
    expect(error.path).toBe(`generators.it${path}`);
    expect(error.reason).toContain(message);
    expect(values(definition, failsAfter, OPTIONS, siblings)).toHaveLength(failsAfter);
  });

  it.each(onRows)(
    '$condition, inside of a composition',
    ({ definition, siblings, path, message, failsAfter = 0 }) => {
      const composition = {
        name: '@acme/x:y',
        params: {},
        let: { ...siblings, it: definition },
        output: '{{it}}',
      };
      const registry = CORE_REGISTRY.with(defineComposition(composition, OPTIONS));
      const error = failure({ use: '@acme/x:y' }, failsAfter + 1, { ...OPTIONS, registry });
      expect(error.code).toBe('generation_failed');
      expect(error.path).toBe('generators.it');
      expect(error.reason).toContain(`in @acme/x:y, let.it${path}: `);
      expect(error.reason).toContain(message);
    },
  );
});

describe('int_between with an except of almost all values', () => {
  // The reference describes draws with at most 1000 tries. This implementation numbers the values that are
  // not excluded and draws one of them. So it always finds one, and all of them have the same probability.
  it('[8/12] finds the one value that is left of 100,000', () => {
    const except = Array.from({ length: 100_000 }, (_, i) => i).filter((value) => value !== 77_777);
    expect(values(svc('int_between', { min: 0, max: 99_999, except }), 3)).toEqual([77_777, 77_777, 77_777]);
  });
});
