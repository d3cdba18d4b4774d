import { changedSettings, DEFAULT_BEHAVIOUR, readBehaviour } from './read-behaviour.js';
import { BEHAVIOUR } from './texts.js';

const read = (change: object) => readBehaviour({ ...DEFAULT_BEHAVIOUR, ...change });

describe('readBehaviour', () => {
  it('sends the defaults of the API for unchanged fields', () => {
    const response = { status: 200, latency_ms: 0, fail_rate: 0, headers: {} };
    expect(read({})).toEqual({ response });
    expect(read({ status: null, minLatency: null, maxLatency: null, failures: null })).toEqual({
      response: { ...response, status: undefined },
    });
    expect(changedSettings(DEFAULT_BEHAVIOUR)).toEqual([]);
  });

  it('reads a body that begins like JSON as JSON, and any other text as a template', () => {
    expect(read({ wrapper: ' {"data": "{{records}}"} ' })).toMatchObject({
      response: { wrapper: { data: '{{records}}' } },
    });
    expect(read({ wrapper: '["{{records}}"]' })).toMatchObject({ response: { wrapper: ['{{records}}'] } });
    expect(read({ wrapper: '{{records}}' })).toMatchObject({ response: { wrapper: '{{records}}' } });
    expect(read({ wrapper: '{"data": }' }).errors?.wrapper).toContain('Expected JSON');
  });

  it('reads one header from each line, and the rest of a value after its first colon', () => {
    expect(read({ headers: 'Cache-Control: no-store\n\n X-Next:https://h/?a=1 ' })).toMatchObject({
      response: { headers: { 'Cache-Control': 'no-store', 'X-Next': 'https://h/?a=1' } },
    });
  });

  it.each(['no colon', ': value', 'X-Empty:', 'bad name: 1', 'X-Accent: é', `X-Long: ${'a'.repeat(1_025)}`])(
    'refuses the header line %j',
    (headers) => {
      expect(read({ headers }).errors).toEqual({ headers: BEHAVIOUR.headerInvalid(headers.slice(0, 60)) });
    },
  );

  it('refuses a header that occurs twice, and more than 20 headers', () => {
    expect(read({ headers: 'X-A: 1\nx-a: 2' }).errors).toEqual({ headers: BEHAVIOUR.headerTwice('x-a') });
    const headers = Array.from({ length: 21 }, (_, index) => `X-${index}: 1`).join('\n');
    expect(read({ headers }).errors).toEqual({ headers: BEHAVIOUR.tooManyHeaders(20, 21) });
  });

  it('sends one delay or a range, and refuses a range whose ends are exchanged', () => {
    expect(read({ minLatency: 5, maxLatency: 5 })).toMatchObject({ response: { latency_ms: 5 } });
    expect(read({ minLatency: 5, maxLatency: 9 })).toMatchObject({
      response: { latency_ms: { min: 5, max: 9 } },
    });
    expect(read({ minLatency: 9, maxLatency: 5 }).errors).toEqual({ maxLatency: BEHAVIOUR.latencyOrder(9) });
  });

  it('sends the percentage of failures as a share, and refuses a redirect', () => {
    expect(read({ failures: 0.7 })).toMatchObject({ response: { fail_rate: 0.007 } });
    expect(read({ status: 302 }).errors).toEqual({ status: BEHAVIOUR.redirect });
    expect(read({ status: 404 })).toMatchObject({ response: { status: 404 } });
  });
});
