import fc from 'fast-check';
import { chiSquarePValue, expectPlausible } from '../../../random/test/statistics/p-values.js';
import { svc, type Json } from '../schema-harness.js';
import { decimals } from '../laws/expectations.js';
import { countsOf, sampleOf } from './sample.js';

const floats = (min: number, max: number, precision: number): Json =>
  svc('float_between', { min, max, precision });
const uniform = (min: number, max: number): Json => ({
  type: 'statistical',
  distribution: 'uniform',
  params: { min, max },
});

/** Returns the numbers of a decimal grid by their exact texts, independent of the arithmetic of the engine. */
function gridFrom(first: bigint, count: number, precision: number): number[] {
  return Array.from({ length: count }, (_, i) => Number(`${first + BigInt(i)}e-${precision}`));
}

function expectEven(definition: Json, cells: readonly number[], count = 20 * cells.length + 2000): void {
  const counts = countsOf(definition, cells, count);
  if (cells.length === 1) return; // countsOf found only this value
  expectPlausible(
    chiSquarePValue(
      counts,
      cells.map(() => 1 / cells.length),
    ),
  );
}

describe('each number of a grid has the same probability, the first and the last too', () => {
  it.each<[number, number, number, number[]]>([
    [1, 6, 0, [1, 2, 3, 4, 5, 6]],
    [0, 0.5, 1, [0, 0.1, 0.2, 0.3, 0.4, 0.5]],
    [-1, 1, 0, [-1, 0, 1]],
    [0.01, 0.05, 2, [0.01, 0.02, 0.03, 0.04, 0.05]],
    [0.15, 0.35, 1, [0.2, 0.3]],
    [-0.4, 2.6, 0, [0, 1, 2]],
    [2 ** 52 + 1, 2 ** 52 + 3, 0, [2 ** 52 + 1, 2 ** 52 + 2, 2 ** 52 + 3]],
    [1e16, 1e16 + 6, 0, [1e16, 1e16 + 2, 1e16 + 4, 1e16 + 6]],
    [1e300, 1e300, 15, [1e300]],
  ])('float_between %d to %d with %d decimals', (min, max, precision, cells) => {
    expectEven(floats(min, max, precision), cells, 60_000);
  });

  it.each<[number, number, number[]]>([
    [0, 3e-6, [0, 1e-6, 2e-6, 3e-6]],
    [-0.0000015, 0.0000015, [-1e-6, 0, 1e-6]],
    [7.000001, 7.000004, [7.000001, 7.000002, 7.000003, 7.000004]],
  ])('statistical uniform %d to %d', (min, max, cells) => {
    expectEven(uniform(min, max), cells, 60_000);
  });

  it('statistical uniform within the window of its constraints', () => {
    const definition = { ...uniform(0, 9e-6), constraints: { min: 1.5e-6, max: 5e-6 } };
    expectEven(definition, [2e-6, 3e-6, 4e-6, 5e-6], 60_000);
  });

  it('float_between for any grid, with bounds on the grid and off it', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: 9 }),
        fc.bigInt({ min: -(10n ** 6n), max: 10n ** 6n }),
        fc.integer({ min: 1, max: 30 }),
        fc.constantFrom(0, 0.3),
        (precision, first, count, off) => {
          const cells = gridFrom(first, count, precision);
          const [min = 0, max = 0] = [first, first + BigInt(count - 1)].map((n) =>
            Number(`${n}e-${precision}`),
          );
          expectEven(floats(min - off / 10 ** precision, max + off / 10 ** precision, precision), cells);
        },
      ),
      { numRuns: 40, seed: 1 },
    );
  });

  it('ranges that are too wide for a double are divided evenly', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 10, max: 307 }),
        fc.integer({ min: 0, max: 15 }),
        (exponent, precision) => {
          const max = Number(`1e${exponent}`);
          const values = sampleOf(floats(-max, max, precision), { count: 2000 });
          const bins = new Array<number>(10).fill(0);
          for (const value of values) {
            expect(decimals(value)).toBeLessThanOrEqual(precision);
            const bin = Math.min(9, Math.floor(5 * (1 + value / max)));
            bins[bin] = (bins[bin] ?? 0) + 1;
          }
          expectPlausible(
            chiSquarePValue(
              bins,
              bins.map(() => 0.1),
            ),
          );
        },
      ),
      { numRuns: 20, seed: 1 },
    );
  });
});
