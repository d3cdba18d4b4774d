import { waitFor } from '@understudy/testing';

import { startControlPlane, type ControlPlane } from '../harness/start-control-plane.js';

const JOB = {
  name: 'nightly',
  source: { type: 'postgresql', connection_string: 'agent:a' },
  target: { type: 'postgresql', connection_string: 'agent:b' },
  tables: [{ name: 'customers' }],
};

let plane: ControlPlane;
beforeAll(async () => {
  plane = await startControlPlane({ syncJobs: { reconcileMs: 200, relayMs: 200 } });
});
afterAll(() => plane?.stop());

const signal = (service: 'redis' | 'postgres' | 'nats', name: NodeJS.Signals) => {
  const pid = plane.services.pids[service];
  if (pid !== undefined) process.kill(pid, name);
};
const post = () => plane.request('/v1/sync/jobs', { method: 'POST', body: JOB });

// In this order: each test takes something away, the last two for good.
describe('while something is away', () => {
  it('Redis: jobs are accepted, readiness says so, and the work goes on when it is back', async () => {
    const agentId = await plane.addAgent();
    signal('redis', 'SIGSTOP');
    let id: string;
    try {
      const answer = await post();
      expect(answer.status).toBe(201);
      id = (answer.body as unknown as { data: { id: string } }).data.id;
      const ready = await plane.request('/readyz', { token: null });
      expect(ready.status).toBe(503);
      expect(ready.body).toMatchObject({
        status: 'away',
        services: { redis: 'away', postgres: 'ok' },
      });
      expect((await plane.request('/metrics', { token: null, at: plane.opsUrl })).status).toBe(200);
    } finally {
      signal('redis', 'SIGCONT');
    }
    await plane.query('UPDATE agents SET last_seen_at = now(), free_slots = 1 WHERE id = $1', [agentId]);
    await waitFor('the job to be given away', async () => {
      const { body } = await plane.request(`/v1/sync/jobs/${id}`);
      return (body as unknown as { data: { agent_id: string | null } }).data.agent_id === agentId;
    });
  });

  it('a table: 500 without a word of SQL', async () => {
    await plane.query('ALTER TABLE sync_jobs RENAME TO sync_jobs_away');
    const answer = await plane.request('/v1/sync/jobs');
    await plane.query('ALTER TABLE sync_jobs_away RENAME TO sync_jobs');
    expect(answer.status).toBe(500);
    expect(answer.body).toMatchObject({
      error: { code: 'internal_error', message: 'Something went wrong on our side.' },
    });
    expect(answer.text).not.toMatch(/sync_jobs|relation|SELECT/i);
  });

  it('NATS: readiness names it alone, and jobs are accepted', async () => {
    signal('nats', 'SIGKILL');
    const ready = await waitFor('the loss to be noticed', async () => {
      const last = await plane.request('/readyz', { token: null });
      return last.status === 503 && last;
    });
    expect(ready.body).toMatchObject({ services: { nats: 'away', redis: 'ok', postgres: 'ok' } });
    expect((await post()).status).toBe(201);
  });

  it('Postgres: 503 with Retry-After, and the process lives', async () => {
    signal('postgres', 'SIGQUIT');
    const answer = await waitFor('the database to be gone', async () => {
      const last = await post();
      return last.status !== 201 && last;
    });
    expect(answer.status).toBe(503);
    expect(answer.body).toMatchObject({ error: { code: 'unavailable' } });
    expect(answer.headers.get('retry-after')).toBe('2');
    expect((await plane.request('/healthz', { token: null })).status).toBe(200);
    await waitFor('the next check of readiness', async () => {
      const { status, body } = await plane.request('/readyz', { token: null });
      const { services } = body as unknown as { services: Record<string, string> };
      return status === 503 && services['postgres'] === 'away' && services['redis'] === 'ok';
    });
    const report = await plane.request('/readyz', { token: null, at: plane.opsUrl });
    expect([report.status, report.body]).toMatchObject([
      503,
      { status: 'away', services: { postgres: { state: 'away' } }, agents_live: null, outbox: null },
    ]);
  });
});
