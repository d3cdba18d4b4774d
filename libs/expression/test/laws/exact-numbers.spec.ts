import fc from 'fast-check';
import { compileExpression, exactDecimal, parseExactNumber } from '../../src/index.js';
import { evaluate } from '../evaluate.js';

describe('numbers', () => {
  it('any double is exact in its own decimal form', () => {
    fc.assert(
      fc.property(fc.double({ noNaN: true, noDefaultInfinity: true }), (value) => {
        expect(parseExactNumber(String(value))).toBe(value + 0);
      }),
    );
  });

  it('any integer keeps its digits', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: -(10n ** 40n), max: 10n ** 40n }), (value) => {
        expect(String(parseExactNumber(String(value)))).toBe(String(value));
        expect(evaluate(`concat(${value})`)).toBe(String(value));
      }),
    );
  });

  it.each<[string, unknown]>([
    ['1e21', 1e21],
    ['1.10', 1.1],
    ['-0', -0],
    ['0e999', 0],
    ['1e400', 10n ** 400n],
    ['1e-400', exactDecimal(1n, 400)],
    ['1e1001', undefined],
    ['1e-1001', undefined],
    [`1${'0'.repeat(1000)}.5`, undefined],
    ['12345678901234567890.50e1', 123456789012345678905n],
    ['12345678901234567890.50', exactDecimal(1234567890123456789050n, 2)],
    ['1234567890123456789.05e2', 123456789012345678905n],
    ['9007199254740993.0', 9007199254740993n],
    ['-90071992547409930e-1', -9007199254740993n],
    ['9007199254740992', 2 ** 53],
    ['9007199254740993', 9007199254740993n],
    ['1180591620717411303424', 2n ** 70n],
    ['-0.1000000000000000055511151231257827', exactDecimal(-1000000000000000055511151231257827n, 34)],
    ['3.141592653589793', Math.PI],
  ])('%s is %p', (text, value) => {
    expect(parseExactNumber(text)).toEqual(value);
  });

  it('an integer beyond 2^53 passes through an expression', () => {
    expect(evaluate('9007199254740993')).toBe(9007199254740993n);
    expect(evaluate('-9007199254740993')).toBe(-9007199254740993n);
    expect(evaluate("concat('id ', 9007199254740993)")).toBe('id 9007199254740993');
    expect(evaluate('1000000000000000000000')).toBe(10n ** 21n);
  });

  it('a function that counts with doubles refuses it', () => {
    for (const source of [
      'round(1, x)',
      "date_add('2024-01-01', x, 'day')",
      "substring('a', x)",
      'at([1], x)',
    ])
      expect(() => evaluate(source, { x: 9007199254740993n })).toThrow('cannot compute exactly');
  });

  it('a decimal literal that would be rounded is a mistake', () => {
    const mistakes = (source: string) => compileExpression(source, new Map()).mistakes.length;
    expect(['0.12345678901234567890', '1e-400', '0.1', '1.50', '1e21'].map(mistakes)).toEqual([
      1, 1, 0, 0, 0,
    ]);
  });
});
