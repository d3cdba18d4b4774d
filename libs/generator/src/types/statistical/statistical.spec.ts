import fc from 'fast-check';
import { problems, records, refusal, svc, values, type Json } from '../../../test/schema-harness.js';

const statistical = (more: Json = {}): Json => ({ type: 'statistical', ...more });
const continuous = (distribution: string, params: Json, more: Json = {}): Json =>
  statistical({ distribution, params, ...more });
const numbers = (definition: Json, count: number): number[] => values(definition, count).map(Number);
const mean = (list: readonly number[]): number => list.reduce((sum, x) => sum + x, 0) / list.length;
const isRounded = (x: number): boolean => Math.round(x * 1e6) / 1e6 === x;

describe('statistical', () => {
  it('is continuous and standard normal by default', () => {
    const expected = values(statistical(), 20);
    expect(values(statistical({ mode: 'continuous', distribution: 'normal', params: {} }), 20)).toEqual(
      expected,
    );
    expect(values(continuous('normal', { mean: 0, stddev: 1 }), 20)).toEqual(expected);
    expect(values({ use: '@svc/core:statistical', params: {} }, 20)).toEqual(expected);
  });

  it.each<[Json, string, string]>([
    [{ mode: 'algebraic' }, 'mode', 'computed'],
    [{ mode: 'categorial' }, 'mode', 'did you mean "categorical"?'],
    [{ mode: 7 }, 'mode', 'must be a string'],
    [{ mode: "{{pick('categorical', 'continuous')}}" }, 'mode', 'must not be a template'],
    [{ values: [1] }, 'values', 'is not a parameter of this generator (there are mode, distribution'],
    [{ mode: 'categorical', values: [1], variables: [] }, 'variables', 'there are mode, values'],
    [
      { mode: 'multivariate', variables: [{ name: 'a' }], distribution: 'beta' },
      'distribution',
      'there are mode',
    ],
    [{ mode: 'categorical', values: [1], constraints: { min: 0 } }, 'constraints.min', 'there are none'],
  ])('refuses %j', (definition, path, message) => {
    expect(problems(statistical(definition))).toEqual([
      { path: `generators.it.${path}`, message: expect.stringContaining(message) as string },
    ]);
  });
});

describe('statistical categorical', () => {
  const categorical = (list: unknown): Json => statistical({ mode: 'categorical', values: list });

  it('picks values of any type by weight; the default weight is 1, and weight 0 is never picked', () => {
    const list = [
      { value: 'a', weight: 6 },
      { value: { b: [1] } },
      { value: null, weight: 2.5 },
      { value: 'never', weight: 0 },
      7,
    ];
    const made = values(categorical(list), 5000).map((value) => JSON.stringify(value));
    const share = (text: string): number => made.filter((value) => value === text).length / 5000;
    expect(share('"never"')).toBe(0);
    for (const [text, weight] of [
      ['"a"', 6],
      ['{"b":[1]}', 1],
      ['null', 2.5],
      ['7', 1],
    ] as const) {
      expect(Math.abs(share(text) - weight / 10.5)).toBeLessThan(0.035);
    }
  });

  it('gives the same values as a list, and renders templates where they are picked', () => {
    const list = [{ value: 'n{{n}}', weight: 2 }, { value: { deep: ['{{n}}', '\\{{n}}'] } }];
    const generators = (it: Json): Json => ({ n: svc('sequence'), it });
    const made = records(generators(categorical(list)), ['it'], 40);
    expect(made).toEqual(records(generators({ type: 'list', values: list }), ['it'], 40));
    expect(made).toContainEqual({ it: { deep: [expect.any(Number), '{{n}}'] } });
  });

  it.each<[unknown, string, string]>([
    [undefined, 'values', 'must be an array'],
    [[], 'values', 'must not be empty'],
    [[{ value: 'a', weight: 0 }], 'values', 'all weights are 0'],
    [[{ value: 'a', weight: -1 }], 'values[0].weight', 'at least 0'],
    [[{ value: 'a', weight: '1' }], 'values[0].weight', 'got a string'],
    [[1, { value: 'a', wieght: 2 }], 'values[1].wieght', 'did you mean "weight"?'],
    [[{ weight: 2 }], 'values[0].value', 'is required'],
    [[[1, 2]], 'values[0]', 'got an array'],
    [
      [
        { value: 1, weight: 1e308 },
        { value: 2, weight: 1e308 },
      ],
      'values',
      'finite',
    ],
    [[{ value: '{{nobody}}' }], 'values[0]', 'nobody'],
  ])('refuses %j', (list, path, message) => {
    expect(problems(categorical(list))).toEqual([
      { path: `generators.it.${path}`, message: expect.stringContaining(message) as string },
    ]);
  });
});

