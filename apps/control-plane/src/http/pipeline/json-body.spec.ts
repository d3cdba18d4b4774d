import fc from 'fast-check';

import { ExactNumber, readExactNumbers } from '../dto/exact-number.js';
import { MAX_JSON_DEPTH, parseJsonBody } from './json-body.js';

const bytes = (text: string): Buffer => Buffer.from(text);
const nested = (depth: number): Buffer => bytes('['.repeat(depth) + ']'.repeat(depth));

describe('parseJsonBody', () => {
  it('keeps __proto__ as an ordinary key', () => {
    const body = parseJsonBody(bytes('{"__proto__":{"admin":true}}')) as object;
    expect(Object.keys(body)).toEqual(['__proto__']);
    expect(Object.getPrototypeOf(body)).toBe(Object.prototype);
  });

  it('accepts 64 levels and refuses 65', () => {
    expect(() => parseJsonBody(nested(MAX_JSON_DEPTH))).not.toThrow();
    expect(() => parseJsonBody(nested(MAX_JSON_DEPTH + 1))).toThrow(
      expect.objectContaining({ code: 'limit_exceeded' }),
    );
    expect(() => parseJsonBody(bytes(JSON.stringify('[\\"'.repeat(100))))).not.toThrow();
  });

  it.each(['{', '{"a":1,}', 'undefined', "{'a':1}", ''])('refuses %j without quoting it', (text) => {
    expect(() => parseJsonBody(bytes(text))).toThrow(
      expect.objectContaining({ code: 'bad_request', message: 'The body is not valid JSON.' }),
    );
  });

  it('refuses bytes that are not UTF-8', () => {
    expect(() => parseJsonBody(Buffer.from([0x22, 0xff, 0x22]))).toThrow(
      expect.objectContaining({ code: 'bad_request' }),
    );
  });
});

describe('numbers of a body that a double would change', () => {
  it('become exact, wherever they are, and nothing else changes', () => {
    const text =
      '{"a":[9007199254740993,"1234567890123456789",1.5e3],"b\\"12345678901234567":-1e400,"__proto__":1}';
    const body = parseJsonBody(bytes(text)) as Record<string, unknown>;
    expect(body['a']).toEqual([
      new ExactNumber('9007199254740993', 9007199254740993n),
      '1234567890123456789',
      1500,
    ]);
    expect(body['b"12345678901234567']).toEqual(new ExactNumber('-1e400', undefined));
    expect(Object.keys(body)).toContain('__proto__');
  });

  it('are refused with their path, or become bigints', () => {
    const body = () => parseJsonBody(bytes('{"a":[1,9007199254740993],"b":0.12345678901234567890}'));
    expect(readExactNumbers(body(), false).problems.map(({ field }) => field)).toEqual(['a[1]', 'b']);
    const kept = readExactNumbers(body(), true);
    expect(kept.problems.map(({ field }) => field)).toEqual(['b']);
    expect((kept.value as { a: unknown }).a).toEqual([1, 9007199254740993n]);
  });

  it('do not make invalid JSON valid', () => {
    for (const text of ['{9007199254740993:1}', '[90071992547409.93.1]', '[09007199254740993]'])
      expect(() => parseJsonBody(bytes(text))).toThrow(expect.objectContaining({ code: 'bad_request' }));
  });

  it('give the value of JSON.parse for any JSON without such numbers', () => {
    fc.assert(
      fc.property(fc.json({ noUnicodeString: false }), (text) => {
        const parsed = JSON.parse(text) as unknown;
        expect(parseJsonBody(bytes(JSON.stringify(parsed)))).toEqual(JSON.parse(JSON.stringify(parsed)));
      }),
    );
  });
});
