import fc from 'fast-check';
import type { Json } from '../schema-harness.js';
import type { DeclaredRange } from './declared-ranges.js';
import { decimals, expectBetween } from './expectations.js';

const positive = fc.constantFrom(0.25, 0.9, 1, 3, 40);

/** The params of each distribution, and its smallest and largest possible value. */
const DISTRIBUTIONS: Readonly<
  Record<string, { params: fc.Arbitrary<Json>; support: (params: Json) => readonly [number, number] }>
> = {
  normal: {
    params: fc.record(
      { mean: fc.integer({ min: -1000, max: 1000 }), stddev: fc.nat(50) },
      { requiredKeys: [] },
    ),
    support: ({ mean = 0, stddev = 1 }) => [
      Number(mean) - 9 * Number(stddev),
      Number(mean) + 9 * Number(stddev),
    ],
  },
  lognormal: {
    params: fc.record(
      { mu: fc.constantFrom(-2, 0, 3), sigma: fc.constantFrom(0, 0.5, 1) },
      { requiredKeys: [] },
    ),
    support: () => [0, Infinity],
  },
  exponential: {
    params: fc.record({ lambda: positive }, { requiredKeys: [] }),
    support: ({ lambda = 1 }) => [0, 37 / Number(lambda)],
  },
  uniform: {
    params: fc.tuple(fc.integer({ min: -99, max: 0 }), fc.nat(99)).map(([min, max]) => ({ min, max })),
    support: ({ min = 0, max = 1 }) => [Number(min), Number(max)],
  },
  poisson: { params: fc.record({ lambda: positive }, { requiredKeys: [] }), support: () => [0, Infinity] },
  beta: {
    params: fc.record({ alpha: positive, beta: positive }, { requiredKeys: [] }),
    support: () => [0, 1],
  },
  gamma: {
    params: fc.record({ shape: positive, scale: positive }, { requiredKeys: [] }),
    support: () => [0, Infinity],
  },
};

const continuous = fc
  .constantFrom(...Object.keys(DISTRIBUTIONS))
  .chain((distribution) =>
    (DISTRIBUTIONS[distribution]?.params ?? fc.constant({})).map((params) => ({ distribution, params })),
  );

const noisy = fc
  .tuple(
    continuous,
    fc.record({
      enabled: fc.boolean(),
      epsilon: fc.constantFrom(0.1, 1),
      mechanism: fc.constantFrom('laplace', 'gaussian'),
    }),
  )
  .map(([params, differential_privacy]) => ({ ...params, differential_privacy }));

const categorical = fc
  .array(fc.record({ value: fc.nat(), weight: fc.nat(3) }), { maxLength: 6 })
  .map((values) => ({ mode: 'categorical', values: [{ value: 'first' }, 'scalar', ...values] }));

const multivariate = fc
  .tuple(
    fc.uniqueArray(fc.string({ minLength: 1 }), { minLength: 1, maxLength: 5 }),
    fc.double({ min: 0, max: 0.9, noNaN: true }),
  )
  .map(([names, correlation]) => ({
    mode: 'multivariate',
    variables: names.map((name, i) => ({ name, mean: i * 10, stddev: i })),
    correlations: names.map((_, i) => names.map((__, j) => (i === j ? 1 : correlation))),
  }));

export const STATISTICAL_RANGE: DeclaredRange = {
  params: fc.oneof(continuous, noisy, categorical, multivariate),
  check(value, params, _, { min = -Infinity, max = Infinity }) {
    const { mode = 'continuous' } = params;
    if (mode === 'categorical') return expectOneOf(value, params['values'] as unknown[]);
    if (mode === 'multivariate') return expectVariables(value as Json, params['variables'] as Json[]);
    const { distribution = 'normal', params: inner = {}, differential_privacy = {} } = params;
    expect(decimals(value)).toBeLessThanOrEqual(6);
    expectBetween(Number(value), [Number(min), Number(max)]);
    if (distribution === 'poisson' && (differential_privacy as Json)['enabled'] !== true) {
      expect(Number.isInteger(value)).toBe(true);
    }
    if ((differential_privacy as Json)['enabled'] === true) return;
    const support = DISTRIBUTIONS[String(distribution)]?.support(inner as Json) ?? [NaN];
    expectBetween(Number(value), [...support]);
  },
};

function expectOneOf(value: unknown, values: readonly unknown[]): void {
  const possible = values.flatMap((item) => {
    if (typeof item !== 'object' || item === null) return [item];
    const { value: inner, weight = 1 } = item as Json;
    return weight === 0 ? [] : [inner];
  });
  expect(possible).toContainEqual(value);
}

function expectVariables(value: Json, variables: readonly Json[]): void {
  expect(Object.keys(value).sort()).toEqual(variables.map(({ name }) => String(name)).sort());
  for (const { name, mean = 0, stddev = 1 } of variables) {
    const drawn = value[String(name)];
    expect(decimals(drawn)).toBeLessThanOrEqual(6);
    const reach = 9 * Number(stddev) * Math.sqrt(variables.length);
    expectBetween(Number(drawn), [Number(mean) - reach, Number(mean) + reach]);
  }
}
