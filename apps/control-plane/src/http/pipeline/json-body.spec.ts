import { MAX_JSON_DEPTH, parseJsonBody, roundedNumberProblems } from './json-body.js';

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

it('refuses numbers that a double would change with their path, unless the receiver keeps integers', () => {
  const body = parseJsonBody(bytes('{"a":[1,9007199254740993],"b":0.12345678901234567890}'));
  const fields = (keepsIntegers: boolean) =>
    roundedNumberProblems(body, keepsIntegers).map(({ field }) => field);
  expect(fields(false)).toEqual(['a[1]', 'b']);
  expect(fields(true)).toEqual(['b']);
});
