import { deriveKey, rootKey } from '../../src/keys/derive-key.js';
import { distributions } from '../../src/distributions/distributions.js';
import { RandomStream } from '../../src/stream/random-stream.js';
import { type Sampler } from '../../src/distributions/sampler.js';
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
} from './distribution-functions.js';
import { chiSquarePValue, expectPlausible, kolmogorovPValue } from './p-values.js';

const N = 100_000;

/** Draws one value per row, as generators do. */
function sample(draw: Sampler, label: string): Float64Array {
  const key = deriveKey(rootKey('statistics', 1), label);
  const random = new RandomStream();
  const values = new Float64Array(N);
  for (let row = 0; row < N; row += 1) values[row] = draw(random.seek(key, row));
  return values;
}

describe('continuous distributions follow their distribution functions', () => {
  const d = distributions;
  it.each<[string, Sampler, Cdf]>([
    ['normal(0, 1)', d.normal(0, 1), normalCdf(0, 1)],
    ['normal(-3, 1e-5)', d.normal(-3, 1e-5), normalCdf(-3, 1e-5)],
    ['lognormal(0, 1)', d.lognormal(0, 1), lognormalCdf(0, 1)],
    ['lognormal(-5, 20)', d.lognormal(-5, 20), lognormalCdf(-5, 20)],
    ['exponential(1)', d.exponential(1), exponentialCdf(1)],
    ['exponential(1e-7)', d.exponential(1e-7), exponentialCdf(1e-7)],
    ['laplace(2)', d.laplace(2), laplaceCdf(2)],
    ['uniform(-2, 5)', d.uniform(-2, 5), uniformCdf(-2, 5)],
    ['gamma(0.01, 1)', d.gamma(0.01, 1), gammaCdf(0.01, 1)],
    ['gamma(0.1, 3)', d.gamma(0.1, 3), gammaCdf(0.1, 3)],
    ['gamma(0.999, 1)', d.gamma(0.999, 1), gammaCdf(0.999, 1)],
    ['gamma(1, 1)', d.gamma(1, 1), exponentialCdf(1)],
    ['gamma(2.5, 0.5)', d.gamma(2.5, 0.5), gammaCdf(2.5, 0.5)],
    ['gamma(1000, 1)', d.gamma(1000, 1), gammaCdf(1000, 1)],
    ['beta(1, 1)', d.beta(1, 1), uniformCdf(0, 1)],
    ['beta(0.5, 0.5)', d.beta(0.5, 0.5), betaCdf(0.5, 0.5)],
    ['beta(0.05, 2)', d.beta(0.05, 2), betaCdf(0.05, 2)],
    ['beta(2, 5)', d.beta(2, 5), betaCdf(2, 5)],
    ['beta(300, 700)', d.beta(300, 700), betaCdf(300, 700)],
    // With such large parameters these distributions are almost normal. Their skewness is below 10^-6. So is
    // the distance between two counts, measured in standard deviations.
    ['poisson(1e15)', d.poisson(1e15), normalCdf(1e15, Math.sqrt(1e15))],
    ['gamma(1e18, 1e-9)', d.gamma(1e18, 1e-9), normalCdf(1e9, 1)],
  ])('%s', (name, draw, cdf) => {
    expectPlausible(kolmogorovPValue(sample(draw, name), cdf));
  });
});

describe('the Poisson distribution follows its probabilities', () => {
  it.each([0.1, 1, 9.99, 10, 30, 1000, 1e6])('mean %d', (lambda) => {
    const cdf = poissonCdf(lambda);
    const steps = Array.from({ length: 61 }, (_, i) => Math.floor(lambda + (i / 10 - 3) * Math.sqrt(lambda)));
    // The upper bounds of the cells: every count, or sixty steps over six standard deviations. Each tail
    // beyond 1/1000 is one cell.
    const bounds = [...new Set(steps)].filter((bound) => cdf(bound) > 0.001 && cdf(bound) < 0.999);
    const upTo = [...bounds.map(cdf), 1];
    const counts = new Float64Array(upTo.length);
    for (const count of sample(distributions.poisson(lambda), `poisson ${lambda}`)) {
      const cell = bounds.findIndex((bound) => count <= bound);
      const index = cell < 0 ? bounds.length : cell;
      counts[index] = (counts[index] ?? 0) + 1;
    }
    expectPlausible(
      chiSquarePValue(
        counts,
        upTo.map((probability, i) => probability - (upTo[i - 1] ?? 0)),
      ),
    );
  });
});

describe('beta distributions with peaks too narrow for a density', () => {
  it.each([
    [1e-5, 1e-5],
    [1e-200, 3e-200],
    [5e-324, 5e-324],
  ])('beta(%d, %d) is 1 with a probability of alpha / (alpha + beta), otherwise 0', (alpha, beta) => {
    const values = sample(distributions.beta(alpha, beta), `beta ${alpha} ${beta}`);
    const ones = values.filter((value) => value > 0.5).length;
    expect(values.every((value) => value >= 0 && value <= 1)).toBe(true);
    const share = alpha / (alpha + beta);
    expectPlausible(chiSquarePValue([ones, N - ones], [share, 1 - share]));
  });
});
