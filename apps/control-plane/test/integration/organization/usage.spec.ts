import { startTestServices, type TestServices, waitFor } from '@understudy/testing';

import { ADD_CALLS } from '../../../src/accounts/usage/usage.sql.js';
import { startControlPlane, type ControlPlane } from '../harness/start-control-plane.js';

const JOB = {
  name: 'counted',
  source: { type: 'postgresql', connection_string: 'agent:a' },
  target: { type: 'postgresql', connection_string: 'agent:b' },
  tables: [{ name: 'customers' }],
};
const MONTH = new Date().toISOString().slice(0, 7);

interface Usage {
  readonly sync_jobs: { used: number; limit: number };
  readonly api_calls: { used: number; limit: number };
}

let services: TestServices;
let plane: ControlPlane;
let peer: { readonly url: string; stop(): Promise<void> };
beforeAll(async () => {
  services = await startTestServices(); // a test pauses Redis
  plane = await startControlPlane(
    {
      usage: { flushMs: 100 },
      planLimits: { starter: { api_calls: 20, requests_per_minute: 10_000 } },
    },
    services,
  );
  peer = await plane.startPeer();
});
afterAll(async () => {
  await peer?.stop();
  await plane?.stop();
});

async function organization(plan: 'free' | 'starter' | 'team' | 'business') {
  const orgId = await plane.addOrganization(plan);
  const { token } = await plane.addToken({ orgId });
  const usage = async () => {
    const { body } = await plane.request('/v1/org', { token });
    return (body as unknown as { data: { usage: Usage } }).data.usage;
  };
  const setUsed = (metric: string, used: number, period = MONTH) =>
    plane.query(
      `INSERT INTO usage_counters VALUES ($1, $2, $3, $4)
       ON CONFLICT (organization_id, metric, period) DO UPDATE SET used = EXCLUDED.used`,
      [orgId, metric, period, used],
    );
  const post = (at?: string) =>
    plane.request('/v1/sync/jobs', { method: 'POST', token, body: JOB, ...(at ? { at } : {}) });
  /** Returns the count in the database, because GET /v1/org would count itself. */
  const countedCalls = async () => {
    const [row] = await plane.query(
      `SELECT used::int FROM usage_counters WHERE organization_id = $1 AND metric = 'api_calls' AND period = $2`,
      [orgId, MONTH],
    );
    return Number(row?.['used'] ?? 0);
  };
  return { orgId, token, usage, setUsed, post, countedCalls };
}

const QUOTA_EXCEEDED = { error: expect.objectContaining({ code: 'quota_exceeded' }) };

describe('GET /v1/org', () => {
  it('returns the six fields of the reference and warnings', async () => {
    const { orgId, token } = await organization('team');
    await plane.request('/v1/org/members', {
      method: 'POST',
      token,
      body: { email: 'ada@example.com', role: 'viewer' },
    });
    const { body } = await plane.request('/v1/org', { token });
    const { data } = body as unknown as { data: { billing_cycle_end: string } };
    expect(data).toEqual({
      id: orgId,
      name: orgId,
      plan: 'team',
      members: 1,
      usage: {
        sync_jobs: { used: 0, limit: 500 },
        endpoints: { used: 0, limit: 50 },
        snapshots: { used: 0, limit: 50 },
        api_calls: { used: expect.any(Number), limit: 1_000_000 },
      },
      billing_cycle_end: expect.stringMatching(/^\d{4}-\d{2}-01T00:00:00\.000Z$/),
      warnings: [],
    });
    const end = new Date(data.billing_cycle_end);
    expect(new Date(end.getTime() - 1).toISOString().slice(0, 7)).toBe(MONTH);
  });
});

