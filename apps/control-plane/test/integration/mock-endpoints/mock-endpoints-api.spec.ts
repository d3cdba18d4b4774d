import {
  call,
  createEndpoint,
  makeEndpoint,
  NUMBERS,
  refusalOf,
  schemaOf,
  svc,
  type Json,
} from './mock-harness.js';
import { modelForm } from '../harness/model-files.js';
import { startControlPlane, type ControlPlane } from '../harness/start-control-plane.js';

let plane: ControlPlane;
beforeAll(async () => {
  plane = await startControlPlane({ planLimits: { starter: { requests_per_minute: 10_000, endpoints: 3 } } });
});
afterAll(() => plane?.stop());

const outcome = async (body: Json) => refusalOf(await createEndpoint(plane, body));
const usedEndpoints = async (token: string) => {
  const { body } = await plane.request('/v1/org', { token });
  return (body as unknown as { data: { usage: { endpoints: { used: number } } } }).data.usage.endpoints.used;
};
const remove = (id: string, token = plane.token) =>
  plane.request(`/v1/mock/endpoints/${id}`, { method: 'DELETE', token });

async function fetched(id: string): Promise<Json> {
  const { body } = await plane.request(`/v1/mock/endpoints/${id}`);
  return (body as unknown as { data: Json }).data;
}

