import { once } from 'node:events';
import { request, type IncomingMessage } from 'node:http';

import { Logger } from '@nestjs/common';
import { waitFor } from '@understudy/testing';
import fc from 'fast-check';

import {
  call,
  makeEndpoint,
  refusalOf,
  schemaOf,
  svc,
  UUIDS,
  type Json,
  type MockResponse,
} from './mock-harness.js';
import { Browser, signedIn } from '../harness/browser.js';
import { startControlPlane, type ControlPlane } from '../harness/start-control-plane.js';

let plane: ControlPlane;
beforeAll(async () => {
  plane = await startControlPlane({
    mockEndpoints: { flushMs: 50, freshMs: 100 },
    planLimits: { starter: { requests_per_minute: 3, burst: 2 }, business: { requests_per_minute: 100_000 } },
  });
});
afterAll(() => plane?.stop());

const numbers = (count: number) => Array.from({ length: count }, (_, i) => ({ n: i + 1 }));

describe('a call of a mock endpoint', () => {
  it('returns the configured number of records in the wrapper, whose placeholders keep their types', async () => {
    const wrapper = {
      data: '{{records}}',
      total: '{{count}}',
      text: '{{count}} of {{ count + 1 }}',
      first: '{{first(records)}}',
      deep: [{ all: '{{ records }}', fixed: [1, null, true, 'plain \\{{x}}'] }],
    };
    const { url } = await makeEndpoint(plane, { response: { count: 2, wrapper } });
    const answer = await call(plane, url);
    expect([answer.status, answer.json]).toEqual([
      200,
      {
        data: numbers(2),
        total: 2,
        text: '2 of 3',
        first: { n: 1 },
        deep: [{ all: numbers(2), fixed: [1, null, true, 'plain {{x}}'] }],
      },
    ]);
  });

  it('returns an array of ten records by default', async () => {
    const { url } = await makeEndpoint(plane, {});
    expect((await call(plane, url)).json).toEqual(numbers(10));
  });

  it('returns new data each time, and the same data for the same seed', async () => {
    const { url } = await makeEndpoint(plane, { schema: UUIDS, response: { count: 1 } });
    const texts = new Set<string>();
    for (let i = 0; i < 40; i += 1) texts.add((await call(plane, url)).text);
    expect(texts.size).toBe(40);
    const answer = await call(plane, url);
    const seed = answer.headers.get('x-generation-seed') ?? '';
    expect((await call(plane, `${url}?seed=${seed}`)).text).toBe(answer.text);
    expect((await call(plane, url, { headers: { 'x-seed': seed } })).text).toBe(answer.text);
    expect((await call(plane, `${url}?seed=8`, { headers: { 'x-seed': '7' } })).text).toBe(
      (await call(plane, `${url}?seed=8`)).text,
    );
  });

  it('returns different data for a negative seed and its positive counterpart', async () => {
    const { url } = await makeEndpoint(plane, { schema: UUIDS, response: { count: 1 } });
    for (const seed of ['1', '9007199254740991']) {
      const negative = await call(plane, `${url}?seed=-${seed}`);
      expect([negative.status, negative.headers.get('x-generation-seed')]).toEqual([200, `-${seed}`]);
      expect((await call(plane, url, { headers: { 'x-seed': `-${seed}` } })).text).toBe(negative.text);
      expect((await call(plane, `${url}?seed=${seed}`)).text).not.toBe(negative.text);
    }
  });

  it('returns the same records as POST /v1/generate', async () => {
    const schema = schemaOf({ type: 'model', source: 'en_US/first_names' });
    const { url } = await makeEndpoint(plane, { schema });
    const now = '2026-01-01T00:00:00.000Z';
    const generated = await plane.request('/v1/generate', {
      method: 'POST',
      body: { schema, count: 5, seed: 3, now },
    });
    const { records } = (generated.body as unknown as { data: { records: unknown } }).data;
    expect((await call(plane, `${url}?seed=3&count=5&now=${now}`)).json).toEqual(records);
  });

  it('resolves relative dates against ?now=', async () => {
    const schema = schemaOf(svc('date_between', { start: 'now', end: 'now' }));
    const { url } = await makeEndpoint(plane, { schema });
    const answer = await call(plane, `${url}?now=2024-02-29T00:00:00Z&count=1`);
    expect(answer.json).toEqual([{ it: '2024-02-29' }]);
    expect(answer.headers.get('x-generation-now')).toBe('2024-02-29T00:00:00.000Z');
  });

  it('returns up to 10,000 records if the endpoint is configured so', async () => {
    const { url } = await makeEndpoint(plane, { response: { count: 10_000 } });
    expect((await call(plane, url)).json).toEqual(numbers(10_000));
    expect((await call(plane, `${url}?seed=-3`)).json).toEqual(numbers(10_000));
  });

  it('may request 1,000 records and not more', async () => {
    const { url } = await makeEndpoint(plane, {});
    expect((await call(plane, `${url}?count=1000`)).json).toEqual(numbers(1_000));
    for (const query of [
      'count=1001',
      'count=0',
      'count=x',
      'count=',
      'count=1&count=2',
      'seed=-0',
      'seed=--1',
      'seed=-9007199254740992',
      'seed=1e3',
      'seed=9007199254740992',
      'now=yesterday',
    ]) {
      expect([query, refusalOf(await call(plane, `${url}?${query}`))]).toEqual([
        query,
        expect.stringMatching(/^422 validation_error (count|seed|now): /),
      ]);
    }
    expect((await call(plane, `${url}?page=2&anything=x`)).status).toBe(200);
  });

  it('can use path parameters in generators and in the wrapper', async () => {
    const { id } = await makeEndpoint(plane, {
      path: '/api/:kind/:id',
      schema: {
        generators: { id: { computed: 'params.id' }, label: { body: '{{params.kind}} {{params.id}}' } },
        output: ['id', 'label'],
      },
      response: { count: 1, wrapper: '{{first(records)}}' },
    });
    const at = async (path: string) => (await call(plane, `/mock/${id}${path}`)).json;
    expect(await at('/api/users/42')).toEqual({ id: '42', label: 'users 42' });
    expect(await at('/api/b%C3%BCcher/a%2Fb%22')).toEqual({ id: 'a/b"', label: 'bücher a/b"' });
  });

  it('returns the status, headers and latency of the endpoint', async () => {
    const response = {
      status: 201,
      headers: { 'X-Total': '7', Location: '/api/users/7' },
      latency_ms: { min: 1, max: 5 },
    };
    const { url } = await makeEndpoint(plane, { method: 'POST', response });
    const answer = await call(plane, url, {
      method: 'POST',
      body: 'not JSON',
      headers: { 'content-type': 'image/png' },
    });
    expect([answer.status, answer.headers.get('x-total'), answer.headers.get('location')]).toEqual([
      201,
      '7',
      '/api/users/7',
    ]);
    const form = new FormData();
    form.set('file', new Blob(['x']), 'x');
    expect((await call(plane, url, { method: 'POST', body: form })).status).toBe(201);
    const empty = await makeEndpoint(plane, { method: 'DELETE', response: { status: 204 } });
    const deleted = await call(plane, empty.url, { method: 'DELETE' });
    expect([deleted.status, deleted.text]).toEqual([204, '']);
  });

  it.each(['GET', 'POST'])(
    'leaves out headers that an earlier version stored, and warns the owner (%s)',
    async (method) => {
      const { id, url } = await makeEndpoint(plane, { method, response: { headers: { 'X-Total': '7' } } });
      const headers = { 'X-Total': '7', 'Set-Cookie': 'a=b', 'X-Reproxy-URL': 'http://x', Location: '/x' };
      await plane.query(
        `UPDATE mock_endpoints SET response_json = jsonb_set(response_json::jsonb, '{headers}', $1)::text WHERE id = $2`,
        [JSON.stringify(headers), id],
      );
      const log = jest.spyOn(Logger.prototype, 'warn').mockImplementation();
      // The buffer of a GET without options is filled by the first call.
      for (let calls = 0; calls < 3; calls += 1) {
        const answer = await call(plane, url, { method });
        const sent = Object.keys(headers).map((name) => answer.headers.get(name));
        expect([answer.status, ...sent]).toEqual([200, '7', null, null, null]);
      }
      expect(log.mock.calls).toEqual([
        [
          expect.objectContaining({
            endpoint_id: id,
            headers: expect.arrayContaining(['Set-Cookie', 'Location']),
          }),
        ],
      ]);
      log.mockRestore();
      const shown = await plane.request(`/v1/mock/endpoints/${id}`);
      const { data } = shown.body as unknown as { data: { warnings: { field: string }[] } };
      expect(data.warnings.map(({ field }) => field).sort()).toEqual([
        ...['response.headers.Location', 'response.headers.Set-Cookie', 'response.headers.X-Reproxy-URL'],
      ]);
      expect(data.warnings).toContainEqual({
        code: 'header_reserved',
        field: 'response.headers.Location',
        message: expect.stringContaining('only sent with the status 201'),
      });
    },
  );

  it('fails at the configured rate, and reproducibly for the same seed', async () => {
    const { url } = await makeEndpoint(plane, { response: { fail_rate: 0.5 } });
    const statuses: number[] = [];
    for (let seed = 0; seed < 60; seed += 1) statuses.push((await call(plane, `${url}?seed=${seed}`)).status);
    expect(new Set(statuses)).toEqual(new Set([200, 500]));
    expect((await call(plane, `${url}?seed=0`)).status).toBe(statuses[0]);
    const always = await makeEndpoint(plane, { response: { fail_rate: 1 } });
    expect(refusalOf(await call(plane, always.url))).toMatch(/^500 internal_error .*fail_rate/);
  });

  it('returns the headers of GET for HEAD, and the methods for OPTIONS', async () => {
    const { url } = await makeEndpoint(plane, {});
    const head = await call(plane, url, { method: 'HEAD' });
    expect([head.status, head.text, head.headers.get('x-generation-count')]).toEqual([200, '', '10']);
    expect(Number(head.headers.get('content-length'))).toBeGreaterThan(10);
    const options = await call(plane, url, { method: 'OPTIONS' });
    expect([options.status, options.headers.get('allow'), options.text]).toEqual([
      204,
      'GET, HEAD, OPTIONS',
      '',
    ]);
    const post = await call(plane, url, { method: 'POST' });
    expect([refusalOf(post), post.headers.get('allow')]).toEqual([
      '405 method_not_allowed This endpoint supports GET.',
      'GET, HEAD, OPTIONS',
    ]);
  });
});

