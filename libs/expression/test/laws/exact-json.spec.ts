import fc from 'fast-check';
import {
  exactDecimal,
  parseExactJson,
  parseKeptJson,
  RoundedNumber,
  writeExactJson,
} from '../../src/index.js';

/** JSON values whose integers have any size. Keys include `__proto__`, and texts look like marked numbers. */
const { value: exactValue } = fc.letrec((tie) => ({
  value: fc.oneof(
    { maxDepth: 4 },
    fc.bigInt({ min: -(10n ** 30n), max: 10n ** 30n }).map((integer) => {
      const double = Number(integer);
      return Number.isSafeInteger(double) ? double : integer;
    }),
    fc
      .tuple(fc.bigInt({ min: 10n ** 17n, max: 10n ** 40n }), fc.integer({ min: 1, max: 60 }), fc.boolean())
      .map(([digits, scale, isNegative]) =>
        exactDecimal((isNegative ? -1n : 1n) * (digits * 10n + 1n), scale),
      ),
    fc.constantFrom('n12345678901234567890', 't', '12345678901234567890', '\\"', null, true, 1.5),
    fc.string({ unit: 'grapheme' }),
    fc.array(tie('value'), { maxLength: 4 }),
    fc.dictionary(fc.oneof(fc.string(), fc.constantFrom('__proto__', '12345678901234567')), tie('value'), {
      maxKeys: 4,
    }),
  ),
}));

describe('exact JSON', () => {
  it('keeps integers and decimals of any size', () => {
    fc.assert(
      fc.property(exactValue, (value) => {
        const text = writeExactJson(value);
        expect(writeExactJson(parseExactJson(text))).toBe(text);
      }),
    );
  });

  it('is the JSON of the language for values with doubles', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 3, noUnicodeString: false }), (value) => {
        const text = JSON.stringify(value);
        expect(writeExactJson(JSON.parse(text))).toBe(text);
        expect(parseExactJson(text)).toEqual(JSON.parse(text));
      }),
    );
  });

  it('marks numbers that would be rounded', () => {
    expect(parseExactJson('[9007199254740993, 0.12345678901234567890 , 1e1001, 1.50, {"a" : "b"}]')).toEqual([
      9007199254740993n,
      exactDecimal(12345678901234567890n, 20),
      new RoundedNumber('1e1001'),
      1.5,
      { a: 'b' },
    ]);
  });

  it('refuses numbers that would be rounded', () => {
    expect(parseKeptJson('{"a":[1.50,9007199254740993]}')).toEqual({ a: [1.5, 9007199254740993n] });
    for (const text of [`[${'9'.repeat(1001)}]`, '{"a":1e-1001}'])
      expect(() => parseKeptJson(text)).toThrow('this number would be rounded');
  });

  it.each(['{9007199254740993:1}', '[90071992547409.93.1]', '[09007199254740993]', '"12345678901234567'])(
    'refuses %s',
    (text) => {
      expect(() => parseExactJson(text)).toThrow(SyntaxError);
    },
  );

  it('parses a text of 16 MiB beside a long number', () => {
    const text = '\\n'.repeat(8 * 1024 * 1024);
    const [first] = parseExactJson(`["${text}",9007199254740993]`) as string[];
    expect(first).toHaveLength(8 * 1024 * 1024);
  });
});
