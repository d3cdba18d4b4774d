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

  it('accepts a million values and refuses more, but does not count commas in texts', () => {
    const values = (count: number) => bytes(`[${'0,'.repeat(count - 2)}${JSON.stringify(',[{'.repeat(10))}]`);
    expect(() => parseJsonBody(values(1_000_000))).not.toThrow();
    expect(() => parseJsonBody(values(1_000_001))).toThrow(
      expect.objectContaining({ code: 'limit_exceeded' }),
    );
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

it('refuses only numbers of more than 1,000 digits, with their path', () => {
  const body = parseJsonBody(
    bytes('{"a":[1,9007199254740993,0.12345678901234567890],"b":1e1001,"c":[1e-1001]}'),
  );
  expect(roundedNumberProblems(body).map(({ field }) => field)).toEqual(['b', 'c[0]']);
});
