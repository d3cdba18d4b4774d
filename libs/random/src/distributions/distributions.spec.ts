import fc from 'fast-check';
import { deriveKey, distributions, RandomStream, rootKey, type Sampler } from '../index.js';
import { logPoissonProbability } from './poisson-probability.js';

const KEY = deriveKey(rootKey('test', 5), 'distributions');
const d = distributions;

function draws(sampler: Sampler, count: number): number[] {
  const random = new RandomStream();
  return Array.from({ length: count }, (_, row) => sampler(random.seek(KEY, row)));
}

const positive = fc.oneof(
  fc.double({ min: 5e-324, max: 1e300, noNaN: true }),
  fc.double({ min: 0.01, max: 100, noNaN: true }),
  fc.integer({ min: -323, max: 300 }).map((exponent) => Number(`1e${exponent}`)),
);
const real = fc.double({ noNaN: true, noDefaultInfinity: true });
const size = fc.double({ min: 0, noNaN: true, noDefaultInfinity: true });

describe('a sampler', () => {
  it.each<[string, fc.Arbitrary<() => Sampler>, (value: number) => boolean]>([
    [
      'normal',
      fc.tuple(real, size).map(
        ([m, s]) =>
          () =>
            d.normal(m, s),
      ),
      () => true,
    ],
    [
      'lognormal',
      fc.tuple(real, size).map(
        ([m, s]) =>
          () =>
            d.lognormal(m, s),
      ),
      (x) => x >= 0,
    ],
    ['exponential', positive.map((rate) => () => d.exponential(rate)), (x) => x >= 0],
    ['laplace', size.map((scale) => () => d.laplace(scale)), () => true],
    [
      'gamma',
      fc.tuple(positive, positive).map(
        ([k, s]) =>
          () =>
            d.gamma(k, s),
      ),
      (x) => x >= 0,
    ],
    [
      'beta',
      fc.tuple(positive, positive).map(
        ([a, b]) =>
          () =>
            d.beta(a, b),
      ),
      (x) => x >= 0 && x <= 1,
    ],
    ['poisson', positive.map((mean) => () => d.poisson(mean)), (x) => Number.isSafeInteger(x) && x >= 0],
  ])('%s is refused when it is created, or draws finite values in its range', (_, made, isInRange) => {
    let refused = 0;
    let drawn = 0;
    fc.assert(
      fc.property(made, (make) => {
        let sampler: Sampler;
        try {
          sampler = make();
        } catch (error) {
          expect(error).toBeInstanceOf(RangeError);
          refused += 1;
          return;
        }
        drawn += 1;
        expect(draws(sampler, 20).filter((x) => !(Number.isFinite(x) && isInRange(x)))).toEqual([]);
      }),
      { numRuns: 1000, seed: 11 },
    );
    expect(drawn).toBeGreaterThan(100);
    expect(refused).toBeLessThan(900);
  });

  it('uniform stays within its bounds even if they are very far apart', () => {
    fc.assert(
      fc.property(real, real, (a, b) => {
        const [min, max] = a <= b ? [a, b] : [b, a];
        expect(draws(d.uniform(min, max), 20).filter((x) => !(x >= min && x <= max))).toEqual([]);
      }),
    );
  });

  it('returns a finite value for the words at both ends of their range', () => {
    const samplers = [
      d.normal(0, 1),
      d.lognormal(0, 1),
      d.exponential(1),
      d.laplace(1),
      d.uniform(0, 1),
      d.gamma(2, 1),
      d.gamma(0.1, 1),
      d.beta(0.5, 0.5),
      d.beta(3, 1e-300),
      d.poisson(3),
      d.poisson(300),
    ];
    for (const word of [0, 0xffffffff]) {
      const stuck = new RandomStream();
      stuck.uint32 = () => word;
      for (const sampler of samplers) expect(Number.isFinite(sampler(stuck))).toBe(true);
    }
  });

  it.each<[string, () => Sampler, string]>([
    ['normal', () => d.normal(0, -1), 'stddev'],
    ['normal', () => d.normal(NaN, 1), 'overflow'],
    ['normal', () => d.normal(0, 1e308), 'overflow'],
    ['lognormal', () => d.lognormal(0, 1e308), 'overflow'],
    ['lognormal', () => d.lognormal(700, 2), 'overflow'],
    ['lognormal', () => d.lognormal(0, -1), 'sigma'],
    ['exponential', () => d.exponential(0), 'lambda'],
    ['exponential', () => d.exponential(1e-308), 'overflow'],
    ['laplace', () => d.laplace(-1), 'scale'],
    ['laplace', () => d.laplace(1e308), 'overflow'],
    ['uniform', () => d.uniform(1, 0), 'min'],
    ['uniform', () => d.uniform(-Infinity, 0), 'finite'],
    ['gamma', () => d.gamma(0, 1), 'shape'],
    ['gamma', () => d.gamma(1, 0), 'scale'],
    ['gamma', () => d.gamma(1e200, 1e200), 'overflow'],
    ['beta', () => d.beta(0, 1), 'alpha'],
    ['beta', () => d.beta(1, Infinity), 'beta'],
    ['poisson', () => d.poisson(0), 'lambda'],
    ['poisson', () => d.poisson(1.1e15), '10^15'],
  ])('%s reports which of its parameters is wrong', (_, make, reason) => {
    expect(make).toThrow(RangeError);
    expect(make).toThrow(reason);
  });

  it('gives the pinned values', () => {
    const made = [
      d.normal(10, 2),
      d.lognormal(0, 1),
      d.exponential(2),
      d.laplace(3),
      d.uniform(-1, 1),
      d.gamma(2.5, 2),
      d.gamma(0.2, 1),
      d.beta(2, 3),
      d.poisson(4),
      d.poisson(400),
      d.poisson(1e12),
    ].map((sampler) => draws(sampler, 2));
    expect(made).toMatchInlineSnapshot(`
     [
       [
         10.51807038067274,
         11.552912136091527,
       ],
       [
         1.2956793994196922,
         2.1737549591106684,
       ],
       [
         0.09241205746683542,
         0.40753557966434173,
       ],
       [
         -4.462461390295687,
         2.65006933579628,
       ],
       [
         -0.6625009510806159,
         0.11478433887074813,
       ],
       [
         5.141519780096467,
         7.044637835977779,
       ],
       [
         0.004294108207780665,
         1.0432044905654818,
       ],
       [
         0.2711667677281677,
         0.4691309333140212,
       ],
       [
         2,
         4,
       ],
       [
         378,
         403,
       ],
       [
         999998915309,
         1000000161494,
       ],
     ]
    `);
  });
});

describe('logPoissonProbability', () => {
  it('sums to 1', () => {
    for (const lambda of [0.1, 3, 12.5, 500]) {
      let sum = 0;
      for (let k = 0; k < 1000; k += 1) sum += Math.exp(logPoissonProbability(k, lambda));
      expect(Math.abs(sum - 1)).toBeLessThan(1e-12);
    }
  });

  it('has neighbours in the ratio lambda / (k + 1) even if log k! has lost its last digits', () => {
    fc.assert(
      fc.property(
        fc.double({ min: 0, max: 15, noNaN: true }),
        fc.double({ min: -8, max: 8, noNaN: true }),
        (digits, deviations) => {
          const lambda = 10 ** digits;
          const k = Math.max(0, Math.floor(lambda + deviations * Math.sqrt(lambda)));
          const step = logPoissonProbability(k + 1, lambda) - logPoissonProbability(k, lambda);
          expect(Math.abs(step - Math.log1p((lambda - k - 1) / (k + 1)))).toBeLessThan(1e-12);
        },
      ),
      { numRuns: 500, seed: 3 },
    );
  });
});
