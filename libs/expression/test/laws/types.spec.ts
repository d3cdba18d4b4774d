import { compileExpression } from '../../src/compile/expression.js';
import { EvaluationError, ExpressionError } from '../../src/errors.js';
import { FUNCTIONS } from '../../src/functions/function-table.js';
import fc from 'fast-check';
import { evaluate } from '../evaluate.js';

/** The functions that the documentation lists. */
const PROMISED = `
  lowercase uppercase capitalize title trim slug ascii length substring replace concat split join pad_start pad_end
  contains starts_with ends_with round floor ceil abs min max sum format date_add date_diff date_format year month day
  if coalesce first last at pick uuid`;
const numeral = fc.integer().map(String);

describe('the function table', () => {
  test('contains the promised functions and no others', () => {
    expect([...FUNCTIONS.keys()].sort()).toEqual(PROMISED.trim().split(/\s+/).sort());
  });

  test.each([...FUNCTIONS])('accepts only the declared numbers of arguments for %s', (name, { min, max }) => {
    const call = (count: number): unknown =>
      compileExpression(`1 + ${name}(${Array<string>(count).fill('1').join(', ')})`, new Map());
    for (const count of [min, max]) expect(call(count)).toBeDefined();
    for (const count of [min - 1, max + 1]) {
      if (count < 0) continue;
      const refusal = expect.objectContaining({
        position: 4,
        reason: expect.stringContaining(`, got ${count}`),
      });
      expect(() => call(count)).toThrow(refusal);
      expect(() => call(count)).toThrow(ExpressionError);
    }
  });

  test('has no name that is also a method of every object', () => {
    for (const name of [
      ...Object.getOwnPropertyNames(Object.prototype),
      'apply',
      'call',
      'eval',
      'Function',
    ]) {
      expect(() => compileExpression(`${name}(1)`, new Map())).toThrow(ExpressionError);
      expect(() => compileExpression(name, new Map())).toThrow(ExpressionError);
    }
  });
});

describe('operators convert no text to a number', () => {
  test.each(['-', '*', '/', '%'])('%s refuses text on either side', (operator) => {
    fc.assert(
      fc.property(numeral, fc.integer(), (x, n) => {
        expect(() => evaluate(`x ${operator} n`, { x, n })).toThrow(EvaluationError);
        expect(() => evaluate(`n ${operator} x`, { x, n })).toThrow(EvaluationError);
        expect(() => evaluate('-x', { x })).toThrow(EvaluationError);
      }),
      { numRuns: 10 },
    );
  });

  test.each(['<', '<=', '>', '>='])('%s refuses to compare text with a number', (operator) => {
    fc.assert(
      fc.property(numeral, fc.integer(), (x, n) => {
        expect(() => evaluate(`x ${operator} n`, { x, n })).toThrow(EvaluationError);
      }),
      { numRuns: 10 },
    );
  });

  test('a number and its text are not equal', () => {
    fc.assert(
      fc.property(fc.integer(), (n) => {
        const x = String(n);
        expect(evaluate('[x == n, x != n, n == n, contains([x], n)]', { x, n })).toEqual([
          false,
          true,
          true,
          false,
        ]);
      }),
    );
  });

  test('+ adds two numbers or joins two texts', () => {
    fc.assert(
      fc.property(fc.integer(), fc.integer(), numeral, (a, b, x) => {
        expect(evaluate('a + b', { a, b })).toBe(a + b);
        expect(evaluate('x + x', { x })).toBe(`${x}${x}`);
        expect(() => evaluate('a + x', { a, x })).toThrow(EvaluationError);
        expect(() => evaluate('x + a', { a, x })).toThrow(EvaluationError);
        expect(() => evaluate('x + null', { x })).toThrow(EvaluationError);
        expect(evaluate('concat(x, a)', { a, x })).toBe(`${x}${a}`);
        expect(() => evaluate('a + true', { a })).toThrow(EvaluationError);
        expect(() => evaluate('a + null', { a })).toThrow(EvaluationError);
      }),
    );
  });

  test.each([
    ['round(x)'],
    ['round(1, x)'],
    ['floor(x)'],
    ['ceil(x)'],
    ['abs(x)'],
    ['min(x)'],
    ['max(1, x)'],
    ['sum([x])'],
    ["format(x, 'number')"],
    ["format(x, 'currency')"],
    ["format(x, 'percent')"],
    ["date_add('2024-01-01', x, 'day')"],
    ["pad_start('', x)"],
    ["pad_end('', x)"],
    ["substring('', x)"],
    ["substring('', 0, x)"],
  ])('%s refuses the text of a number', (source) => {
    expect(() => evaluate(source, { x: '1' })).toThrow(EvaluationError);
    expect(() => evaluate(source, { x: null })).toThrow(EvaluationError);
    expect(evaluate(source, { x: 1 })).toBeDefined();
  });
});

describe('whole numbers beyond 2^53', () => {
  const big = 987_654_321_987_654_321n;

  test('stay exact if no operation changes them', () => {
    expect(evaluate('x', { x: big })).toBe(big);
    expect(evaluate("concat('#', x)", { x: big })).toBe('#987654321987654321');
    expect(evaluate('x == y && x > 5 && x < z', { x: big, y: big, z: big + 1n })).toBe(true);
  });
});
