import { API_DESCRIPTION } from '../../src/api-description/openapi-document.js';
import type { Plan } from '../../src/platform/config/plans.js';
import { OPERATIONS } from '../../src/api-description/operations.js';
import { RateLimiter } from '../../src/platform/http/rate-limits/rate-limiter.js';
import { modelForm } from '../integration/harness/model-files.js';
import {
  startControlPlane,
  type ApiResponse,
  type ControlPlane,
  type RequestOptions,
} from '../integration/harness/start-control-plane.js';

const ISO_UTC = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d+)?Z$/;
const META = { request_id: expect.any(String), timestamp: expect.stringMatching(ISO_UTC) };
const JOB = {
  name: 'nightly',
  source: { type: 'postgresql', connection_string: 'agent:a' },
  target: { type: 'postgresql', connection_string: 'agent:b' },
  tables: [{ name: 'customers', columns: {} }],
};
const GENERATE = {
  schema: { generators: { id: { type: 'svc', algorithm: 'uuid_v4' } }, output: ['id'] },
  count: 2,
};

let plane: ControlPlane;
beforeAll(async () => {
  plane = await startControlPlane();
});
afterAll(() => plane?.stop());

type Data = Record<string, unknown>;
const ask = (path: string, options?: RequestOptions) => plane.request(`/v1${path}`, options);
const post = (path: string, body: unknown, token = plane.token) => ask(path, { method: 'POST', body, token });
const dataOf = (response: ApiResponse) => (response.body as unknown as { data: Data }).data;
const codeOf = (response: ApiResponse) =>
  (response.body as unknown as { error?: { code: string } }).error?.code;
const outcome = (response: ApiResponse) => [response.status, codeOf(response)];

/** Creates an organisation and a token of its owner. */
async function organization(plan: Plan = 'business'): Promise<{ orgId: string; token: string }> {
  const orgId = await plane.addOrganization(plan);
  return { orgId, token: (await plane.addToken({ orgId })).token };
}

it('[2/1, 2.1/7] All timestamps are ISO-8601 UTC strings', async () => {
  const responses = [
    await post('/sync/jobs', JOB),
    await post('/tokens', { name: 'x', role: 'viewer' }),
    await post('/org/members', { email: 'times@example.com', role: 'viewer' }),
    await ask('/org'),
    await ask('/models/en_US/first_names'),
  ];
  const times = responses.flatMap((response) =>
    Object.entries({ ...dataOf(response), ...(response.body as unknown as { meta: Data }).meta })
      .filter(([key]) => /(_at|_end|timestamp)$/.test(key))
      .map(([, time]) => time)
      .filter((time) => time !== null),
  );
  expect(times.length).toBeGreaterThan(10);
  for (const time of times) expect(time).toMatch(ISO_UTC);
});

it('[2/2] Identifiers are opaque strings with the prefix of their kind', async () => {
  const id = async (response: Promise<ApiResponse>) => String(dataOf(await response)['id']);
  await plane.addAgent();
  const [agent] = dataOf(await ask('/agents'))['agents'] as { id: string }[];
  expect([
    await id(post('/sync/jobs', JOB)),
    await id(ask('/org')),
    await id(post('/org/members', { email: 'ids@example.com', role: 'viewer' })),
    await id(post('/tokens', { name: 'ids', role: 'viewer' })),
    agent?.id,
  ]).toEqual(
    ['job', 'org', 'mem', 'tok', 'agt'].map((prefix) => expect.stringMatching(`^${prefix}_\\w{26}$`)),
  );
});

// Sections 2.5 and 4.7

it('[2.5/1, 2.5/2, 2.5/6] An organization has id (`org_<id>`), name, plan, members, usage and billing_cycle_end', async () => {
  const { orgId, token } = await organization();
  expect(dataOf(await ask('/org', { token }))).toEqual({
    id: expect.stringMatching(/^org_/),
    name: orgId,
    plan: 'business',
    members: 0,
    usage: expect.any(Object),
    billing_cycle_end: expect.stringMatching(ISO_UTC),
    warnings: [], // not in the reference
  });
});

it('[2.5/3] plan is one of free, starter, team, business', async () => {
  for (const plan of ['free', 'starter', 'team', 'business'] as const) {
    const { token } = await organization(plan);
    expect(dataOf(await ask('/org', { token }))['plan']).toBe(plan);
  }
});

