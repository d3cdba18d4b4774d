import { EvaluationError } from '../../src/errors.js';
import fc from 'fast-check';
import { evaluate } from '../evaluate.js';

/** The largest number of decimals that toFixed writes. */
const PLACES = 100;
const finite = fc.double({ noNaN: true, noDefaultInfinity: true });
/**
 * Generates decimals: a whole number divided by a power of ten. Some of them end in 5, which tests the
 * rounding of halves.
 */
const decimal = fc
  .tuple(fc.maxSafeInteger(), fc.integer({ min: 0, max: 12 }))
  .map(([digits, places]) => digits / Number(`1e${places}`));
const number = fc.oneof(finite, decimal, fc.integer());
const numbers = fc.array(number, { minLength: 1, maxLength: 20 });

/** Returns the value, or the error of a sum that is infinite or cannot be exact. */
function outcomeOf(source: string, values: Record<string, unknown>): unknown {
  try {
    return evaluate(source, values);
  } catch (error) {
    return String(error);
  }
}

describe('rounding', () => {
  test('round gives the exact decimal that toFixed writes', () => {
    fc.assert(
      fc.property(number, fc.integer({ min: 0, max: 15 }), (x, digits) => {
        fc.pre(Math.abs(x) < 1e21);
        expect(evaluate('round(x, digits)', { x, digits })).toBe(Number(x.toFixed(digits)) + 0);
      }),
      { numRuns: 20_000 },
    );
  });

  test('round uses the exact value of the double, even next to a half', () => {
    const half = fc
      .tuple(fc.integer({ min: -100_000, max: 100_000 }), fc.integer({ min: 0, max: 8 }))
      .map(([k, digits]) => ({ x: (10 * k + 5) / Number(`1e${digits + 1}`), digits }));
    fc.assert(
      fc.property(half, ({ x, digits }) => {
        expect(evaluate('round(x, digits)', { x, digits })).toBe(Number(x.toFixed(digits)) + 0);
      }),
      { numRuns: 5000 },
    );
    expect(evaluate('round(1.115, 2)')).toBe(1.11); // the double is below the half, but its product with 100 is exactly a half
  });

  test('round is odd and idempotent, and gives a whole number without digits', () => {
    fc.assert(
      fc.property(number, fc.integer({ min: 0, max: 15 }), (x, digits) => {
        const rounded = evaluate('round(x, digits)', { x, digits });
        expect(evaluate('0 - round(-x, digits)', { x, digits })).toBe(rounded);
        expect(evaluate('round(rounded, digits)', { rounded, digits })).toBe(rounded);
        expect(Number.isInteger(evaluate('round(x)', { x }))).toBe(true);
      }),
    );
  });

  test('floor and ceil enclose a number, and abs is its absolute value', () => {
    fc.assert(
      fc.property(number, (x) => {
        expect(evaluate('[floor(x), ceil(x), abs(x)]', { x })).toEqual([
          Math.floor(x),
          Math.ceil(x) + 0,
          Math.abs(x),
        ]);
      }),
    );
  });

  test.each([-1, 0.5, 16, 1e9])('round refuses %d digits', (digits) => {
    expect(() => evaluate('round(1.5, digits)', { digits })).toThrow(EvaluationError);
  });
});

describe('functions of several numbers', () => {
  test('min, max and sum accept arguments or one array', () => {
    fc.assert(
      fc.property(numbers, (all) => {
        const list = all.map((_, i) => `n${i}`).join(', ');
        const values = { all, ...Object.fromEntries(all.map((value, i) => [`n${i}`, value])) };
        for (const name of ['min', 'max']) {
          const extreme = evaluate(`${name}(all) + 0`, values); // + 0 because it is undefined which of 0 and -0 is smaller
          expect(extreme).toBe(name === 'min' ? Math.min(...all) + 0 : Math.max(...all) + 0);
          if (all.length > 1) expect(evaluate(`${name}(${list}) + 0`, values)).toBe(extreme);
        }
        expect(outcomeOf('sum(all)', values)).toEqual(outcomeOf(`sum(${list})`, values));
      }),
    );
  });

  test('sum gives the same in any order, also of doubles, bigints and decimals together', () => {
    const edge = fc.constantFrom(0.5, -0.1, 1e17, 1e21, -1e21, 1e308, -1e308, 5e-324, 2 ** 53, -(2 ** 53));
    const mixed = fc.oneof(finite, edge, fc.integer(), fc.bigInt(-(2n ** 70n), 2n ** 70n));
    fc.assert(
      fc.property(fc.array(fc.tuple(mixed, fc.nat()), { maxLength: 12 }), (pairs) => {
        const all = pairs.map(([value]) => value);
        const shuffled = [...pairs].sort(([, a], [, b]) => a - b).map(([value]) => value);
        const outcome = outcomeOf('sum(all)', { all });
        expect(outcomeOf('sum(all)', { all: shuffled })).toEqual(outcome);
        expect(outcomeOf('sum(all)', { all: [...all].reverse() })).toEqual(outcome);
      }),
      { numRuns: 2000 },
    );
  });

  test('sum rounds only the exact total of decimals', () => {
    // A whole number divided by a power of two has at most 90 decimals, so toFixed writes its exact value.
    const exact = fc
      .tuple(fc.maxSafeInteger(), fc.integer({ min: 1, max: 90 }))
      .map(([digits, places]) => digits / 2 ** places);
    const units = (x: number): bigint => BigInt(x.toFixed(PLACES).replace('.', ''));
    fc.assert(
      fc.property(fc.array(exact, { maxLength: 12 }), (all) => {
        const total = all.reduce((sum, x) => sum + units(x), 0n);
        expect(evaluate('sum(all)', { all })).toBe(Number(`${total}e-${PLACES}`) + 0);
      }),
      { numRuns: 1000 },
    );
  });

  test('sum of two decimals equals their addition', () => {
    fc.assert(
      fc.property(fc.double({ noInteger: true }), fc.double({ noInteger: true }), (a, b) => {
        fc.pre(Number.isFinite(a + b));
        expect(evaluate('sum(a, b)', { a, b })).toBe(a + b + 0);
      }),
      { numRuns: 5000 },
    );
  });
});

describe('format', () => {
  test("'number' and 'currency' write the rounded digits in groups of three", () => {
    fc.assert(
      fc.property(decimal, (x) => {
        const plain = (style: string, sign = ''): string =>
          String(evaluate('format(x, style, sign)', { x, style, sign })).replaceAll(',', '');
        expect(Number(plain('number'))).toBe(Number(x.toFixed(3)) + 0);
        expect(Number(plain('currency'))).toBe(Number(x.toFixed(2)) + 0);
        expect(evaluate("format(x, 'number')", { x })).toMatch(/^-?\d{1,3}(?:,\d{3})*(?:\.\d{0,2}[1-9])?$/);
        expect(evaluate("format(x, 'currency')", { x })).toMatch(/^-?\$\d{1,3}(?:,\d{3})*\.\d\d$/);
      }),
    );
  });

  test("'percent' is a hundred times the number", () => {
    fc.assert(
      fc.property(fc.integer({ min: -1_000_000, max: 1_000_000 }), (x) => {
        const written = evaluate("format(x, 'percent')", { x });
        expect(written).toBe(`${String(evaluate("format(x * 100, 'number')", { x }))}%`);
      }),
    );
    expect(() => evaluate("format(x, 'percent')", { x: 1e308 })).toThrow(EvaluationError);
  });
});