describe('every response of a mock endpoint', () => {
  it('may be read from any origin and is never an HTML page', async () => {
    const schema = schemaOf({ type: 'list', values: ['<script>alert(1)</script>'] });
    const { id, url } = await makeEndpoint(plane, { schema, response: { wrapper: '<html>{{count}}' } });
    const answers = [
      await call(plane, url),
      await call(plane, `/mock/${id}/elsewhere`),
      await call(plane, '/mock/ep_00000000000000000000000000/'),
      await call(plane, `${url}?seed=x`),
      await call(plane, url, { method: 'OPTIONS' }),
    ];
    for (const { status, headers } of answers) {
      if (status !== 204) expect(headers.get('content-type')).toBe('application/json; charset=utf-8');
      expect(headers.get('x-content-type-options')).toBe('nosniff');
      expect(headers.get('content-security-policy')).toContain('sandbox');
      expect(headers.get('access-control-allow-origin')).toBe('*');
      expect(headers.get('x-ratelimit-limit')).toMatch(/^\d+$/);
      expect(headers.get('x-request-id')).toMatch(/^req_/);
    }
    const api = await plane.request('/v1/org', { headers: { origin: 'https://app.example' } });
    expect(api.headers.get('access-control-allow-origin')).toBeNull();
  });

  it('allows any header in a preflight', async () => {
    const { url } = await makeEndpoint(plane, { method: 'PUT' });
    const headers = { origin: 'https://app.example', 'access-control-request-method': 'PUT' };
    const answer = await call(plane, url, { method: 'OPTIONS', headers });
    expect(answer.headers.get('access-control-allow-methods')).toBe('PUT, OPTIONS');
    expect(answer.headers.get('access-control-allow-headers')).toBe('*, Authorization');
  });

  it('uses only the rate limit window of its endpoint', async () => {
    const orgId = await plane.addOrganization('starter');
    const { token } = await plane.addToken({ orgId });
    const one = await makeEndpoint(plane, {}, token);
    const other = await makeEndpoint(plane, {}, token);
    const seen: unknown[] = [];
    for (let i = 0; i < 6; i += 1) {
      const { status, headers } = await call(plane, one.url);
      seen.push([status, headers.get('x-ratelimit-remaining'), headers.has('retry-after')]);
    }
    expect(seen).toEqual([
      [200, '2', false],
      [200, '1', false],
      [200, '0', false],
      [200, '0', false],
      [200, '0', false],
      [429, '0', true],
    ]);
    expect((await call(plane, other.url)).status).toBe(200);
  });
});

