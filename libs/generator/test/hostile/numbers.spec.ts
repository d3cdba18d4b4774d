import { CORE_REGISTRY } from '../../src/types/core-registry.js';
import { DefinitionError, GenerationError } from '../../src/definition/errors.js';
import { compileSchema } from '../../src/compile/compile-schema.js';
import fc from 'fast-check';
import { asText, problems, svc, values, type Json } from '../schema-harness.js';
import { OPTIONS } from '../test-model.js';

const NUMBERS = [
  NaN,
  Infinity,
  -Infinity,
  1e308,
  -1e308,
  Number.MAX_VALUE,
  -Number.MAX_VALUE,
  5e-324,
  -5e-324,
  -0,
  0,
  0.5,
  -1,
  2 ** 31,
  2 ** 32,
  2 ** 53 - 1,
  2 ** 53,
  -(2 ** 53),
];

const noNumber = (value: unknown): boolean =>
  Array.isArray(value)
    ? value.some(noNumber)
    : typeof value === 'object' && value !== null
      ? Object.values(value).some(noNumber)
      : typeof value === 'number' && !Number.isFinite(value);

/** Checks that a definition generates rows of JSON, or is refused with an error of the library. */
function madeOrRefused(definition: Json): void {
  try {
    const made = values(definition, 5);
    expect(noNumber(made)).toBe(false);
    expect(asText(made)).not.toMatch(/NaN|Infinity/);
  } catch (error) {
    if (!(error instanceof DefinitionError || error instanceof GenerationError)) throw error;
    expect(error.message).toContain('generators.it');
  }
}

describe('hostile numbers', () => {
  const numeric = CORE_REGISTRY.all().flatMap(({ name, params, constraints = {} }) => [
    ...Object.keys(params).map((param) => [name, 'params', param]),
    ...Object.keys(constraints).map((param) => [name, 'constraints', param]),
  ]);

  it.each(numeric)('%s with %s.%s generates JSON or is refused', (use = '', group = '', param = '') => {
    const base = use.endsWith(':model') ? { source: 'en_US/first_names' } : {};
    for (const number of NUMBERS) {
      const given = { [param]: number };
      madeOrRefused(
        group === 'params'
          ? { use, params: { ...base, ...given } }
          : { use, params: base, constraints: given },
      );
      madeOrRefused({ use, params: { ...base, [param]: [number, { value: number, weight: number }] } });
    }
  });

  it('pairs of bounds and distribution parameters generate JSON or are refused', () => {
    const number = fc.constantFrom(...NUMBERS);
    const use = fc.oneof(
      fc.record({ min: number, max: number }).map((params) => svc('int_between', params)),
      fc
        .record({ min: number, max: number, precision: number })
        .map((params) => svc('float_between', params)),
      fc.record({ mean: number, stddev: number }).map((params) => svc('gaussian', params)),
      fc.record({ start: number, step: number }).map((params) => svc('sequence', params)),
      fc
        .tuple(
          fc.constantFrom('normal', 'lognormal', 'exponential', 'uniform', 'poisson', 'beta', 'gamma'),
          number,
          number,
        )
        .map(([distribution, a, b]) => ({
          type: 'statistical',
          distribution,
          params: paramsOf(distribution, a, b),
        })),
      fc.record({ min: number, max: number }).map((constraints) => ({ type: 'statistical', constraints })),
      fc.record({ epsilon: number, sensitivity: number }).map((noise) => ({
        type: 'statistical',
        differential_privacy: { enabled: true, ...noise },
      })),
      fc.tuple(number, number, number).map(([mean, stddev, r]) => ({
        type: 'statistical',
        mode: 'multivariate',
        variables: [{ name: 'a', mean, stddev }, { name: 'b' }],
        correlations: [
          [1, r],
          [r, 1],
        ],
      })),
    );
    fc.assert(fc.property(use, madeOrRefused), { numRuns: 1500, seed: 1 });
  });

  function paramsOf(distribution: string, a: number, b: number): Json {
    const names: Record<string, [string, string?]> = {
      normal: ['mean', 'stddev'],
      lognormal: ['mu', 'sigma'],
      exponential: ['lambda'],
      uniform: ['min', 'max'],
      poisson: ['lambda'],
      beta: ['alpha', 'beta'],
      gamma: ['shape', 'scale'],
    };
    const [first = '', second] = names[distribution] ?? [];
    return { [first]: a, ...(second !== undefined && { [second]: b }) };
  }

  it.each(NUMBERS.filter((value) => !(value >= 0 && value <= 1)))('nullable: %p is refused', (nullable) => {
    expect(problems({ ...svc('digits'), nullable })[0]?.path).toBe('generators.it.nullable');
  });

  it.each(NUMBERS)('weight %p generates JSON or is refused', (weight) => {
    madeOrRefused({ type: 'list', values: [{ value: 1, weight }] });
    madeOrRefused({
      type: 'list',
      values: [
        { value: 1, weight },
        { value: 2, weight },
      ],
    });
    madeOrRefused({
      variants: [
        { pattern: 'a', weight },
        { pattern: 'b', weight },
      ],
    });
  });

  it.each(NUMBERS)('a repeat of %p has as many items or is refused', (count) => {
    madeOrRefused({ repeat: { count, of: svc('digits') } });
    madeOrRefused({ let: { n: { output: count } }, repeat: { count: 'n', of: svc('digits') } });
  });

  it.each(NUMBERS.filter((seed) => !Number.isSafeInteger(seed)))('seed %p is refused', (seed) => {
    const plan = compileSchema({ generators: { it: svc('digits') }, output: ['it'] }, OPTIONS);
    expect(() => plan.open(seed)).toThrow(RangeError);
    expect(() => [...plan.records(1, seed, 1)]).toThrow(RangeError);
    expect(() => [...plan.records(1, 0, seed)]).toThrow(RangeError);
  });
});