describe('a mock endpoint', () => {
  it('is created with warnings for constraints that its schema ignores', async () => {
    const it = {
      type: 'model',
      source: 'en_US/words',
      generation: { mode: 'poem' },
      constraints: { max_length: 9 },
    };
    const digit = { type: 'list', values: [0, 1, 2, 3, 4, 5, 6, 7, 8, 9], unique: true };
    const schema = { generators: { it, digit }, output: ['it', 'digit'] };
    const answer = await createEndpoint(plane, { schema, response: { count: 10 } });
    expect(answer.body).toMatchObject({
      meta: {
        warnings: [
          {
            field: 'schema.generators.it.constraints.max_length',
            message: expect.stringContaining('is not applied in mode poem'),
          },
          { field: 'schema.generators.digit', message: expect.stringContaining('may run out of values') },
        ],
      },
    });
    const { data, meta } = answer.body as unknown as { data: Json; meta: { warnings: object[] } };
    const all = meta.warnings.map((warning) => ({ code: 'definition_warning', ...warning }));
    expect(data['warnings']).toEqual(all);
    expect((await fetched(data['id'] as string))['warnings']).toEqual(all);
  });

  it('warns about parts of its definition that only an earlier version accepted', async () => {
    const answer = await createEndpoint(plane, { path: '/stored' });
    const { id } = (answer.body as unknown as { data: { id: string } }).data;
    const outdated = "date_format('2026-01-02', 'yyyy')";
    const warningsWith = async (column: string, json: unknown) => {
      await plane.query(
        `UPDATE mock_endpoints SET ${column} = (${column}::jsonb || $1)::text WHERE id = $2`,
        [JSON.stringify(json), id],
      );
      return (await fetched(id))['warnings'] as { code: string; field: string }[];
    };
    const year = { generators: { year: { computed: outdated } }, output: ['year'] };
    const warning = { code: 'definition_warning', message: expect.stringContaining('YYYY') };
    const ofSchema = { ...warning, field: 'schema.generators.year.computed' };
    expect(await warningsWith('schema_json', year)).toEqual([ofSchema]);
    const ofWrapper = { ...warning, field: 'response.wrapper.year' };
    expect(await warningsWith('response_json', { wrapper: { year: `{{${outdated}}}` } })).toEqual([
      ofSchema,
      ofWrapper,
    ]);
    // A definition that this version refuses as a whole is shown with the reason.
    const refused = await warningsWith('schema_json', { generators: { year: { computed: '1 +' } } });
    expect(refused.map(({ field }) => field)).toEqual(['schema.generators.year.computed']);
  });

  it('is returned as it was created, with defaults for missing fields', async () => {
    const response = {
      count: 3,
      wrapper: { data: '{{records}}' },
      headers: { 'X-A': 'b' },
      latency_ms: { min: 0, max: 1 },
    };
    const answer = await createEndpoint(plane, { path: '/api/users/:id', method: 'PATCH', response });
    const { data } = answer.body as unknown as { data: Json };
    const id = String(data['id']);
    expect([answer.status, answer.headers.get('location')]).toEqual([201, `/v1/mock/endpoints/${id}`]);
    expect(id).toMatch(/^ep_[0-9A-HJKMNP-TV-Z]{26}$/);
    expect(data).toEqual({
      id,
      path: '/api/users/:id',
      method: 'PATCH',
      schema: NUMBERS,
      url: `http://127.0.0.1:1/mock/${id}/api/users/:id`,
      requests_today: 0,
      created_at: expect.any(String),
      auth: 'none',
      response: { ...response, status: 200, fail_rate: 0 },
      warnings: [],
    });
    expect(answer.body).toMatchObject({ meta: { warnings: [] } });
    const shown = await plane.request(`/v1/mock/endpoints/${id}`);
    expect((shown.body as unknown as { data: Json }).data).toEqual(data);
    const listed = await plane.request('/v1/mock/endpoints?per_page=1');
    expect((listed.body as unknown as { data: Json }).data).toMatchObject({
      endpoints: [{ id, url: data['url'], requests_today: 0, schema: `${id}.schema.json` }],
      page: 1,
      per_page: 1,
    });
  });

  it('has a unique method and path, regardless of the names of its parameters', async () => {
    await makeEndpoint(plane, { path: '/clash/:x' });
    expect(await outcome({ path: '/clash/:y' })).toMatch(/^409 conflict /);
    const literal = await makeEndpoint(plane, { path: '/clash/b', response: { wrapper: 'literal' } });
    expect((await call(plane, literal.url)).json).toBe('literal');
    await makeEndpoint(plane, { path: '/clash/:x', method: 'POST' });
    const orgId = await plane.addOrganization();
    await makeEndpoint(plane, { path: '/clash/:x' }, (await plane.addToken({ orgId })).token);
  });

  it('is created once by parallel requests', async () => {
    const answers = await Promise.all(
      Array.from({ length: 10 }, () => createEndpoint(plane, { path: '/parallel' })),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([201, ...Array<number>(9).fill(409)]);
  });

  it('is recorded in the audit log without its schema', async () => {
    const { id } = await makeEndpoint(plane, { path: '/audited' });
    await remove(id);
    const { text, body } = await plane.request('/v1/audit-log?per_page=2');
    const { entries } = (body as unknown as { data: { entries: Json[] } }).data;
    expect(entries.map(({ action }) => action)).toEqual(['mock_endpoint.deleted', 'mock_endpoint.created']);
    expect(text).not.toContain('sequence');
  });
});

describe('the creation of a mock endpoint', () => {
  const wide = 'x'.repeat(10_000);
  it.each<[string, Json, RegExp]>([
    ['a path of 10,000 characters', { path: `/${wide}` }, /^422 validation_error path: /],
    ['a path with *', { path: '/a/*' }, /^422 validation_error path: .*no wildcard/],
    ['a path with an invisible letter', { path: '/a\u3164' }, /^422 validation_error path: .*invisible/],
    ['a path with an invisible mark', { path: '/a\ufe0f' }, /^422 validation_error path: .*invisible/],
    ['a path with dots', { path: '/a/../b' }, /^422 validation_error path: /],
    ['a path without a slash', { path: 'api' }, /^422 validation_error path: /],
    ['no path', { path: undefined }, /^422 validation_error path: is required/],
    ['a method in lower case', { method: 'get' }, /^422 validation_error method: /],
    ['the method TRACE', { method: 'TRACE' }, /^422 validation_error method: /],
    ['an unknown auth', { auth: 'basic' }, /^422 validation_error auth: /],
    ['a response that is none', { response: [] }, /^422 validation_error response: /],
    [
      'an unknown field of the response',
      { response: { delay: 1 } },
      /^422 validation_error response\.delay: /,
    ],
    ['10,001 records', { response: { count: 10_001 } }, /^422 validation_error response\.count: /],
    ['no record', { response: { count: 0 } }, /^422 validation_error response\.count: /],
    ['a wrapper that is a number', { response: { wrapper: 5 } }, /^422 validation_error response\.wrapper: /],
    ['a wrapper that is null', { response: { wrapper: null } }, /^422 validation_error response\.wrapper: /],
    [
      'an unknown name in the wrapper',
      { response: { wrapper: { a: '{{recrods}}' } } },
      /^422 validation_error response\.wrapper\.a: .*records/,
    ],
    [
      'a broken template',
      { response: { wrapper: ['{{records'] } },
      /^422 validation_error response\.wrapper\[0\]: /,
    ],
    ['a redirect', { response: { status: 302 } }, /^422 validation_error response\.status: /],
    ['a status of 100', { response: { status: 100 } }, /^422 validation_error response\.status: /],
    [
      'a cookie',
      { response: { headers: { 'Set-Cookie': 'a=b' } } },
      /^422 validation_error response\.headers\.Set-Cookie: /,
    ],
    [
      'a split header',
      { response: { headers: { 'X-A': 'a\r\nb: c' } } },
      /^422 validation_error response\.headers\.X-A: /,
    ],
    [
      'a latency of a minute',
      { response: { latency_ms: 60_000 } },
      /^422 validation_error response\.latency_ms: /,
    ],
    [
      'a latency upside down',
      { response: { latency_ms: { min: 2, max: 1 } } },
      /^422 validation_error response\.latency_ms: /,
    ],
    [
      'half a latency',
      { response: { latency_ms: { min: 2 } } },
      /^422 validation_error response\.latency_ms: /,
    ],
    ['a fail_rate of 2', { response: { fail_rate: 2 } }, /^422 validation_error response\.fail_rate: /],
    [
      'an unknown generator',
      { schema: schemaOf(svc('uuid')) },
      /^422 validation_error schema\.generators\.it/,
    ],
    [
      'an unknown reference',
      { schema: schemaOf({ body: '{{parms.id}}' }) },
      /^422 validation_error schema\.generators\.it\.body: .*params/,
    ],
    [
      'more unique values than there are',
      { schema: schemaOf({ type: 'list', values: ['a'], unique: true }) },
      /^422 validation_error schema\.generators\.it/,
    ],
    [
      'a schema of 300 KiB',
      { schema: schemaOf({ type: 'list', values: Array.from({ length: 40_000 }, () => 'abcde') }) },
      /^422 limit_exceeded .*262144/,
    ],
  ])('is refused: %s', async (_, body, refusal) => {
    expect(await outcome(body)).toMatch(refusal);
  });

  it('refuses a wrapper that nests 1,000 levels deep', async () => {
    const body = `{"path":"/deep","method":"GET","schema":{},"response":{"wrapper":${'['.repeat(1_000)}${']'.repeat(1_000)}}}`;
    const answer = await plane.request('/v1/mock/endpoints', { method: 'POST', body });
    expect(refusalOf(answer)).toMatch(/^422 limit_exceeded /);
  });

  it('refuses a wrapper with a key that would change prototypes', async () => {
    const wrapper = '{"a":{"__proto__":{"polluted":true}}}';
    const body = `{"path":"/proto","method":"GET","schema":${JSON.stringify(NUMBERS)},"response":{"wrapper":${wrapper}}}`;
    const answer = await plane.request('/v1/mock/endpoints', { method: 'POST', body });
    expect(refusalOf(answer)).toMatch(/^422 validation_error response\.wrapper\.a\.__proto__: /);
    expect(({} as Json)['polluted']).toBeUndefined();
  });

  it('reports the problems of schema and wrapper together', async () => {
    const { body } = await createEndpoint(plane, {
      schema: schemaOf(svc('uuid')),
      response: { wrapper: '{{none}}' },
    });
    const { error } = body as unknown as { error: { details: { field: string }[] } };
    expect(error.details.map(({ field }) => field)).toEqual([
      expect.stringMatching(/^schema\.generators\.it/),
      'response.wrapper',
    ]);
  });
});

describe('the quota of mock endpoints', () => {
  it('admits exactly one of a hundred parallel requests if one endpoint remains', async () => {
    const orgId = await plane.addOrganization('starter');
    const { token } = await plane.addToken({ orgId });
    await makeEndpoint(plane, {}, token);
    const second = await makeEndpoint(plane, {}, token);
    const answers = await Promise.all(
      Array.from({ length: 100 }, () => createEndpoint(plane, {}, { token })),
    );
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(1);
    expect(answers.filter(({ status }) => status === 402)).toHaveLength(99);
    expect(await usedEndpoints(token)).toBe(3);
    expect((await remove(second.id, token)).status).toBe(200);
    expect(await usedEndpoints(token)).toBe(2);
    expect((await remove(second.id, token)).status).toBe(404);
    expect(await usedEndpoints(token)).toBe(2);
    await makeEndpoint(plane, {}, token);
  });

  it('is not used by refused requests', async () => {
    const orgId = await plane.addOrganization('free');
    const { token } = await plane.addToken({ orgId });
    await createEndpoint(plane, { method: 'get' }, { token });
    const { id } = await makeEndpoint(plane, { path: '/only' }, token);
    expect(refusalOf(await createEndpoint(plane, { path: '/only' }, { token }))).toMatch(/^409/);
    expect(refusalOf(await createEndpoint(plane, {}, { token }))).toMatch(
      /^402 quota_exceeded .*mock endpoints/,
    );
    await remove(id, token);
    expect(await usedEndpoints(token)).toBe(0);
  });
});

describe('a mock endpoint with a custom model or composition', () => {
  it('[1/5] generates from the custom model, which cannot be deleted while the endpoint uses it', async () => {
    const upload = async (name: string) =>
      plane.request('/v1/models', { method: 'POST', body: modelForm({ name }) });
    expect((await upload('kept')).status).toBe(201);
    const schema = schemaOf({ type: 'model', source: 'custom/kept' });
    const { id, url } = await makeEndpoint(plane, { schema });
    const answer = await call(plane, `${url}?count=3`);
    expect([answer.status, answer.json]).toEqual([200, Array(3).fill({ it: expect.any(String) })]);
    const deleteModel = () => plane.request('/v1/models/custom/kept', { method: 'DELETE' });
    expect(refusalOf(await deleteModel())).toMatch(/^409 conflict .*endpoint/);
    await remove(id);
    expect((await deleteModel()).status).toBe(200);
  });

  it('keeps the composition of its creation time', async () => {
    const register = (version: string, text: string) =>
      plane.request('/v1/generators', {
        method: 'POST',
        body: { name: '@acme/mock:greeting', version, body: text },
      });
    await register('1.0.0', 'one');
    const { url } = await makeEndpoint(plane, { schema: schemaOf({ use: '@acme/mock:greeting' }) });
    await register('2.0.0', 'two');
    await plane.request('/v1/generators/@acme%2Fmock:greeting', { method: 'DELETE' });
    expect((await call(plane, `${url}?count=1`)).json).toEqual([{ it: 'one' }]);
    expect(await outcome({ schema: schemaOf({ use: '@acme/mock:greeting' }) })).toMatch(/^422 /);
  });

  it('cannot use a model or composition of another organisation', async () => {
    const orgId = await plane.addOrganization();
    const { token } = await plane.addToken({ orgId });
    await plane.request('/v1/models', { method: 'POST', body: modelForm({ name: 'ours' }) });
    const schema = schemaOf({ type: 'model', source: 'custom/ours' });
    expect(refusalOf(await createEndpoint(plane, { schema }, { token }))).toMatch(/^422 validation_error /);
  });

  it('cannot use a model whose name contains a path parameter', async () => {
    await plane.request('/v1/models', { method: 'POST', body: modelForm({ name: 'late' }) });
    const { url } = await makeEndpoint(plane, {
      path: '/late/:which',
      schema: schemaOf({ type: 'model', source: 'custom/{{params.which}}' }),
    });
    const answer = await call(plane, url.replace(':which', 'late'));
    expect(refusalOf(answer)).toMatch(/^500 internal_error schema\.generators\.it/);
  });
});
