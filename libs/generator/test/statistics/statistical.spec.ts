import {
  betaCdf,
  exponentialCdf,
  gammaCdf,
  laplaceCdf,
  lognormalCdf,
  normalCdf,
  poissonCdf,
  uniformCdf,
  type Cdf,
} from '../../../random/test/statistics/distribution-functions.js';
import {
  chiSquarePValue,
  correlation,
  correlationPValue,
  expectPlausible,
  kolmogorovPValue,
} from '../../../random/test/statistics/p-values.js';
import { svc, type Json } from '../schema-harness.js';
import { eachRecord, N, sampleOf } from './sample.js';

const STEP = 1e-6;
const statistical = (more: Json): Json => ({ type: 'statistical', ...more });

describe('generators follow their distributions', () => {
  it.each<[string, Json, Cdf]>([
    ['[2.9.2/16] gaussian', svc('gaussian', { mean: 3, stddev: 0.5 }), normalCdf(3, 0.5)],
    ['[2.9.2/17] exponential of svc', svc('exponential', { lambda: 3 }), exponentialCdf(3)],
    ['[2.9.2/9] float_between', svc('float_between', { min: -1, max: 9, precision: 6 }), uniformCdf(-1, 9)],
    ['[2.9.5/3, 2.9.5/13] normal', statistical({}), normalCdf(0, 1)],
    [
      '[2.9.5/14] lognormal',
      statistical({ distribution: 'lognormal', params: { mu: 2, sigma: 0.7 } }),
      lognormalCdf(2, 0.7),
    ],
    [
      '[2.9.5/15] exponential',
      statistical({ distribution: 'exponential', params: { lambda: 0.3 } }),
      exponentialCdf(0.3),
    ],
    [
      '[2.9.5/16] uniform',
      statistical({ distribution: 'uniform', params: { min: -4, max: 4 } }),
      uniformCdf(-4, 4),
    ],
    [
      '[2.9.5/18] beta',
      statistical({ distribution: 'beta', params: { alpha: 0.5, beta: 0.5 } }),
      betaCdf(0.5, 0.5),
    ],
    [
      '[2.9.5/19] gamma',
      statistical({ distribution: 'gamma', params: { shape: 0.1, scale: 10 } }),
      gammaCdf(0.1, 10),
    ],
  ])('%s', (_, definition, cdf) => {
    expectPlausible(kolmogorovPValue(sampleOf(definition), cdf, STEP));
  });

  it('[2.9.5/17] poisson', () => {
    const cdf = poissonCdf(4);
    const counts = new Float64Array(14);
    for (const value of sampleOf(statistical({ distribution: 'poisson', params: { lambda: 4 } }))) {
      const cell = Math.min(value, 13);
      counts[cell] = (counts[cell] ?? 0) + 1;
    }
    const probabilities = Array.from(counts, (__, k) => (k === 13 ? 1 : cdf(k)) - cdf(k - 1));
    expectPlausible(chiSquarePValue(counts, probabilities));
  });

  it('a window that 50 tries reliably hit cuts the distribution and keeps its shape', () => {
    const free = normalCdf(0, 1);
    const inside = free(2) - free(-0.5);
    const cut: Cdf = (x) => Math.min(1, Math.max(0, (free(x) - free(-0.5)) / inside));
    const values = sampleOf(statistical({ constraints: { min: -0.5, max: 2 } }));
    expectPlausible(kolmogorovPValue(values, cut, STEP));
  });
});

describe('differential privacy', () => {
  it.each<[string, Json, Cdf]>([
    ['laplace', { epsilon: 0.5, sensitivity: 2 }, laplaceCdf(4)],
    ['laplace of its defaults', {}, laplaceCdf(1)],
    [
      'gaussian',
      { epsilon: 0.5, sensitivity: 2, mechanism: 'gaussian' },
      normalCdf(0, (2 * Math.sqrt(2 * Math.log(1.25e5))) / 0.5),
    ],
  ])(
    '[2.9.5/22, 2.9.5/23, 2.9.5/24] %s noise has its distribution and is independent of the value',
    (_, privacy, cdf) => {
      const clean = sampleOf(statistical({}));
      const noisy = sampleOf(statistical({ differential_privacy: { enabled: true, ...privacy } }));
      const noise = noisy.map((x, i) => x - (clean[i] ?? 0));
      // Both numbers are rounded to 6 decimals, so the error of their difference is at most 10^-6. That is
      // small enough for this test.
      expectPlausible(kolmogorovPValue(noise, cdf));
      expectPlausible(correlationPValue(clean, noise));
      expectPlausible(correlationPValue(clean.map(Math.abs), noise.map(Math.abs)));
    },
  );
});

describe('multivariate', () => {
  const variables = [
    { name: 'a', mean: 10, stddev: 2 },
    { name: 'b', mean: -5, stddev: 0.1 },
    { name: 'c', mean: 0, stddev: 30 },
  ];

  it.each([
    [[[1, 0.8, -0.3], [0.8, 1, 0.1], [-0.3, 0.1, 1]]], // prettier-ignore
    [[[1, 0.999, 0], [0.999, 1, 0], [0, 0, 1]]], // prettier-ignore
    [[[1, -0.5, -0.49], [-0.5, 1, -0.49], [-0.49, -0.49, 1]]], // prettier-ignore
  ])('[2.9.5/4, 2.9.5/29] correlates as %j requires, with normal variables', (correlations) => {
    const columns = variables.map(() => new Float64Array(N));
    eachRecord({ it: statistical({ mode: 'multivariate', variables, correlations }) }, ([value], row) => {
      Object.values(value as Record<string, number>).forEach((x, i) => {
        (columns[i] as Float64Array)[row] = x;
      });
    });
    variables.forEach(({ mean, stddev }, i) => {
      expectPlausible(kolmogorovPValue(columns[i] as Float64Array, normalCdf(mean, stddev), STEP));
      correlations.slice(0, i).forEach((__, j) => {
        const expected = correlations[i]?.[j] ?? NaN;
        const found = correlation(columns[i] as Float64Array, columns[j] as Float64Array);
        expect(Math.abs(found - expected)).toBeLessThan(0.01);
        // Fisher's transform of r is normal with variance 1 / (n - 3).
        const z = (Math.atanh(found) - Math.atanh(expected)) * Math.sqrt(N - 3);
        expectPlausible(2 * normalCdf(0, 1)(-Math.abs(z)));
      });
    });
  });
});
