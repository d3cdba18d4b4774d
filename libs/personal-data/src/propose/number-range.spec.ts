import fc from 'fast-check';
import { rangeRule } from './number-range.js';

function bounds(values: readonly number[], type = 'numeric'): readonly [min: number, max: number] {
  const { params } = rangeRule({ values: values.map(String), type }) as {
    params: { min: number; max: number };
  };
  return [params.min, params.max];
}
const digitsOf = (value: number): string =>
  value.toExponential().replace(/e.*/, '').replace('-', '').replace(/0+$/, '').replace('.', '');

describe('rangeRule', () => {
  it('covers nearly all values, with bounds of one significant digit', () => {
    const values = fc.array(fc.integer({ min: 2, max: 2_000_000 }), { minLength: 1, maxLength: 60 });
    fc.assert(
      fc.property(values, (numbers) => {
        const [min, max] = bounds(numbers);
        const outside = numbers.filter((value) => value < min || value > max).length;
        expect(outside).toBeLessThanOrEqual(Math.ceil(numbers.length / 10));
        if (max > min + 1) expect([digitsOf(min).length, digitsOf(max).length]).toEqual([1, 1]);
      }),
    );
  });

  it('reveals only the order of magnitude of a few values', () => {
    expect(bounds([52_341.5])).toEqual([10_000, 100_000]);
    expect(bounds([31_000, 98_000, 640_000])).toEqual([10_000, 1_000_000]);
    expect(bounds([])).toEqual([1_000, 100_000]);
  });

  it('ignores a value that is far from all others', () => {
    const pay = Array.from({ length: 49 }, (_, i) => 31_000 + i * 100);
    expect(bounds([...pay, 9_912_345])).toEqual([30_000, 40_000]);
  });

  it('stays within the limits and the decimals of the type', () => {
    expect(bounds([30_000, 31_000], 'int2')[1]).toBe(32_767);
    expect(rangeRule({ values: ['1.50', '2.25'], type: 'numeric' })).toMatchObject({
      params: { precision: 2 },
    });
    expect(rangeRule({ values: ['1.00', '2.00'], type: 'numeric' })).toMatchObject({
      params: { precision: 0 },
    });
  });

  it('uses enough decimals for the range to contain a number', () => {
    const range = (...values: string[]) => rangeRule({ values, type: 'numeric' })['params'];
    expect(range('0.001', '0.002', '0.0035')).toEqual({ min: 0.001, max: 0.01, precision: 2 });
    const many = Array.from({ length: 40 }, (_, i) => `0.00${100 + i}`);
    expect(range(...many)).toEqual({ min: 0.001, max: 0.002, precision: 3 });
    expect(range(...many.map((value) => `${value}e-20`))).toEqual({ min: 0, max: 1, precision: 15 });
  });
});