describe('statistical continuous', () => {
  it.each<[string, Json, number, (x: number) => boolean]>([
    ['normal', { mean: 5, stddev: 0.1 }, 5, () => true],
    ['lognormal', { mu: 1, sigma: 0.25 }, Math.exp(1 + 0.25 ** 2 / 2), (x) => x > 0],
    ['exponential', { lambda: 4 }, 0.25, (x) => x >= 0],
    ['uniform', { min: -3, max: -1 }, -2, (x) => x >= -3 && x <= -1],
    ['poisson', { lambda: 2.5 }, 2.5, Number.isInteger],
    ['poisson', { lambda: 1e6 }, 1e6, Number.isInteger],
    ['beta', { alpha: 2, beta: 6 }, 0.25, (x) => x >= 0 && x <= 1],
    ['gamma', { shape: 3, scale: 2 }, 6, (x) => x >= 0],
  ])('%s of %j has its mean, its range and 6 decimals', (distribution, params, expected, isInRange) => {
    const made = numbers(continuous(distribution, params), 4000);
    expect(made.filter((x) => !isInRange(x) || !isRounded(x))).toEqual([]);
    expect(Math.abs(mean(made) / expected - 1)).toBeLessThan(0.06);
  });

  it('[2.9.5/11, 8/13] retries at most 50 times to hit the window, and then returns the nearer bound', () => {
    const near = numbers(statistical({ constraints: { min: 1, max: 2 } }), 500);
    expect(near.every((x) => x >= 1 && x <= 2)).toBe(true);
    expect(new Set(near).size).toBeGreaterThan(490);
    expect(new Set(numbers(statistical({ constraints: { min: 40 } }), 50))).toEqual(new Set([40]));
    expect(new Set(numbers(statistical({ constraints: { max: -40.5 } }), 50))).toEqual(new Set([-40.5]));
    // A draw is below -1.75 with a probability of 0.04, so all 51 draws miss that range in one of eight rows.
    const rare = numbers(statistical({ constraints: { max: -1.75 } }), 2000);
    expect(Math.abs(rare.filter((x) => x === -1.75).length / 2000 - 0.1245)).toBeLessThan(0.03);
  });

  it('does not change values inside of the window', () => {
    const free = numbers(statistical(), 500);
    const bound = numbers(statistical({ constraints: { min: -1, max: 1 } }), 500);
    expect(bound.filter((x, i) => Math.abs(free[i] ?? 0) <= 1 && x !== free[i])).toEqual([]);
  });

  it('stays inside of its window when rounding, and has 6 decimals if the window contains such a value', () => {
    const bound = fc.oneof(
      fc.double({ min: -10, max: 10, noNaN: true }),
      fc.integer({ min: -9_999_999, max: 9_999_999 }).map((n) => n / 1e6),
      fc.double({ min: -1e-5, max: 1e-5, noNaN: true }),
      fc.constant(-0),
    );
    fc.assert(
      fc.property(
        bound,
        bound,
        fc.constantFrom('normal', 'uniform'),
        fc.boolean(),
        (a, b, distribution, enabled) => {
          const [min, max] = a <= b ? [a, b] : [b, a];
          const made = numbers(
            statistical({ distribution, constraints: { min, max }, differential_privacy: { enabled } }),
            10,
          );
          const fits = [-1, 0, 1].some((step) => {
            const decimal = (Math.floor(max * 1e6) + step) / 1e6;
            return decimal >= min && decimal <= max;
          });
          expect(made.filter((x) => !(x >= min && x <= max) || Object.is(x, -0))).toEqual([]);
          if (fits) expect(made.filter((x) => !isRounded(x))).toEqual([]);
        },
      ),
      { numRuns: 300, seed: 5 },
    );
  });

  it('uniform stays within its own bounds when it is rounded', () => {
    const made = numbers(continuous('uniform', { min: 1 / 3, max: 1 / 3 + 2e-6 }), 200);
    expect(made.filter((x) => !(x >= 1 / 3 && x <= 1 / 3 + 2e-6) || !isRounded(x))).toEqual([]);
    expect(new Set(made).size).toBe(2);
  });

  it('keeps numbers that are too large for decimals', () => {
    const made = numbers(continuous('normal', { mean: 1e300, stddev: 1e299 }), 50);
    expect(made.every(Number.isFinite)).toBe(true);
    expect(new Set(made).size).toBe(50);
    expect(numbers(continuous('uniform', { min: -1.7e308, max: 1.7e308 }), 50).every(Number.isFinite)).toBe(
      true,
    );
  });

  it('accepts parameters and bounds from other generators', () => {
    const made = records(
      {
        n: svc('int_between', { min: 1, max: 5 }),
        it: continuous('normal', { mean: '{{n * 1000}}' }, { constraints: { min: '{{n * 1000}}' } }),
      },
      ['n', 'it'],
      50,
    );
    expect(
      made.every(({ n, it }) => Number(it) >= Number(n) * 1000 && Number(it) < Number(n) * 1000 + 9),
    ).toBe(true);
  });

  it.each<[Json, string, string]>([
    [continuous('gauss', {}), 'distribution', 'one of normal, lognormal'],
    [continuous('normal', { stdev: 1 }), 'params.stdev', 'did you mean "stddev"?'],
    [continuous('normal', { lambda: 1 }), 'params.lambda', 'there are mean, stddev'],
    [continuous('normal', { stddev: -1 }), 'params.stddev', 'at least 0'],
    [continuous('normal', { mean: '5' }), 'params.mean', 'must be a number'],
    [continuous('normal', { mean: NaN }), 'params.mean', 'must be a number'],
    [continuous('normal', { mean: Infinity }), 'params.mean', 'must be a number'],
    [continuous('normal', { stddev: 1e308 }), 'params', 'overflow'],
    [continuous('lognormal', { sigma: 1e308 }), 'params', 'overflow'],
    [continuous('lognormal', { sigma: -1 }), 'params.sigma', 'at least 0'],
    [continuous('lognormal', { mu: 710 }), 'params', 'overflow'],
    [continuous('exponential', { lambda: 0 }), 'params.lambda', 'above 0'],
    [continuous('exponential', { lambda: 1e-320 }), 'params', 'overflow'],
    [continuous('uniform', { min: 2 }), 'params.min', 'greater than max'],
    [continuous('poisson', { lambda: -1 }), 'params.lambda', 'above 0'],
    [continuous('poisson', { lambda: 1e16 }), 'params.lambda', 'at most 1000000000000000'],
    [continuous('beta', { alpha: 0 }), 'params.alpha', 'above 0'],
    [continuous('beta', { beta: -2 }), 'params.beta', 'above 0'],
    [continuous('gamma', { shape: 0 }), 'params.shape', 'above 0'],
    [continuous('gamma', { scale: 0 }), 'params.scale', 'above 0'],
    [continuous('gamma', { shape: 1e200, scale: 1e200 }), 'params', 'overflow'],
    [statistical({ params: [] }), 'params', 'must be an object'],
    [statistical({ constraints: { min: 2, max: 1 } }), 'constraints.min', 'min 2 is greater than max 1'],
    [statistical({ constraints: { min: '0' } }), 'constraints.min', 'must be a number'],
    [statistical({ constraints: { minimum: 0 } }), 'constraints.minimum', 'there are min, max'],
    [statistical({ differential_privacy: true }), 'differential_privacy', 'must be an object'],
    [statistical({ differential_privacy: { on: true } }), 'differential_privacy.on', 'there are enabled'],
    [
      statistical({ differential_privacy: { sensitivity: -1 } }),
      'differential_privacy.sensitivity',
      'at least 0',
    ],
    [
      statistical({ differential_privacy: { mechanism: 'laplce' } }),
      'differential_privacy.mechanism',
      '"laplace"',
    ],
    [
      statistical({ differential_privacy: { enabled: true, sensitivity: 1e308 } }),
      'differential_privacy.sensitivity',
      'overflow',
    ],
  ])('refuses %j', (definition, path, message) => {
    expect(problems(definition)).toEqual([
      { path: `generators.it.${path}`, message: expect.stringContaining(message) as string },
    ]);
  });

  it('fails on the row on which a parameter is invalid', () => {
    const generators = { n: svc('sequence', { step: -1 }), it: continuous('gamma', { shape: '{{n}}' }) };
    expect(() => records(generators, ['it'], 2)).toThrow(
      expect.objectContaining({ path: 'generators.it.params.shape', code: 'generation_failed' }),
    );
  });
});