/** Sends the path without `fetch`, which would resolve dots itself. */
async function statusOfPath(path: string): Promise<number | undefined> {
  const sent = request(plane.url, { path, agent: false }).end();
  const [response] = (await once(sent, 'response')) as [IncomingMessage];
  response.resume();
  return response.statusCode;
}

describe('the path of a call', () => {
  it('is matched as it is written', async () => {
    const { id } = await makeEndpoint(plane, { path: '/api/users/:id', response: { count: 1 } });
    const fixed = await makeEndpoint(plane, { path: '/api/users/me', response: { wrapper: 'me' } });
    const statusOf = (path: string) => statusOfPath(`/mock/${id}${path}`);
    expect(await statusOf('/api/users/me')).toBe(200);
    expect((await call(plane, fixed.url)).json).toBe('me');
    for (const path of [
      '',
      '/',
      '/api/users',
      '/api/users/',
      '/api//users/1',
      '/api/users/1/',
      '/API/users/1',
      '/api/users/..',
      '/api/users/%2e%2e',
      '/api/users/%2E',
      '/x/../api/users/1',
      '/api/users/%ff',
      '/api/users/%zz',
      `/api/users/${'x'.repeat(10_000)}`,
    ])
      expect([path.slice(0, 40), await statusOf(path)]).toEqual([path.slice(0, 40), 404]);
  });

  it('begins with the prefix of mock endpoints, also if a response was generated in advance', async () => {
    const { id } = await makeEndpoint(plane, { path: '/a' });
    for (const separator of [';', '.', '?', 'x', '\\', '//', '%2f', '']) {
      // The first calls fill the buffer of the endpoint.
      for (let calls = 0; calls < 5; calls += 1) expect(await statusOfPath(`/mock/${id}/a`)).toBe(200);
      expect([separator, await statusOfPath(`/mock${separator}${id}/a`)]).toEqual([separator, 404]);
    }
  });

  it('returns 404 for an unknown id of any form', async () => {
    for (const id of ['', 'ep_', 'ep_00000000000000000000000000', 'x', '..', "' OR 1=1", '%00'])
      expect(refusalOf(await call(plane, `/mock/${encodeURIComponent(id)}/api`))).toMatch(/^404 not_found/);
  });
});

