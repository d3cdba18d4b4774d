import { once } from 'node:events';
import { request, type IncomingMessage } from 'node:http';

import { casesOf, inBoth, it } from '@understudy/testing';

import { ROLES, roleIncludes, type Role } from '../../../src/platform/http/pipeline/caller.js';
import type { Operation, ProtectedOperation } from '../../../src/platform/http/operations/operation.js';
import { OPERATIONS, type OperationId } from '../../../src/api-description/operations.js';
import { SCOPES } from '../../../src/platform/http/pipeline/scope.js';
import { auditEntries, type Browser, dataOf, joinedMember, signedIn } from '../harness/browser.js';
import { modelForm } from '../harness/model-files.js';
import { pathOf, sampleBody, sampleFor, type Owner } from '../harness/sample-requests.js';
import { startControlPlane, type ControlPlane, type RequestOptions } from '../harness/start-control-plane.js';

type Row = Operation & { id: OperationId };
const ROWS: readonly Row[] = OPERATIONS;
const PROTECTED = ROWS.filter(
  (row): row is ProtectedOperation & { id: OperationId } => row.role !== 'public',
);
const byName = <T extends Operation>(rows: readonly T[]) =>
  rows.map((row) => [`${row.method} ${row.path}`, row] as const);

/** The rows that `npm test` calls. A release calls the others. */
const FEW = 12;

let plane: ControlPlane;
let browser: Browser;
const browsers = new Map<Role, Browser>();

beforeAll(async () => {
  const many = { signInsPerMinute: 10_000, sessionPerMinute: 100_000, sessionWritesPerMinute: 100_000 };
  plane = await startControlPlane({ rateLimits: many });
  browser = await signedIn(plane);
  for (const role of ROLES) browsers.set(role, await signedIn(plane, (await plane.addToken({ role })).token));
});
afterAll(() => plane?.stop());

const optionsOf = (row: Row): RequestOptions => {
  const body = sampleBody(row.id);
  return { method: row.method, ...(body ? { body } : {}) };
};
const inDashboard = (row: Row, id = 'unknown') => `/dashboard${pathOf(row, id)}`;

/** Sends the path as it is. `fetch` would resolve its dots. */
async function rawStatus(path: string, headers: Record<string, string>): Promise<number> {
  const sent = request(plane.url, { path, headers }).end();
  const [response] = (await once(sent, 'response')) as [IncomingMessage];
  response.resume();
  return response.statusCode ?? 0;
}

describe('authentication', () => {
  inBoth.each(casesOf(byName(PROTECTED), FEW))('%s of /v1 does not accept the cookie', async (_, row) => {
    const headers = { cookie: browser.cookie, 'sec-fetch-site': 'same-origin' };
    const response = await plane.request(pathOf(row, 'unknown'), { ...optionsOf(row), token: null, headers });
    expect(response.status).toBe(401);
  });

  inBoth.each(casesOf(byName(PROTECTED), FEW))(
    '%s of the dashboard does not accept a token',
    async (_, row) => {
      const headers = { 'sec-fetch-site': 'same-origin' };
      const response = await plane.request(inDashboard(row), { ...optionsOf(row), headers });
      expect(response.status).toBe(401);
    },
  );

  it('ignores a token beside a cookie, even one with more rights', async () => {
    const viewer = browsers.get('viewer') as Browser;
    const refused = await viewer.request('/dashboard/v1/tokens', { token: plane.token });
    expect(refused.status).toBe(403);
  });

  it.each([
    ['/%761/org', 'token'],
    ['/%64ashboard/v1/org', 'cookie'],
    ['/dashboard/%76%31/org', 'cookie'],
    ['/dashboard/v1/org?x=/v1/org', 'cookie'],
    ['//dashboard/v1/org', 'neither'],
    ['/dashboard//v1/org', 'neither'],
    ['/dashboard%2Fv1/org', 'neither'],
    ['/dashboard/%2e%2e/v1/org', 'neither'],
    ['/dashboard/../v1/org', 'neither'],
    ['/v1/../dashboard/v1/org', 'neither'],
    ['/DASHBOARD/v1/org', 'neither'],
  ])('depends on the matched route, not on the spelling of the path %s: %s', async (path, expected) => {
    const token = { authorization: `Bearer ${plane.token}` };
    const cookie = { cookie: browser.cookie };
    const opens = async (headers: Record<string, string>) =>
      ![401, 404].includes(await rawStatus(path, headers));
    expect({
      token: await opens(token),
      cookie: await opens(cookie),
      both: await opens({ ...token, ...cookie }),
    }).toEqual({
      token: expected === 'token',
      cookie: expected === 'cookie',
      both: expected !== 'neither',
    });
  });

  it('does not double the routes of agents, mock endpoints and the documentation', async () => {
    for (const path of ['/v1/agents/renew', '/v1/agents/enroll', '/mock/ep_x', '/docs'])
      for (const method of ['GET', 'POST']) {
        const response = await browser.request(`/dashboard${path}`, { method });
        expect([path, response.status >= 404 && response.status <= 405]).toEqual([path, true]);
      }
  });
});