describe('differential privacy', () => {
  const privacy = (more: Json, rest: Json = {}): Json =>
    statistical({ differential_privacy: { enabled: true, ...more }, ...rest });

  it('does not change the values if it is off, or if its sensitivity is 0', () => {
    for (const constraints of [{}, { min: 0.5, max: 1 }]) {
      const plain = numbers(statistical({ constraints }), 300);
      expect(numbers(statistical({ constraints, differential_privacy: {} }), 300)).toEqual(plain);
      expect(numbers(privacy({ enabled: false, epsilon: 0.1 }, { constraints }), 300)).toEqual(plain);
      for (const mechanism of ['laplace', 'gaussian']) {
        expect(numbers(privacy({ sensitivity: 0, mechanism }, { constraints }), 300)).toEqual(plain);
      }
    }
  });

  it('[2.9.5/25] adds the same noise, scaled, to the values that the window selected', () => {
    // Many draws are outside of the window. Retrying them must not change the noise.
    const constraints = { min: -1e9, max: 1 };
    const plain = numbers(statistical({ constraints }), 400);
    const noise = (epsilon: number): number[] =>
      numbers(privacy({ epsilon }, { constraints }), 400).map((x, i) => x - (plain[i] ?? 0));
    const small = noise(1000);
    const large = noise(100);
    small.forEach((x, i) => {
      if ((plain[i] ?? 0) < 0.8) expect(Math.abs(10 * x - (large[i] ?? 0))).toBeLessThan(1e-5);
    });
  });

  it('clamps noisy values to the window', () => {
    const made = numbers(privacy({ epsilon: 0.01 }, { constraints: { min: 0, max: 1 } }), 200);
    expect(made.every((x) => x >= 0 && x <= 1)).toBe(true);
    expect(made.filter((x) => x === 0 || x === 1).length).toBeGreaterThan(150);
  });

  it.each([1e-9, 0, -5])('replaces epsilon %d by 1e-6', (epsilon) => {
    expect(numbers(privacy({ epsilon }), 20)).toEqual(numbers(privacy({ epsilon: 1e-6 }), 20));
  });

  it('stays finite if noise and value are both as large as possible', () => {
    const huge = privacy(
      { sensitivity: 1e300, epsilon: 1e-6, mechanism: 'gaussian' },
      { params: { mean: 1.7e308, stddev: 0 } },
    );
    expect(numbers(huge, 200).every(Number.isFinite)).toBe(true);
  });
});