describe('a schema that fails while it generates records', () => {
  it('causes a 500 response that names the generator', async () => {
    const { id } = await makeEndpoint(plane, {
      path: '/fails/:n',
      schema: schemaOf({ computed: 'params.n * 2' }, 'twice'),
    });
    expect(refusalOf(await call(plane, `/mock/${id}/fails/x`))).toMatch(
      /^500 internal_error schema\.generators\.twice\.computed: /,
    );
    const wrapper = await makeEndpoint(plane, { response: { wrapper: { a: ['{{count.x * 2}}'] } } });
    expect(refusalOf(await call(plane, wrapper.url))).toMatch(
      /^500 internal_error response\.wrapper\.a\[0\]: /,
    );
    const dry = await makeEndpoint(plane, {
      schema: schemaOf({ type: 'list', values: ['a', 'b'], unique: true }),
      response: { count: 1 },
    });
    expect(refusalOf(await call(plane, `${dry.url}?count=3`))).toMatch(
      /^500 internal_error schema\.generators\.it/,
    );
    expect((await call(plane, `${dry.url}?count=2`)).status).toBe(200);
  });

  it('causes a 500 response if the body is too large', async () => {
    const schema = schemaOf({ type: 'list', values: ['x'.repeat(20_000)] });
    const { url } = await makeEndpoint(plane, { schema });
    expect(refusalOf(await call(plane, `${url}?count=1000`))).toMatch(/^500 internal_error .*8 MiB/);
    const shared = await makeEndpoint(plane, {
      response: {
        count: 1_000,
        wrapper: Array.from({ length: 900 }, () => '{{[records, records, records]}}'),
      },
    });
    expect(refusalOf(await call(plane, shared.url))).toMatch(/^500 internal_error .*8 MiB/);
  });
});