it('[2.5/4] members is the number of members', async () => {
  const { token } = await organization();
  for (const email of ['one@example.com', 'two@example.com'])
    await post('/org/members', { email, role: 'viewer' }, token);
  expect(dataOf(await ask('/org', { token }))['members']).toBe(2);
});

const COUNTED = { used: expect.any(Number), limit: expect.any(Number) };
const USAGE = { sync_jobs: COUNTED, endpoints: COUNTED, snapshots: COUNTED, api_calls: COUNTED };

it('[1/10, 2.5/5] usage has sync_jobs, endpoints, snapshots and api_calls, each { used, limit }', async () => {
  expect(dataOf(await ask('/org'))['usage']).toEqual(USAGE);
});

it('[1/10, 4.7/1] GET /org answers the organization', async () => {
  const response = await ask('/org');
  expect([response.status, dataOf(response)['id']]).toEqual([200, plane.orgId]);
});

it('[1/10, 4.7/2, 4.7/5] GET /org/members lists members', async () => {
  const { token } = await organization();
  await post('/org/members', { email: 'listed@example.com', role: 'viewer' }, token);
  const response = await ask('/org/members', { token });
  expect([response.status, dataOf(response)]).toMatchObject([
    200,
    { members: [{ email: 'listed@example.com' }] },
  ]);
});

it('[2.5/7, 4.7/3, 4.7/5] POST /org/members invites a member', async () => {
  const response = await post('/org/members', { email: 'invited@example.com', role: 'member' });
  expect([response.status, dataOf(response)]).toMatchObject([
    201,
    { id: expect.stringMatching(/^mem_/), email: 'invited@example.com', role: 'member', status: 'invited' },
  ]);
});

it('[4.7/4, 4.7/5] DELETE /org/members/:id removes a member', async () => {
  const { id } = dataOf(await post('/org/members', { email: 'leaves@example.com', role: 'viewer' }));
  const response = await ask(`/org/members/${String(id)}`, { method: 'DELETE' });
  expect([response.status, dataOf(response)]).toEqual([200, { deleted: true, id }]);
  expect((await ask(`/org/members/${String(id)}`)).status).toBe(404);
});

// Sections 4.0 and 4.1

it('[4/1] The base address includes the version segment /v1', async () => {
  expect((await ask('/org')).status).toBe(200);
  expect((await plane.request('/org')).status).toBe(404);
});

it('[4/3] Request bodies are JSON with Content-Type: application/json, except model upload', async () => {
  for (const path of ['/generate', '/sync/jobs', '/org/members']) {
    const response = await ask(path, {
      method: 'POST',
      body: '{}',
      headers: { 'content-type': 'text/plain' },
    });
    expect(outcome(response)).toEqual([415, 'unsupported_media_type']);
  }
  expect((await post('/generate', GENERATE)).status).toBe(200);
  expect((await ask('/models', { method: 'POST', body: modelForm() })).status).toBe(201);
});

it('[4.1/1] Success is { data: object, meta: { request_id, timestamp } }', async () => {
  for (const path of ['/org', '/org/members', '/models', '/models/en_US/first_names', '/sync/jobs']) {
    const { status, body } = await ask(path);
    expect([path, status, body]).toEqual([path, 200, { data: expect.any(Object), meta: META }]);
  }
});

// Section 5

it('[5/1] Every API request requires `Authorization: Bearer <API_TOKEN>`', async () => {
  const { token } = await organization();
  for (const path of ['/org', '/models', '/sync/jobs']) {
    expect((await ask(path, { token: null, headers: { authorization: `Bearer ${token}` } })).status).toBe(
      200,
    );
    const others: Record<string, string>[] = [
      {},
      { authorization: `Basic ${token}` },
      { authorization: token },
      { 'x-api-key': token },
    ];
    for (const headers of others) expect((await ask(path, { token: null, headers })).status).toBe(401);
  }
});

/**
 * Operations without a bearer token. They need an invitation, an enrolment token, a signature or, for the
 * public document, nothing.
 */
const WITHOUT_TOKEN = [
  'POST /v1/org/members/accept',
  'POST /v1/agents/enroll',
  'POST /v1/agents/renew',
  'POST /v1/agents/hosted-models',
  'GET /v1/openapi.json',
];

