import fc from 'fast-check';
import {
  exactDecimal,
  hasExactNumbers,
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

  it('parses a number of 1 MiB, whose zeros another digit follows', () => {
    const zeros = '0'.repeat(1024 * 1024);
    expect(parseExactJson(`[0.1${zeros}1]`)).toEqual([new RoundedNumber(`0.1${zeros}1`)]);
    expect(parseExactJson(`[1.${zeros}e1, 0.10${zeros}]`)).toEqual([10, 0.1]);
  });

  it('adds at most 100,000 zeros to a document', () => {
    fc.assert(
      fc.property(
        fc.array(fc.integer({ min: 400, max: 998 }), { maxLength: 400 }),
        fc.boolean(),
        (exponents, isSmall) => {
          const text = JSON.stringify(exponents.map((exponent) => `1e${isSmall ? '-' : ''}${exponent}`));
          const numbers = parseExactJson(text.replaceAll('"', '')) as unknown[];
          const kept = numbers.findIndex((number) => number instanceof RoundedNumber);
          const sums = exponents.map((_, end) =>
            exponents.slice(0, end + 1).reduce((sum, one) => sum + one, 0),
          );
          expect(kept).toBe(sums.findIndex((sum) => sum > 100_000));
        },
      ),
    );
  });

  it('writes any depth that JSON.stringify writes', () => {
    const deep: unknown = JSON.parse('['.repeat(3000) + ']'.repeat(3000));
    expect(writeExactJson(deep)).toBe(JSON.stringify(deep));
  });

  it('knows which values JSON.stringify refuses', () => {
    fc.assert(
      fc.property(exactValue, (value) => {
        let isRefused = false;
        try {
          JSON.stringify(value);
        } catch {
          isRefused = true;
        }
        expect(hasExactNumbers(value)).toBe(isRefused);
      }),
    );
  });

  it('parses a text of 16 MiB beside a long number', () => {
    const text = '\\n'.repeat(8 * 1024 * 1024);
    const [first] = parseExactJson(`["${text}",9007199254740993]`) as string[];
    expect(first).toHaveLength(8 * 1024 * 1024);
  });
});
