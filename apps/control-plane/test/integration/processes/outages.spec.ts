import { startTestServices, type TestServices, waitFor } from '@understudy/testing';

import { OPS_PASSWORD, startControlPlane, type ControlPlane } from '../harness/start-control-plane.js';

const JOB = {
  name: 'nightly',
  source: { type: 'postgresql', connection_string: 'agent:a' },
  target: { type: 'postgresql', connection_string: 'agent:b' },
  tables: [{ name: 'customers' }],
};

let services: TestServices;
let plane: ControlPlane;
beforeAll(async () => {
  services = await startTestServices(); // tests pause each of them
  plane = await startControlPlane({ syncJobs: { reconcileMs: 200, relayMs: 200 } }, services);
});
afterAll(() => plane?.stop());

const signal = (service: 'redis' | 'postgres' | 'nats', name: NodeJS.Signals) => {
  const pid = services.pids[service];
  if (pid !== undefined) process.kill(pid, name);
};
const post = () => plane.request('/v1/sync/jobs', { method: 'POST', body: JOB });

// The order matters: each test stops a service, and the last two do not restart it.
describe('an outage', () => {
  it('of Redis is reported as not ready, and accepted jobs run afterwards', async () => {
    const agentId = await plane.addAgent();
    signal('redis', 'SIGSTOP');
    let id: string;
    try {
      const response = await post();
      expect(response.status).toBe(201);
      id = (response.body as unknown as { data: { id: string } }).data.id;
      const ready = await plane.request('/readyz', { token: null });
      expect(ready.status).toBe(503);
      expect(ready.body).toMatchObject({
        status: 'away',
        services: { redis: 'away', postgres: 'ok' },
      });
      expect((await plane.request('/metrics', { token: null, at: plane.opsUrl })).status).toBe(200);
      expect((await plane.request('/readyz', { token: null, at: plane.opsUrl })).body).toMatchObject({
        services: {
          redis: {
            reason: expect.stringMatching(
              /^cannot reach 127\.0\.0\.1:\d+: the server accepts connections, but/,
            ),
          },
        },
      });
      const headers = { authorization: `Basic ${btoa(`ops:${OPS_PASSWORD}`)}` };
      for (const path of ['/ops/ended-work', '/ops/api/queues?activeQueue=work&page=1&jobsPerPage=10']) {
        const page = await plane.request(path, { token: null, at: plane.opsUrl, headers });
        const error = { code: 'unavailable', message: expect.stringContaining('Redis') };
        expect([page.status, page.body, page.headers.get('retry-after')]).toMatchObject([
          503,
          { error },
          '2',
        ]);
      }
    } finally {
      signal('redis', 'SIGCONT');
    }
    await plane.query('UPDATE agents SET last_seen_at = now(), free_slots = 1 WHERE id = $1', [agentId]);
    await waitFor('the lease of the job', async () => {
      const { body } = await plane.request(`/v1/sync/jobs/${id}`);
      return (body as unknown as { data: { agent_id: string | null } }).data.agent_id === agentId;
    });
  });

  it('[7/8] that makes a table unavailable causes a 500 response without SQL', async () => {
    await plane.query('ALTER TABLE sync_jobs RENAME TO sync_jobs_away');
    const response = await plane.request('/v1/sync/jobs');
    await plane.query('ALTER TABLE sync_jobs_away RENAME TO sync_jobs');
    expect(response.status).toBe(500);
    expect(response.body).toMatchObject({
      error: { code: 'internal_error', message: 'Something went wrong on our side.' },
    });
    expect(response.text).not.toMatch(/sync_jobs|relation|SELECT/i);
  });

  it('of NATS is reported as not ready, and jobs are still accepted', async () => {
    signal('nats', 'SIGKILL');
    const ready = await waitFor('the report of the outage', async () => {
      const last = await plane.request('/readyz', { token: null });
      return last.status === 503 && last;
    });
    expect(ready.body).toMatchObject({ services: { nats: 'away', redis: 'ok', postgres: 'ok' } });
    expect((await post()).status).toBe(201);
    const report = await waitFor('the reason of the outage', async () => {
      const { body } = await plane.request('/readyz', { token: null, at: plane.opsUrl });
      const { nats } = (body as unknown as { services: { nats: { reason?: string } } }).services;
      return nats.reason !== undefined && nats;
    });
    expect(report).toMatchObject({
      state: 'away',
      reason: expect.stringMatching(
        /^cannot reach 127\.0\.0\.1:\d+: the connection was refused; check the port/,
      ),
    });
    expect((await plane.request('/readyz', { token: null })).text).not.toContain('cannot reach');
  });

  it('of PostgreSQL causes 503 with Retry-After, and the process keeps running', async () => {
    signal('postgres', 'SIGQUIT');
    const response = await waitFor('a refused request', async () => {
      const last = await post();
      return last.status !== 201 && last;
    });
    expect(response.status).toBe(503);
    expect(response.body).toMatchObject({ error: { code: 'unavailable' } });
    expect(response.headers.get('retry-after')).toBe('2');
    expect((await plane.request('/healthz', { token: null })).status).toBe(200);
    await waitFor('the next readiness check', async () => {
      const { status, body } = await plane.request('/readyz', { token: null });
      const { services } = body as unknown as { services: Record<string, string> };
      return status === 503 && services['postgres'] === 'away' && services['redis'] === 'ok';
    });
    const report = await plane.request('/readyz', { token: null, at: plane.opsUrl });
    expect([report.status, report.body]).toMatchObject([
      503,
      {
        status: 'away',
        services: {
          postgres: {
            state: 'away',
            reason: expect.stringMatching(/^cannot reach 127\.0\.0\.1:\d+: the connection was refused/),
          },
        },
        agents_live: null,
        outbox: null,
      },
    ]);
    expect((await plane.request('/readyz', { token: null })).text).not.toContain('cannot reach');
  });
});