describe('the quota of sync jobs', () => {
  it('[7/11] admits exactly one of a hundred parallel requests if one job remains', async () => {
    const org = await organization('team');
    await org.setUsed('sync_jobs', 499);
    const responses = await Promise.all(
      Array.from({ length: 100 }, (_, i) => org.post(i % 2 === 0 ? peer.url : undefined)),
    );
    expect(responses.map(({ status }) => status).sort()).toEqual([201, ...Array(99).fill(402)]);
    expect(responses.find(({ status }) => status === 402)?.body).toMatchObject(QUOTA_EXCEEDED);
    expect((await org.usage()).sync_jobs).toEqual({ used: 500, limit: 500 });
    const jobs = await plane.query('SELECT count(*)::int AS n FROM sync_jobs WHERE organization_id = $1', [
      org.orgId,
    ]);
    expect(jobs).toEqual([{ n: 1 }]);
  });

  it('counts only accepted jobs, and keeps the count if a job fails or is deleted', async () => {
    const org = await organization('free');
    for (let i = 0; i < 5; i++) expect((await org.post()).status).toBe(201);
    const refused = await plane.request('/v1/sync/jobs', { method: 'POST', token: org.token, body: {} });
    expect(refused.status).toBe(422);
    await plane.query(
      `UPDATE sync_jobs SET status = 'failed', completed_at = now(), error_code = 'internal' WHERE organization_id = $1`,
      [org.orgId],
    );
    expect((await org.post()).status).toBe(402);
    expect((await org.usage()).sync_jobs).toEqual({ used: 5, limit: 5 });
  });

  it('does not count dry runs', async () => {
    const org = await organization('free');
    await org.setUsed('sync_jobs', 5);
    const body = { ...JOB, dry_run: true };
    const response = await plane.request('/v1/sync/jobs', { method: 'POST', token: org.token, body });
    expect(response.status).toBe(201);
    expect((await org.post()).status).toBe(402);
    expect((await org.usage()).sync_jobs).toEqual({ used: 5, limit: 5 });
  });

  it('is unused again at the start of a month', async () => {
    const org = await organization('free');
    await org.setUsed('sync_jobs', 5, '2020-01');
    expect((await org.post()).status).toBe(201);
    expect((await org.usage()).sync_jobs.used).toBe(1);
  });

  it('follows the current plan', async () => {
    const org = await organization('free');
    await org.setUsed('sync_jobs', 5);
    expect((await org.post()).status).toBe(402);
    await plane.query(`UPDATE organizations SET plan = 'team' WHERE id = $1`, [org.orgId]);
    expect((await org.post()).status).toBe(201);
  });
});

describe('API calls', () => {
  it('are counted exactly on two servers, even without Redis', async () => {
    const org = await organization('business');
    const pid = services.pids.redis ?? 0;
    process.kill(pid, 'SIGSTOP');
    try {
      const calls = Array.from({ length: 60 }, (_, i) =>
        plane.request('/v1/sync/jobs', { token: org.token, ...(i % 2 === 0 ? { at: peer.url } : {}) }),
      );
      expect((await Promise.all(calls)).every(({ status }) => status === 200)).toBe(true);
      await waitFor('all calls in the count', async () => (await org.countedCalls()) >= 60);
    } finally {
      process.kill(pid, 'SIGCONT');
    }
    expect(await org.countedCalls()).toBe(60);
  });

  it('[0/6, 1/3] include only successful requests, and never /generate', async () => {
    const org = await organization('business');
    const { token } = org;
    const generate = {
      schema: { generators: { id: { type: 'svc', algorithm: 'uuid_v4' } }, output: ['id'] },
      count: 1,
    };
    expect((await plane.request('/v1/generate', { method: 'POST', token, body: generate })).status).toBe(200);
    const viewer = await plane.addToken({ orgId: org.orgId, role: 'viewer' });
    expect((await plane.request('/v1/tokens', { token: viewer.token })).status).toBe(403);
    expect((await plane.request('/v1/nothing', { token })).status).toBe(404);
    expect((await plane.request('/v1/sync/jobs', { token, method: 'PUT' })).status).toBe(405);
    expect((await plane.request('/v1/sync/jobs', { token, method: 'POST', body: {} })).status).toBe(422);
    expect((await plane.request('/v1/sync/jobs', { token })).status).toBe(200);
    // The calls of another organisation are counted later. When these are written, all earlier ones are too.
    const later = await organization('business');
    await plane.request('/v1/sync/jobs', { token: later.token });
    await waitFor('the later call in the count', async () => (await later.countedCalls()) === 1);
    expect(await org.countedCalls()).toBe(2);
  });

  it('cause 402 above the quota, except for requests that are needed to read and raise it', async () => {
    const org = await organization('starter');
    const { token } = org;
    const list = async () => (await plane.request('/v1/sync/jobs', { token })).status;
    const seen: number[] = [];
    await waitFor('a used-up quota', async () => {
      seen.push(await list());
      return seen.at(-1) === 402;
    });
    // At least as many calls as the quota succeed. A batch that is being written may admit some more.
    const served = seen.filter((status) => status === 200).length;
    expect(served).toBeGreaterThanOrEqual(20);
    await waitFor('all calls in the count', async () => (await org.countedCalls()) === served);
    const refused = await plane.request('/v1/sync/jobs', { token });
    expect(refused.body).toMatchObject(QUOTA_EXCEEDED);
    expect((await plane.request('/v1/org', { token })).status).toBe(200);
    expect((await plane.request('/v1/tokens', { token })).status).toBe(200);
  });

  it('are written to the database at shutdown', async () => {
    const org = await organization('business');
    const leaving = await plane.startPeer();
    await plane.request('/v1/sync/jobs', { token: org.token, at: leaving.url });
    await leaving.stop();
    expect(await org.countedCalls()).toBe(1);
  });

  it("count once if the result of a batch's commit is lost", async () => {
    const org = await organization('business');
    const batch = ['writer', 1, [org.orgId, 'org_unknown'], [MONTH, MONTH], [3, 1]];
    await plane.query(ADD_CALLS, batch);
    await plane.query(ADD_CALLS, batch);
    expect(await org.countedCalls()).toBe(3);
    await plane.query(ADD_CALLS, ['writer', 2, ...batch.slice(2)]);
    expect(await org.countedCalls()).toBe(6);
  });
});