it('[5/1] Every operation requires a Bearer token, except five', async () => {
  const nobody = { token: null, body: {} };
  const open: string[] = [];
  for (const { method, path } of OPERATIONS) {
    const response = await plane.request(path.replace(/:\w+/g, 'none'), {
      method,
      token: null,
      ...(method === 'GET' ? {} : { body: nobody.body }),
    });
    if (outcome(response).join(' ') !== '401 unauthorized') open.push(`${method} ${path}`);
  }
  expect(open.toSorted()).toEqual([...WITHOUT_TOKEN].toSorted());
});

it('[5/3] A missing or invalid token is 401 unauthorized', async () => {
  expect(outcome(await ask('/org', { token: null }))).toEqual([401, 'unauthorized']);
  expect(outcome(await ask('/org', { token: 'us_live_unknown' }))).toEqual([401, 'unauthorized']);
});

it('[5/4] Insufficient permissions are 403 forbidden', async () => {
  const { token } = await plane.addToken({ role: 'viewer' });
  expect(outcome(await post('/org/members', { email: 'x@example.com', role: 'viewer' }, token))).toEqual([
    403,
    'forbidden',
  ]);
});

// Section 7

it('[7/1] An error is { error: { code, message, details? }, meta: { request_id, timestamp } }', async () => {
  const responses = [
    await ask('/org', { token: null }),
    await ask('/sync/jobs/job_none'),
    await ask('/nothing'),
    await post('/generate', {}),
    await post('/generate', '{'),
  ];
  for (const { body } of responses)
    expect(body).toEqual({
      error: expect.objectContaining({ code: expect.any(String), message: expect.any(String) }),
      meta: META,
    });
});

it('[7/2] Validation errors have details: [{ field, message }]', async () => {
  const { body } = await post('/generate', { count: 0 });
  const { details } = (body as unknown as { error: { details: Data[] } }).error;
  expect(details.map(({ field }) => field).sort()).toEqual(['count', 'schema']);
  for (const detail of details)
    expect(detail).toEqual({ field: expect.any(String), message: expect.any(String) });
});

it('[7/3] unauthorized is 401', async () => {
  expect(outcome(await ask('/models', { token: null }))).toEqual([401, 'unauthorized']);
});

it('[7/4] forbidden is 403', async () => {
  expect(outcome(await ask('/models/en_US/first_names', { method: 'DELETE' }))).toEqual([403, 'forbidden']);
});

it('[7/5] not_found is 404', async () => {
  for (const path of ['/models/custom/none', '/sync/jobs/job_none', '/org/members/mem_none', '/none'])
    expect(outcome(await ask(path))).toEqual([404, 'not_found']);
});

it('[7/6] validation_error is 422', async () => {
  expect(outcome(await post('/sync/jobs', {}))).toEqual([422, 'validation_error']);
  expect(outcome(await ask('/models?page=0'))).toEqual([422, 'validation_error']);
});

const SPENT = { free: [60, 10], starter: [300, 50], team: [1_000, 100], business: [5_000, 500] } as const;

/**
 * Uses up the rate-limit window of a new organisation. Returns the responses to the first request, to the
 * last one within the limit, and to one beyond the limit.
 */
async function spendWindow(plan: Plan): Promise<ApiResponse[]> {
  const { orgId, token } = await organization(plan);
  const limiter = plane.app.get<RateLimiter>(RateLimiter, { strict: false });
  const [limit, burst] = SPENT[plan];
  const first = await ask('/org', { token });
  for (let spent = 1; spent < limit + burst - 1;) {
    const round = Array.from({ length: Math.min(100, limit + burst - 1 - spent) }, () =>
      limiter.spendOfOrganization({ organizationId: orgId, plan }),
    );
    // A request that Redis counts too slowly reports the full number of remaining requests.
    spent += (await Promise.all(round)).filter(({ remaining }) => remaining < limit).length;
  }
  return [first, await ask('/org', { token }), await ask('/org', { token })];
}

async function expectPlan(plan: Plan): Promise<void> {
  const [first, last, past] = await spendWindow(plan);
  expect(first?.headers.get('x-ratelimit-limit')).toBe(String(SPENT[plan][0]));
  expect([first?.status, last?.status, past?.status]).toEqual([200, 200, 429]);
}

