import {
  kolmogorovQ,
  chiSquarePValue,
  independencePValue,
  kolmogorovPValue,
  correlation,
} from './p-values.js';
import { betaI, erfc, gammaP, gammaQ, logGamma } from './special-functions.js';

// Values from the tables of Abramowitz and Stegun, and from closed forms.
describe('the reference functions of the statistical tests', () => {
  it.each<[string, number, number]>([
    ['log Γ(1/2)', logGamma(0.5), 0.5 * Math.log(Math.PI)],
    ['log Γ(0.1)', logGamma(0.1), 2.252712651734206],
    ['log Γ(101)', logGamma(101), 363.7393755555635],
    ['erfc(0.5)', erfc(0.5), 0.4795001221869535],
    ['erfc(4)', erfc(4), 1.541725790028002e-8],
    ['erfc(-1)', erfc(-1), 1.8427007929497148],
    ['P(1, 2)', gammaP(1, 2), 1 - Math.exp(-2)],
    ['Q(5, 9.1535)', gammaQ(5, 18.307038053275146 / 2), 0.05],
    ['Q(10^6, 10^6)', gammaQ(1e6, 1e6), 0.49986701925],
    ['I_0.5(2, 2)', betaI(2, 2, 0.5), 0.5],
    ['I_0.3(1/2, 1/2)', betaI(0.5, 0.5, 0.3), (2 / Math.PI) * Math.asin(Math.sqrt(0.3))],
    ['I_0.9(2, 5)', betaI(2, 5, 0.9), 1 - 0.1 ** 6 - 6 * 0.9 * 0.1 ** 5],
    ['Kolmogorov at 5 %', kolmogorovQ(1.3580986393225507), 0.05],
    ['the median of Kolmogorov', kolmogorovQ(0.82757355518991), 0.5],
  ])('%s', (_, value, expected) => {
    expect(Math.abs(value / expected - 1)).toBeLessThan(2e-6);
  });

  it('both series of the Kolmogorov distribution agree at their boundary', () => {
    expect(kolmogorovQ(1.18 - 1e-9)).toBeCloseTo(kolmogorovQ(1.18 + 1e-9), 7);
  });

  it('the statistical tests reject samples that are wrong', () => {
    expect(chiSquarePValue([6000, 5500], [0.5, 0.5])).toBeLessThan(1e-5);
    expect(chiSquarePValue([5000, 5000], [0.5, 0.5])).toBe(1);
    expect(independencePValue([60, 40, 30, 70], 2)).toBeLessThan(1e-4);
    expect(() => chiSquarePValue([4, 4], [0.5, 0.5])).toThrow(RangeError);
    const even = Float64Array.from({ length: 1000 }, (_, i) => (i + 0.5) / 1000);
    expect(kolmogorovPValue(even, (x) => x)).toBeGreaterThan(1 - 1e-12);
    expect(kolmogorovPValue(even, (x) => x * x)).toBeLessThan(1e-12);
    expect(correlation(even, even)).toBeCloseTo(1, 12);
  });
});