describe('an endpoint that requires a token', () => {
  it('is accepted from a page with a session of its organisation, also if it needs a token', async () => {
    const { url } = await makeEndpoint(plane, { auth: 'token', method: 'POST', response: { count: 2 } });
    const path = `/dashboard${url}?seed=7`;
    const browser = await signedIn(plane);
    const post = { method: 'POST' };
    const answer = await browser.request(path, post);
    expect([answer.status, JSON.parse(answer.text)]).toEqual([200, numbers(2)]);
    const withToken = await call(plane, `${url}?seed=7`, { ...post, token: plane.token });
    expect(answer.text).toBe(withToken.text);
    expect((await call(plane, path, { ...post, token: plane.token })).status).toBe(403);
    expect((await new Browser(plane).request(path, post)).status).toBe(401);
    const foreign = { headers: { 'sec-fetch-site': 'cross-site' } };
    expect((await browser.request(path, { ...post, ...foreign })).status).toBe(403);
    const orgId = await plane.addOrganization();
    const { token: other } = await plane.addToken({ orgId });
    expect((await (await signedIn(plane, other)).request(path, post)).status).toBe(404);
    const narrow = await plane.addToken({ orgId: plane.orgId, scopes: ['jobs:read'] });
    expect(refusalOf(await (await signedIn(plane, narrow.token)).request(path, post))).toBe(
      '403 forbidden The session is restricted to scopes and lacks endpoints:read.',
    );
  });

  it('[5/9] accepts only tokens of its organisation', async () => {
    const { url } = await makeEndpoint(plane, { auth: 'token' });
    const orgId = await plane.addOrganization();
    const foreign = await plane.addToken({ orgId });
    const narrow = await plane.addToken({ scopes: ['generate'] });
    const viewer = await plane.addToken({ role: 'viewer', scopes: ['endpoints:read'] });
    const statuses = [];
    for (const token of [null, 'us_live_x', foreign.token, narrow.token, viewer.token, plane.token])
      statuses.push((await call(plane, url, { token })).status);
    expect(statuses).toEqual([401, 401, 404, 403, 200, 200]);
    expect((await call(plane, url)).headers.get('www-authenticate')).toBe('Bearer');
    expect((await call(plane, url, { method: 'OPTIONS' })).status).toBe(204);
  });
});

/**
 * Returns the headers that must be the same in a response that was generated in advance and in one that was
 * not.
 */
function lastingHeaders({ headers }: MockResponse): string[][] {
  const changing = ['date', 'x-request-id', 'x-ratelimit-remaining', 'x-ratelimit-reset'];
  return [...headers].filter(([name]) => !changing.includes(name));
}

async function requestsOf(id: string): Promise<number> {
  const { body } = await plane.request(`/v1/mock/endpoints/${id}`);
  return (body as unknown as { data: { requests_today: number } }).data.requests_today;
}

describe('a response that was generated in advance', () => {
  it('equals the response to a call with its seed, and is counted in the same way', async () => {
    const response = { count: 2, status: 203, headers: { 'X-Total': '7', 'Cache-Control': 'max-age=5' } };
    const { id, url } = await makeEndpoint(plane, { schema: UUIDS, response });
    const remaining: number[] = [];
    for (let i = 0; i < 40; i += 1) {
      const ahead = await call(plane, url);
      const seed = ahead.headers.get('x-generation-seed') ?? '';
      const repeated = await call(plane, `${url}?seed=${seed}`);
      expect([ahead.status, ahead.text]).toEqual([repeated.status, repeated.text]);
      expect(lastingHeaders(ahead)).toEqual(lastingHeaders(repeated));
      const left = [ahead, repeated].map(({ headers }) => Number(headers.get('x-ratelimit-remaining')));
      remaining.push(...left);
    }
    expect(remaining).toEqual(Array.from({ length: 80 }, (_, i) => (remaining[0] ?? 0) - i));
    await waitFor('the counted calls', async () => (await requestsOf(id)) === 80);
  });
});

