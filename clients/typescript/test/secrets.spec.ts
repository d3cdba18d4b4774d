import { inspect } from 'node:util';

import { FaultServer } from '../../test/support/fault-server.js';
import { ConnectionError, Understudy, UnderstudyError } from '../src/index.js';

const TOKEN = 'us_live_a-token-that-nobody-may-read';

/** Returns everything that printing and serialising a value shows. */
function textOf(value: unknown): string {
  const shown = inspect(value, { depth: Infinity, showHidden: true, getters: true, showProxy: true });
  return `${shown}\n${String(value)}\n${JSON.stringify(value)}\n${(value as Error).stack ?? ''}`;
}

async function errorOf(call: Promise<unknown>): Promise<UnderstudyError> {
  const error: unknown = await call.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  expect(error).toBeInstanceOf(UnderstudyError);
  return error as UnderstudyError;
}

describe('the token', () => {
  let server: FaultServer;
  beforeAll(async () => {
    server = await FaultServer.start();
  });
  afterAll(() => server.stop());

  it('does not appear in a text form of the client and its resources', () => {
    const client = new Understudy({ token: TOKEN, baseUrl: server.url });
    for (const value of [client, client.jobs, client.webhooks, { client }, [client.models]])
      expect(textOf(value)).not.toContain('nobody-may-read');
  });

  it('does not appear in the error for an invalid token', () => {
    const create = (): unknown => new Understudy({ token: `${TOKEN} ü`, baseUrl: server.url });
    expect(create).toThrow('token: expected 1 to 512 visible ASCII characters without spaces');
    expect(create).not.toThrow('nobody-may-read');
  });

  it('does not appear in the error for a response', async () => {
    server.play([{ status: 401, error: { code: 'unauthorized', message: 'The token is not valid.' } }]);
    const error = await errorOf(new Understudy({ token: TOKEN, baseUrl: server.url }).jobs.get('job_1'));
    expect(error.name).toBe('AuthenticationError');
    expect(textOf(error)).not.toContain('nobody-may-read');
    expect(server.requests[0]?.headers['authorization']).toBe(`Bearer ${TOKEN}`);
  });

  it('does not appear in an error or an attempt if the server repeats it', async () => {
    const error = {
      code: TOKEN,
      message: `no ${TOKEN}\u001b[2J`,
      details: [{ field: TOKEN, message: TOKEN }],
    };
    server.play([
      { status: 403, headers: { 'x-request-id': TOKEN }, error },
      { lines: [{ error }], headers: { 'x-generation-count': '2', 'x-request-id': TOKEN } },
    ]);
    const attempts: unknown[] = [];
    const options = { token: TOKEN, baseUrl: server.url, onAttempt: (each: unknown) => attempts.push(each) };
    const client = new Understudy(options);
    const refused = await errorOf(client.jobs.get('job_1'));
    const cut = await errorOf(client.generate({ generators: {}, output: [] }, 2));
    expect(textOf([refused, cut, attempts])).not.toContain('nobody-may-read');
    expect(refused).toMatchObject({ code: '[token]', requestId: '[token]' });
    expect(refused.message).toBe('getSyncJob: 403 [token]: no [token] [2J ([token])\n  [token]: [token]');
    expect(cut).toMatchObject({ code: '[token]', received: 0, expected: 2 });
  });

  it('does not appear in an error if the error of fetch contains the request', async () => {
    const client = new Understudy({
      token: TOKEN,
      baseUrl: server.url,
      maxRetries: 0,
      fetch: (url, init) =>
        Promise.reject(
          Object.assign(new TypeError('fetch failed', { cause: { code: 'ECONNRESET', init } }), {
            url,
            init,
          }),
        ),
    });
    const error = await errorOf(client.jobs.list());
    expect(error).toMatchObject({ name: 'ConnectionError', code: 'ECONNRESET' });
    expect(textOf(error)).not.toContain('nobody-may-read');
  });

  it('is not sent after a redirect', async () => {
    const other = await FaultServer.start();
    server.play([{ status: 307, headers: { location: `${other.url}/sync/jobs` }, text: '' }]);
    other.play([{ data: {} }]);
    const error = await errorOf(new Understudy({ token: TOKEN, baseUrl: server.url }).jobs.list());
    expect(error).toMatchObject({ name: 'ApiError', status: 307, code: 'unexpected_redirect' });
    expect(other.requests).toEqual([]);
    await other.stop();
  });

  it('does not appear in the error for a URL that contains a password', () => {
    const baseUrl = `https://user:${TOKEN}@example.com`;
    const create = (): unknown => new Understudy({ token: TOKEN, baseUrl });
    expect(create).toThrow('baseUrl: expected a URL without user name, password, query and fragment');
    expect(create).not.toThrow('nobody-may-read');
  });

  it('is not needed for a client without a token', async () => {
    server.play([{ data: { id: 'job_1' } }]);
    await Understudy.withoutToken({ baseUrl: server.url }).jobs.get('job_1');
    expect(server.requests[0]?.headers).not.toHaveProperty('authorization');
  });

  it('is not sent for an operation that needs none', async () => {
    server.play([{ json: { openapi: '3.1.0' } }]);
    await new Understudy({ token: TOKEN, baseUrl: server.url }).apiDescription();
    expect(server.requests[0]?.headers).not.toHaveProperty('authorization');
  });

  it('does not appear in an error of the connection', async () => {
    server.play([{ fault: { at: 'request', how: 'reset' } }]);
    const client = new Understudy({ token: TOKEN, baseUrl: server.url, maxRetries: 0 });
    const error = await errorOf(client.jobs.get('job_1'));
    expect(error).toBeInstanceOf(ConnectionError);
    expect(textOf(error)).not.toContain('nobody-may-read');
  });
});