it('[7/7] rate_limit_exceeded is 429', async () => {
  const past = (await spendWindow('free')).at(-1) as ApiResponse;
  expect(outcome(past)).toEqual([429, 'rate_limit_exceeded']);
});

// Section 8

it('[8/2] Free has 60 requests a minute and a burst of 10', () => expectPlan('free'));
it('[8/3] Starter has 300 requests a minute and a burst of 50', () => expectPlan('starter'));
it('[8/4] Team has 1,000 requests a minute and a burst of 100', () => expectPlan('team'));
it('[8/5] Business has 5,000 requests a minute and a burst of 500', () => expectPlan('business'));

it('[8/6] Every response carries X-RateLimit-Limit, X-RateLimit-Remaining and X-RateLimit-Reset', async () => {
  const responses = [
    await ask('/org'),
    await post('/generate', { ...GENERATE, format: 'csv' }),
    await post('/generate', { ...GENERATE, format: 'ndjson' }),
    await post('/generate', {}),
    await post('/sync/jobs', JOB),
    await ask('/org', { token: null }),
    await ask('/nothing'),
    await plane.request('/nothing', { token: null }),
    await ask('/org', { method: 'OPTIONS' }),
    ...(await spendWindow('free')),
  ];
  for (const { status, headers } of responses) {
    const values = ['limit', 'remaining', 'reset'].map((name) => headers.get(`x-ratelimit-${name}`));
    expect([status, ...values]).toEqual([status, ...values.map(() => expect.stringMatching(/^\d+$/))]);
  }
});

it('[8/6] X-RateLimit-Reset is an integer timestamp of the end of the window', async () => {
  const before = Math.floor(Date.now() / 1000);
  const reset = Number((await ask('/org')).headers.get('x-ratelimit-reset'));
  expect(Number.isInteger(reset) && reset >= before && reset <= Date.now() / 1000 + 61).toBe(true);
});

it('[8/7] Exceeding the limit is 429 rate_limit_exceeded', async () => {
  const past = (await spendWindow('starter')).at(-1) as ApiResponse;
  expect(past.body).toEqual({
    error: { code: 'rate_limit_exceeded', message: expect.any(String) },
    meta: META,
  });
});

it('[8/17] Quotas for sync_jobs, endpoints, snapshots and api_calls are reported as used and limit in GET /org', async () => {
  const { token } = await organization('team');
  expect((await post('/sync/jobs', JOB, token)).status).toBe(201);
  const { usage } = dataOf(await ask('/org', { token })) as { usage: Record<string, Data> };
  expect(usage).toMatchObject({ ...USAGE, sync_jobs: { used: 1, limit: 500 } });
});

it('[8/18] The quotas of the four plans are as documented', async () => {
  const quotas = { free: [5, 1, 2, 10_000], starter: [50, 10, 10, 100_000], team: [500, 50, 50, 1_000_000], business: [5_000, 500, 500, 10_000_000] } as const; // prettier-ignore
  for (const [plan, limits] of Object.entries(quotas)) {
    const { token } = await organization(plan as Plan);
    const { usage } = dataOf(await ask('/org', { token })) as { usage: Record<string, Data> };
    const metrics = ['sync_jobs', 'endpoints', 'snapshots', 'api_calls'];
    expect([plan, ...metrics.map((metric) => usage[metric]?.['limit'])]).toEqual([plan, ...limits]);
  }
});

it('[9/1] The version is part of the path: /v1', async () => {
  expect((await plane.request('/v1/models')).status).toBe(200);
  for (const path of ['/models', '/v2/models']) expect((await plane.request(path)).status).toBe(404);
});

it('[9/2] v1 is the current version and has no end-of-life date: no operation is deprecated, and no answer announces an end', async () => {
  expect(API_DESCRIPTION).toMatchObject({ servers: [{ url: '/v1' }] });
  const operations = Object.entries(API_DESCRIPTION.paths).flatMap(([template, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ template, method, operation })),
  );
  expect(operations.length).toBeGreaterThan(50);
  for (const { template, method, operation } of operations) {
    expect(operation).not.toHaveProperty('deprecated', true);
    const path = template.replace(/\{\w+\}/g, 'none');
    const { headers } = await ask(path, { method: method.toUpperCase() });
    expect([path, headers.get('deprecation'), headers.get('sunset')]).toEqual([path, null, null]);
  }
});
