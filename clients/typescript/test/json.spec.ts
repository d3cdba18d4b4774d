import fc from 'fast-check';

import { encodeJson, jsonParser } from '../src/transport/json.js';

const asText = jsonParser('string');
const asBigint = jsonParser('bigint');
const digits = fc
  .tuple(fc.constantFrom('', '-'), fc.stringMatching(/^[1-9][0-9]{0,30}$/))
  .map((parts) => parts.join(''));
/** Integers that a double prints. */
const double = fc
  .tuple(fc.integer({ min: 1, max: 999_999 }), fc.integer({ min: 0, max: 24 }))
  .map(([start, zeros]) => `${start}${'0'.repeat(zeros)}`);
const exponent = fc.option(fc.integer({ min: -400, max: 400 }), { nil: undefined });
const decimal = fc
  .tuple(digits, fc.stringMatching(/^[0-9]{1,25}$/), exponent)
  .map(([whole, fraction, e]) => `${whole}.${fraction}${e === undefined ? '' : `e${e}`}`);
/** Texts that look like the marks of the parser, and like numbers. */
const text = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.constantFrom('n1', 's', '9007199254740993', '"', '\\'),
);
const { json } = fc.letrec((tie) => ({
  json: fc.oneof(
    { maxDepth: 3 },
    ...[text, fc.double({ noNaN: true, noDefaultInfinity: true }).filter((n) => !Object.is(n, -0))],
    ...[fc.boolean(), fc.constant(null), fc.array(tie('json'), { maxLength: 4 })],
    fc.dictionary(fc.oneof(text, fc.constant('__proto__')), tie('json'), { noNullPrototype: true }),
  ),
}));

describe('a parser of JSON', () => {
  it('returns an integer as a number if the number has its value, and else all its digits', () =>
    fc.assert(
      fc.property(fc.oneof(digits, double), (token) => {
        const isSafe = Number.isSafeInteger(Number(token));
        const isKept = BigInt(token) === digitsOf(Number(token));
        expect(asText(`[${token}]`)).toEqual([isKept ? Number(token) : token]);
        expect(asBigint(`[${token}]`)).toEqual([isSafe ? Number(token) : BigInt(token)]);
        expect(jsonParser('number')(`[${token}]`)).toEqual([Number(token)]);
      }),
      { numRuns: 1_000 },
    ));

  it.each([
    ['9007199254740991', 9007199254740991],
    ['9007199254740992', 9007199254740992],
    ['9007199254740993', '9007199254740993'],
    ['9007199254740994', 9007199254740994],
    ['-9007199254740994', -9007199254740994],
    ['131083572315727682', '131083572315727682'],
    ['100000000000000000000', 1e20],
    ['1000000000000000000000', 1e21],
    ['1000000000000000000001', '1000000000000000000001'],
    ['-9007199254740993', '-9007199254740993'],
    ['0.1', 0.1],
    ['1.50', 1.5],
    ['0.10000000000000001', '0.10000000000000001'],
    ['0.30000000000000004', 0.30000000000000004],
    ['1e400', '1e400'],
    ['1e-400', '1e-400'],
    ['-0.0', -0],
    ['1e+21', 1e21],
    ['5e-324', 5e-324],
  ])('returns %s as %p', (token, expected) => {
    expect(asText(token)).toBe(expected);
  });

  it('returns a decimal as a number only if the number has its value', () =>
    fc.assert(
      fc.property(decimal, (token) => {
        const result = asText(token);
        expect(asBigint(token)).toEqual(result);
        if (typeof result === 'string') expect(result).toBe(token);
        else expect(scaled(String(result))).toEqual(scaled(token));
      }),
      { numRuns: 1_000 },
    ));

  it('changes nothing beside such a number', () =>
    fc.assert(
      fc.property(json, (value) => {
        const encoded = `[${JSON.stringify(value)},9007199254740993]`;
        const [expected] = asText(`[${JSON.stringify(value)}]`) as [unknown];
        expect(asText(encoded)).toEqual([expected, '9007199254740993']);
        const [other, integer] = asBigint(encoded) as [unknown, unknown];
        expect(integer).toBe(9007199254740993n);
        expect(JSON.parse(encodeJson(other))).toEqual(value);
      }),
      { numRuns: 1_000 },
    ));

  it.each(['00123456789012345678', '{12345678901234567:1}', '12345678901234567.', '["a"12345678901234567]'])(
    'refuses %s, as JSON.parse does',
    (token) => {
      expect(() => asText(token)).toThrow(SyntaxError);
      expect(() => asBigint(token)).toThrow(SyntaxError);
    },
  );

  it.each([
    ['8 million escapes', `["${'\\"'.repeat(8 * 1024 * 1024)}",0]`],
    ['10,000 levels', `${'['.repeat(10_000)}0${']'.repeat(10_000)}`],
    ['a lone surrogate', '["\\ud800",0]'],
    ['a key twice', '{"a":{"b":1},"a":0}'],
    ['the key __proto__', '{"__proto__":{"b":"x"},"a":{"__proto__":0}}'],
  ])('reads %s beside a large integer as JSON.parse does', (_, template) => {
    for (const [parse, expected] of [
      [asText, '"9007199254740993"'],
      [asBigint, 'null'],
    ] as const) {
      const seen = parse(template.replace(/0(?=[\]}]+$)/, '9007199254740993'));
      const other = JSON.parse(template.replace(/0(?=[\]}]+$)/, expected)) as unknown;
      expect(shape(seen)).toBe(shape(other));
    }
  });

  it('encodes what it has returned with the same digits', () => {
    const encoded = '{"n1":"n1","id":131083572315727682,"list":["s",-9007199254740993]}';
    expect(encodeJson(asBigint(encoded))).toBe(encoded);
  });
});

/** Returns the integer that a double prints. */
function digitsOf(value: number): bigint {
  const [, whole = '', fraction = '', exponent = '0'] =
    /^(-?\d+)(?:\.(\d+))?(?:e\+(\d+))?$/.exec(String(value)) ?? [];
  return BigInt(`${whole}${fraction.padEnd(Number(exponent), '0')}`);
}

/** Returns a number as an integer times a power of ten, computed with exact integers. */
function scaled(token: string): bigint {
  const [, sign, whole, fraction = '', exponent = '0'] =
    /^(-?)(\d+)(?:\.(\d+))?(?:e([+-]?\d+))?$/.exec(token) ?? [];
  return BigInt(`${sign}${whole}${fraction}`) * 10n ** BigInt(Number(exponent) - fraction.length + 1_000);
}

/** Returns a value as JSON, also if it is deep, with null in the place of a bigint. Writes each level in one step. */
function shape(value: unknown): string {
  const written: string[] = [];
  const left: unknown[] = [value];
  while (left.length > 0) {
    const each = left.pop();
    if (typeof each !== 'object' || each === null)
      written.push(typeof each === 'bigint' ? 'null' : JSON.stringify(each));
    else {
      written.push(Array.isArray(each) ? 'list' : JSON.stringify(Object.keys(each)));
      left.push(...(Object.values(each) as unknown[]));
    }
  }
  return written.join();
}