describe('requests_today', () => {
  it('[2.4/6] counts the successful calls of all servers', async () => {
    const peer = await plane.startPeer();
    try {
      const { id, url } = await makeEndpoint(plane, { response: { fail_rate: 0.5 } });
      for (let i = 0; i < 10; i += 1) await call(plane, url, i % 2 ? { at: peer.url } : {});
      await call(plane, url, { method: 'HEAD' });
      await call(plane, url, { method: 'OPTIONS' });
      await call(plane, url, { method: 'POST' });
      await call(plane, `${url}/x`);
      await waitFor('the counted calls', async () => (await requestsOf(id)) === 11);
      const before = await plane.query(`SELECT used FROM usage_counters WHERE metric = 'api_calls'`);
      expect(before.length).toBeGreaterThan(0);
    } finally {
      await peer.stop();
    }
  });
});

describe('an endpoint that is deleted', () => {
  it('is no longer served, on other servers after a short time', async () => {
    const peer = await plane.startPeer();
    try {
      const { id, url } = await makeEndpoint(plane, {});
      expect((await call(plane, url, { at: peer.url })).status).toBe(200);
      expect((await call(plane, url)).status).toBe(200);
      await plane.request(`/v1/mock/endpoints/${id}`, { method: 'DELETE' });
      expect((await call(plane, url)).status).toBe(404);
      await waitFor(
        'the other server',
        async () => (await call(plane, url, { at: peer.url })).status === 404,
      );
    } finally {
      await peer.stop();
    }
  });
});

describe('a hundred parallel calls', () => {
  it('all get a response with different data', async () => {
    const { url } = await makeEndpoint(plane, { schema: UUIDS, response: { count: 3 } });
    const answers = await Promise.all(Array.from({ length: 100 }, () => call(plane, url)));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
    const ids = answers.flatMap(({ json }) => (json as Json[]).map(({ id }) => id));
    expect(new Set(ids).size).toBe(300);
  });
});

describe('any request to an endpoint', () => {
  const hostile = fc.oneof(
    fc.constantFrom(
      '..',
      '%2e%2e',
      '%',
      '%zz',
      '%00',
      '%ff',
      '//',
      '/.',
      ':id',
      '*',
      '{id}',
      '__proto__',
      '<script>',
      "'--",
      '\\',
    ),
    fc.webFragments(),
    fc.stringMatching(/^[!-~]{0,30}$/),
  );
  const sent = fc.record({
    method: fc.constantFrom('GET', 'GET', 'GET', 'HEAD', 'POST', 'DELETE', 'OPTIONS'),
    path: fc.array(hostile, { maxLength: 4 }).map((pieces) => pieces.map((piece) => `/${piece}`).join('')),
    query: fc.oneof(
      fc.webQueryParameters(),
      fc
        .record({ name: fc.constantFrom('seed', 'count', 'now'), value: hostile })
        .map(({ name, value }) => `${name}=${value}`),
    ),
    seed: fc.option(fc.stringMatching(/^[!-~]{1,20}$/)),
  });
  const known = fc.constantFrom('/any/x/y', '/any/%C3%A9', '');

  it('gets a JSON response that any origin may read and that reveals nothing about the server', async () => {
    const { id } = await makeEndpoint(plane, {
      path: '/any/:a/:b',
      schema: schemaOf({ body: '{{params.a}}/{{params.b}}' }),
    });
    const one = async (method: string, path: string, headers: Record<string, string>) => {
      const sending = request(plane.url, { method, path, headers, agent: false }).end();
      const [response] = (await once(sending, 'response')) as [IncomingMessage];
      const pieces: Buffer[] = [];
      for await (const piece of response) pieces.push(piece as Buffer);
      return {
        status: response.statusCode ?? 0,
        headers: response.headers,
        text: Buffer.concat(pieces).toString(),
      };
    };
    await fc.assert(
      fc.asyncProperty(fc.tuple(known, sent), async ([start, { method, path, query, seed }]) => {
        const target = `/mock/${id}${start}${path}${query === '' ? '' : `?${query}`}`.replaceAll('#', '');
        const answer = await one(method, target, seed === null ? {} : { 'x-seed': seed });
        expect([200, 204, 404, 405, 422]).toContain(answer.status);
        if (answer.text !== '') JSON.parse(answer.text);
        expect(answer.text).not.toMatch(/node_modules|\bat [\w.<>]+ \(|SELECT |Error:/);
        if (answer.status !== 204)
          expect(answer.headers['content-type']).toBe('application/json; charset=utf-8');
      }),
      { numRuns: 400, seed: 20_261_122 },
    );
  });
});