describe('a change of plan', () => {
  const change = (token: string, plan: unknown) =>
    plane.request('/v1/org', { method: 'PATCH', token, body: { plan } });

  it('by an owner applies from the next request on and is in the audit log', async () => {
    const org = await organization('free');
    await org.setUsed('sync_jobs', 5);
    expect((await org.post()).status).toBe(402);
    const changed = await change(org.token, 'team');
    expect([changed.status, changed.body]).toMatchObject([
      200,
      { data: { id: org.orgId, plan: 'team', usage: { sync_jobs: { used: 5, limit: 500 } } } },
    ]);
    const job = await org.post();
    expect([job.status, job.headers.get('x-ratelimit-limit')]).toEqual([201, '1000']);
    const log = await plane.request('/v1/audit-log?action=organization.plan_changed', { token: org.token });
    expect(log.body).toMatchObject({
      data: {
        total: 1,
        entries: [{ target: { type: 'organization', id: org.orgId }, details: { from: 'free', to: 'team' } }],
      },
    });
  });

  it('to a smaller plan keeps existing resources and refuses new ones', async () => {
    const org = await organization('team');
    await org.setUsed('sync_jobs', 6);
    expect((await change(org.token, 'free')).status).toBe(200);
    expect((await org.usage()).sync_jobs).toEqual({ used: 6, limit: 5 });
    const refused = await org.post();
    expect([refused.status, refused.body]).toMatchObject([402, QUOTA_EXCEEDED]);
  });

  it('to the current plan is not recorded', async () => {
    const org = await organization('team');
    expect((await change(org.token, 'team')).status).toBe(200);
    const log = await plane.request('/v1/audit-log?action=organization.plan_changed', { token: org.token });
    expect(log.body).toMatchObject({ data: { total: 0 } });
  });

  it('requires an owner and an existing plan', async () => {
    const { orgId, token } = await organization('free');
    const admin = await plane.addToken({ orgId, role: 'admin' });
    expect((await change(admin.token, 'business')).status).toBe(403);
    for (const wrong of ['gold', null, 5, undefined]) expect((await change(token, wrong)).status).toBe(422);
    expect(await plane.query('SELECT plan FROM organizations WHERE id = $1', [orgId])).toEqual([
      { plan: 'free' },
    ]);
  });
});
