import fc from 'fast-check';
import { parseExactNumber } from '../../src/index.js';
import { evaluate } from '../evaluate.js';

/** Integers about the sizes from which doubles, 64-bit integers and their texts change. */
const integer = fc.oneof(
  fc.bigInt({ min: -(10n ** 40n), max: 10n ** 40n }),
  fc
    .tuple(
      fc.constantFrom(0n, 2n ** 53n, 2n ** 60n, 2n ** 63n, 10n ** 18n, 10n ** 21n),
      fc.bigInt({ min: -3n, max: 3n }),
      fc.constantFrom(1n, -1n),
    )
    .map(([about, distance, sign]) => sign * (about + distance)),
);
/** Integers as an expression gets them: the parser's number, or always a bigint, as `digits` gives them. */
const operand = fc
  .tuple(integer, fc.boolean())
  .map(([exact, isParsed]) => ({ exact, value: isParsed ? parseExactNumber(String(exact)) : exact }));

describe('arithmetic with integers', () => {
  it.each<[string, (a: bigint, b: bigint) => bigint]>([
    ['a + b', (a, b) => a + b],
    ['a - b', (a, b) => a - b],
    ['a * b', (a, b) => a * b],
    ['sum(a, b)', (a, b) => a + b],
    ['min(a, b)', (a, b) => (a < b ? a : b)],
    ['max([a, b])', (a, b) => (a > b ? a : b)],
    ['abs(a)', (a) => (a < 0n ? -a : a)],
    ['-a', (a) => -a],
    ['round(a, 2)', (a) => a],
    ['floor(a)', (a) => a],
    ['ceil(a)', (a) => a],
  ])('%s has the digits of the exact result', (source, law) => {
    fc.assert(
      fc.property(operand, operand, (a, b) => {
        const result = evaluate(`concat(${source})`, { a: a.value, b: b.value });
        expect(result).toBe(String(law(a.exact, b.exact)));
      }),
    );
  });

  it('the remainder has the digits of the exact result', () => {
    fc.assert(
      fc.property(operand, operand, (a, b) => {
        fc.pre(b.exact !== 0n);
        const result = evaluate('concat(a % b)', { a: a.value, b: b.value });
        expect(result).toBe(String(a.exact % b.exact));
      }),
    );
    expect(() => evaluate('x % 0', { x: 10n ** 30n })).toThrow('"%"');
  });

  it('a division gives the exact quotient, or refuses to round an integer that no double holds', () => {
    fc.assert(
      fc.property(operand, operand, (a, b) => {
        fc.pre(b.exact !== 0n);
        const values = { product: a.exact * b.exact, b: b.value };
        expect(evaluate('concat(product / b)', values)).toBe(String(a.exact));
      }),
    );
    expect(() => evaluate('9007199254740993 / 2')).toThrow('"/" cannot compute exactly');
    expect(evaluate('7 / 2')).toBe(3.5);
  });

  it('comparisons compare the digits', () => {
    fc.assert(
      fc.property(operand, operand, (a, b) => {
        const values = { a: a.value, b: b.value };
        const [x, y] = [a.exact, b.exact];
        expect(evaluate('[a == b, a != b, a < b, a <= b, a > b, a >= b, contains([a], b)]', values)).toEqual([
          x === y,
          x !== y,
          x < y,
          x <= y,
          x > y,
          x >= y,
          x === y,
        ]);
      }),
    );
    expect(evaluate('x == y', { x: 1e23, y: 10n ** 23n })).toBe(true);
    expect(evaluate('x < y', { x: 10n ** 20n, y: 1e300 })).toBe(true);
  });

  it('the formats write the digits in groups', () => {
    fc.assert(
      fc.property(operand, ({ exact, value: x }) => {
        const plain = (style: string) =>
          String(evaluate(`format(x, '${style}', '')`, { x })).replaceAll(',', '');
        expect(plain('number')).toBe(String(exact));
        expect(plain('currency')).toBe(`${exact}.00`);
        expect(plain('percent')).toBe(`${exact * 100n}%`);
      }),
    );
  });

  it('decimals, and doubles from 1e21 on, are computed as doubles', () => {
    expect(evaluate('0.1 + 0.2')).toBe(0.1 + 0.2);
    expect(evaluate('1e22 + 1')).toBe(1e22);
    expect(evaluate('1e18 * 0.5')).toBe(5e17);
    expect(() => evaluate('1e308 * 10')).toThrow('not a finite number');
    for (const source of ['x + 0.5', '0.5 * x', 'x - 1e22', 'x % 0.5', 'x / 0.3'])
      for (const x of [2n ** 53n + 1n, 2n ** 60n, -(2n ** 63n)])
        expect(() => evaluate(source, { x })).toThrow('cannot compute exactly');
  });

  it('the result has at most 1,000 digits', () => {
    const x = 10n ** 600n;
    expect(() => evaluate('x * x', { x })).toThrow('the result of "*" has more than 1000 digits');
  });
});