describe('roles', () => {
  inBoth.each(casesOf(byName(PROTECTED), FEW))('%s requires its role or a higher one', async (_, row) => {
    for (const role of ROLES) {
      const { status } = await (browsers.get(role) as Browser).request(inDashboard(row), optionsOf(row));
      expect([role, status === 403]).toEqual([role, !roleIncludes(role, row.role)]);
      expect([401, 405, 429, 500]).not.toContain(status);
    }
  });

  const SCOPED = PROTECTED.flatMap((row) => (row.scope === null ? [] : [{ ...row, scope: row.scope }]));

  inBoth.each(casesOf(byName(SCOPED), FEW))('%s requires its scope', async (_, row) => {
    const related = (scope: string) => scope === row.scope || scope === row.scope.replace(':read', ':write');
    const call = async (scopes: readonly (typeof SCOPES)[number][]) => {
      const narrowed = await signedIn(plane, (await plane.addToken({ scopes })).token);
      return narrowed.request(inDashboard(row), optionsOf(row));
    };
    expect((await call([row.scope])).status).not.toBe(403);
    const refused = await call(SCOPES.filter((scope) => !related(scope)));
    expect([refused.status, refused.text]).toEqual([403, expect.stringContaining(row.scope)]);
  });
});

describe('tenancy', () => {
  inBoth.each(casesOf(byName(ROWS.filter((row) => row.resource !== undefined)), 4))(
    '%s serves an id of the own organisation, and returns 404 for one of another',
    async (_, row) => {
      const orgId = await plane.addOrganization();
      const theirs = await signedIn(plane, (await plane.addToken({ orgId })).token);
      const ours: Owner = { orgId: plane.orgId, token: plane.token };
      const id = await sampleFor(plane, ours, row);
      expect((await theirs.request(inDashboard(row, id), optionsOf(row))).status).toBe(404);
      expect((await browser.request(inDashboard(row, id), optionsOf(row))).status).toBeLessThan(300);
    },
  );
});

describe('writes from other places', () => {
  const WRITES = [
    ...PROTECTED.filter(({ method }) => method !== 'GET').map((row) => [
      `${row.method} ${row.path}`,
      inDashboard(row),
      optionsOf(row),
    ]),
    ...(['acceptInvitation'] as const).map((id) => {
      const row = ROWS.find((one) => one.id === id) as Row;
      return [`${row.method} ${row.path}`, inDashboard(row), optionsOf(row)];
    }),
    ['POST /session', '/dashboard/session', { method: 'POST', body: { token: 'x' } }],
    ['POST /session/extend', '/dashboard/session/extend', { method: 'POST' }],
    ['DELETE /session', '/dashboard/session', { method: 'DELETE' }],
    ['DELETE /sessions', '/dashboard/sessions', { method: 'DELETE' }],
    ['DELETE /sessions/:id', '/dashboard/sessions/x', { method: 'DELETE' }],
    ['POST /sign-in-links', '/dashboard/sign-in-links', { method: 'POST', body: { member_id: 'x' } }],
  ] as [string, string, RequestOptions][];

  it.each(WRITES)('%s is refused if another site or no page sent it', async (_, path, options) => {
    const cookie = { cookie: browser.cookie };
    const places: Record<string, string>[] = [
      {},
      { 'sec-fetch-site': 'cross-site' },
      { 'sec-fetch-site': 'same-site' },
      { 'sec-fetch-site': 'none' },
      { 'sec-fetch-site': 'cross-site', origin: plane.url },
      { origin: 'https://evil.example' },
      { origin: 'null' },
    ];
    for (const headers of places) {
      const response = await plane.request(path, {
        ...options,
        token: null,
        headers: { ...cookie, ...headers },
      });
      expect([response.status, response.text]).toEqual([
        403,
        expect.stringContaining('Expected a request from a page of this dashboard.'),
      ]);
    }
    expect((await browser.request('/dashboard/session')).status).toBe(200);
  });

  it('is served if an older browser sends only its own origin', async () => {
    const headers = { cookie: browser.cookie, origin: plane.url };
    const response = await plane.request('/dashboard/session/extend', {
      method: 'POST',
      token: null,
      headers,
    });
    expect(response.status).toBe(200);
  });
});

