import fc from 'fast-check';
import { parseExactJson, renderText } from '../../src/index.js';
import { evaluate } from '../evaluate.js';

/** Numbers with a common scale, so that their order is that of their digits. */
const SCALE = 25;
const number = fc
  .oneof(
    fc.bigInt({ min: -(10n ** 45n), max: 10n ** 45n }),
    fc.integer({ min: -3, max: 3 }).map((small) => BigInt(small) + 10n ** 44n),
  )
  .map((digits) => {
    const text = String(digits < 0n ? -digits : digits).padStart(SCALE + 1, '0');
    const json = `${digits < 0n ? '-' : ''}${text.slice(0, -SCALE)}.${text.slice(-SCALE)}`;
    return { digits, json, value: parseExactJson(json) };
  });

describe('decimals that no double prints', () => {
  it('are compared exactly', () => {
    fc.assert(
      fc.property(number, number, (x, y) => {
        const slots = { x: x.value, y: y.value };
        expect([evaluate('x < y', slots), evaluate('x >= y', slots)]).toEqual([
          x.digits < y.digits,
          x.digits >= y.digits,
        ]);
        expect([evaluate('x == y', slots), evaluate('x == x', slots)]).toEqual([x.digits === y.digits, true]);
        expect(evaluate('max(x, y)', slots)).toEqual(x.digits >= y.digits ? x.value : y.value);
        expect(evaluate('abs(x) == (x < 0 ? -x : x)', slots)).toBe(true);
      }),
    );
  });

  const VALUE = parseExactJson('0.12345678901234567890');

  it.each([
    'x + 1',
    '1 - x',
    'x * 2',
    'x / 2',
    'x % 2',
    'round(x)',
    'floor(x)',
    'sum(x, 1)',
    "format(x, 'number')",
  ])('are not computed with: %s', (source) => {
    expect(() => evaluate(source, { x: VALUE })).toThrow('cannot compute exactly with this decimal');
  });

  it('are single values that pass through', () => {
    expect(evaluate('if(x, x, 0)', { x: VALUE })).toBe(VALUE);
    expect(evaluate("concat('a ', x, [x])", { x: VALUE })).toBe(
      'a 0.12345678901234567890[0.12345678901234567890]',
    );
    expect(evaluate('x.unscaled', { x: VALUE })).toBeNull();
    expect(renderText({ x: VALUE })).toBe('{"x":0.12345678901234567890}');
    expect(() => evaluate("x + 'a'", { x: VALUE })).toThrow('got a number and a text');
  });
});