describe('statistical multivariate', () => {
  const named = (...names: string[]): Json[] => names.map((name) => ({ name }));
  const multivariate = (variables: unknown, correlations?: unknown): Json =>
    statistical({ mode: 'multivariate', variables, ...(correlations === undefined ? {} : { correlations }) });

  it('creates objects with the variables in their order, for any names', () => {
    const names = ['z', '__proto__', 'constructor', 'a b', 'toString'];
    const [made] = values(multivariate(named(...names)), 1) as Json[];
    expect(Object.keys(made ?? {})).toEqual(names);
    expect(Object.getPrototypeOf(made)).toBe(Object.prototype);
    expect(Object.values(made ?? {}).every((x) => typeof x === 'number' && isRounded(x))).toBe(true);
  });

  it('has the requested means and standard deviations, including 0', () => {
    const made = values(
      multivariate([
        { name: 'a', mean: 100, stddev: 5 },
        { name: 'b', mean: -3, stddev: 0 },
      ]),
      4000,
    ) as { a: number; b: number }[];
    expect(Math.abs(mean(made.map(({ a }) => a)) - 100)).toBeLessThan(0.5);
    expect(Math.abs(mean(made.map(({ a }) => (a - 100) ** 2)) - 25)).toBeLessThan(3);
    expect(new Set(made.map(({ b }) => b))).toEqual(new Set([-3]));
  });

  it('does not change the first variables when one is added at the end', () => {
    const two = values(multivariate(named('a', 'b'), [[1, 0.5], [0.5, 1]]), 30) as Json[]; // prettier-ignore
    const three = values(multivariate(named('a', 'b', 'c'), [[1, 0.5, 0.1], [0.5, 1, 0], [0.1, 0, 1]]), 30) as Json[]; // prettier-ignore
    expect(three.map(({ a, b }) => ({ a, b }))).toEqual(two);
  });

  it('is independent without correlations', () => {
    const identity = [[1, 0], [0, 1]]; // prettier-ignore
    expect(values(multivariate(named('a', 'b')), 30)).toEqual(
      values(multivariate(named('a', 'b'), identity), 30),
    );
  });

  it('accepts a matrix with the rounding errors of other programs', () => {
    const nearly = [[0.9999999999999999, 0.30000000000000004], [0.3, 1.0000000000000002]]; // prettier-ignore
    expect(values(multivariate(named('a', 'b'), nearly), 3)).toHaveLength(3);
  });

  it.each<[unknown, unknown, string, string]>([
    [undefined, undefined, 'variables', 'is required'],
    [{}, undefined, 'variables', 'must be an array'],
    [[], undefined, 'variables', 'at least one'],
    [['a'], undefined, 'variables[0]', 'object with a name'],
    [[{}], undefined, 'variables[0].name', 'is required'],
    [named('a', ''), undefined, 'variables[1].name', 'must not be empty'],
    [named('a', 'b', 'a'), undefined, 'variables[2].name', 'another variable'],
    [[{ name: 'a', sd: 1 }], undefined, 'variables[0].sd', 'there are name, mean, stddev'],
    [[{ name: 'a', stddev: -1 }], undefined, 'variables[0].stddev', 'at least 0'],
    [[{ name: 'a', stddev: 1e308 }], undefined, 'variables[0].stddev', 'overflow'],
    [named('a', 'b'), [[1]], 'correlations', 'a row for each of the 2 variables, got 1'],
    [named('a', 'b'), [[1, 0], 5], 'correlations[1]', 'must be an array'],
    [named('a', 'b'), [[1, 0], [0]], 'correlations[1]', '2 entries'],
    [
      named('a', 'b'),
      [
        [1, 0],
        [0, '1'],
      ],
      'correlations[1][1]',
      'number from -1 to 1',
    ],
    [
      named('a', 'b'),
      [
        [1, 1.5],
        [1.5, 1],
      ],
      'correlations[0][1]',
      'number from -1 to 1',
    ],
    [
      named('a', 'b'),
      [
        [1, NaN],
        [NaN, 1],
      ],
      'correlations[0][1]',
      'number from -1 to 1',
    ],
    [
      named('a', 'b'),
      [
        [1, 0],
        [0, 0.5],
      ],
      'correlations[1][1]',
      'must be 1',
    ],
    [
      named('a', 'b'),
      [
        [1, 0.1],
        [0.2, 1],
      ],
      'correlations[1][0]',
      'mirror [0][1]',
    ],
    [
      named('a', 'b'),
      [
        [1, 1],
        [1, 1],
      ],
      'correlations',
      'not positive-definite: row 1',
    ],
    [
      named('a', 'b', 'c'),
      [
        [1, 0.9, -0.9],
        [0.9, 1, 0.9],
        [-0.9, 0.9, 1],
      ],
      'correlations',
      'row 2',
    ],
  ])('refuses variables %j with correlations %j', (variables, correlations, path, message) => {
    expect(problems(multivariate(variables, correlations))).toEqual([
      { path: `generators.it.${path}`, message: expect.stringContaining(message) as string },
    ]);
  });

  it('has at most 100 variables', () => {
    const many = (count: number): Json[] => named(...Array.from({ length: count }, (_, i) => `v${i}`));
    expect(Object.keys(values(multivariate(many(100)), 1)[0] as Json)).toHaveLength(100);
    expect(refusal({ it: multivariate(many(101)) })).toMatchObject({
      code: 'limit_exceeded',
      problems: [{ path: 'generators.it.variables' }],
    });
  });
});