describe('a call of the dashboard', () => {
  it('is recorded in the audit log as a change by the member', async () => {
    const member = await joinedMember(plane, { role: 'admin' });
    const theirs = await signedIn(plane, member.token);
    const made = await theirs.request('/dashboard/v1/tokens', {
      method: 'POST',
      body: { name: 'x', role: 'viewer' },
    });
    const [entry] = await auditEntries(plane, 'token.created');
    expect(entry).toMatchObject({
      actor_type: 'member',
      actor_id: member.id,
      target_id: dataOf(made)['id'],
      request_id: made.headers.get('x-request-id'),
    });
    const log = await theirs.request(`/dashboard/v1/audit-log?actor_id=${member.id}`);
    expect(log.text).toContain(String(dataOf(made)['id']));
  });

  it('cannot pass on more than the session may do', async () => {
    const { token } = await plane.addToken({ role: 'admin', scopes: ['tokens:write', 'org:write'] });
    const narrowed = await signedIn(plane, token);
    const create = (body: unknown) => narrowed.request('/dashboard/v1/tokens', { method: 'POST', body });
    expect((await create({ name: 'x', role: 'admin' })).status).toBe(403);
    expect((await create({ name: 'x', role: 'owner', scopes: ['org:read'] })).status).toBe(403);
    expect((await create({ name: 'narrow', role: 'admin', scopes: ['org:read'] })).status).toBe(201);
    const invited = await narrowed.request('/dashboard/v1/org/members', {
      method: 'POST',
      body: { email: 'narrowed@example.com', role: 'viewer' },
    });
    expect(dataOf(invited)['scopes']).toEqual(['tokens:write', 'org:write']);
  });

  it('gives a token that a member makes to this member', async () => {
    const member = await joinedMember(plane, { role: 'admin' });
    const theirs = await signedIn(plane, member.token);
    const made = await theirs.request('/dashboard/v1/tokens', {
      method: 'POST',
      body: { name: 'theirs', role: 'viewer' },
    });
    expect(dataOf(made)['member_id']).toBe(member.id);
  });

  it('with an Idempotency-Key takes effect once', async () => {
    const body = { name: 'once', role: 'viewer' };
    const create = (by: Browser) =>
      by.request('/dashboard/v1/tokens', { method: 'POST', body, headers: { 'idempotency-key': 'k1' } });
    const [first, second] = [await create(browser), await create(await signedIn(plane))];
    expect([dataOf(second)['id'], second.headers.get('idempotent-replayed')]).toEqual([
      dataOf(first)['id'],
      'true',
    ]);
    expect(second.headers.get('location')).toBe(first.headers.get('location'));
    expect(dataOf(second)).not.toHaveProperty('token');
  });

  it('uploads a model, and finds it with and without an encoded slash', async () => {
    const body = modelForm({ name: 'Uploaded', id: 'custom/in_browser' });
    const made = await browser.request('/dashboard/v1/models', { method: 'POST', body });
    expect([made.status, made.headers.get('location')]).toEqual([
      201,
      '/dashboard/v1/models/custom/in_browser',
    ]);
    for (const id of ['custom/in_browser', 'custom%2Fin_browser'])
      expect((await browser.request(`/dashboard/v1/models/${id}`)).status).toBe(200);
  });

  it('streams generated records as the API does', async () => {
    const body = { ...(sampleBody('generate') as object), count: 1_000, seed: 7, format: 'csv' };
    const options = { method: 'POST', body };
    const generated = await browser.request('/dashboard/v1/generate', options);
    const ofApi = await plane.request('/v1/generate', options);
    expect([generated.status, generated.text]).toEqual([200, ofApi.text]);
  });

  it('is kept out of shared caches, and other sites cannot read it', async () => {
    const response = await browser.request('/dashboard/v1/org', {
      headers: { origin: 'https://evil.example' },
    });
    expect(response.headers.get('cache-control')).toBe('private, no-cache');
    expect(response.headers.get('access-control-allow-origin')).toBeNull();
  });

  it('counts neither as an API call nor against the rate limit of the plan, but against quotas', async () => {
    const orgId = await plane.addOrganization('free');
    const { token } = await plane.addToken({ orgId });
    const theirs = await signedIn(plane, token);
    const month = new Date().toISOString().slice(0, 7);
    await plane.query(`INSERT INTO usage_counters VALUES ($1, 'api_calls', $2, 10000)`, [orgId, month]);
    expect((await plane.request('/v1/sync/jobs', { token })).status).toBe(402);
    for (let i = 0; i < 75; i++) expect((await theirs.request('/dashboard/v1/sync/jobs')).status).toBe(200);
    const created: number[] = [];
    for (let i = 0; i < 6; i++) {
      const options = { method: 'POST', body: sampleBody('createSyncJob') };
      created.push((await theirs.request('/dashboard/v1/sync/jobs', options)).status);
    }
    expect(created).toEqual([201, 201, 201, 201, 201, 402]);
    const org = dataOf(await theirs.request('/dashboard/v1/org'));
    expect(org).toMatchObject({ usage: { api_calls: { used: 10_000 } } });
  });
});
