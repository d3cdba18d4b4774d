import type { SyncJobEvent } from '@understudy/agent-protocol';
import { waitFor } from '@understudy/testing';

import { SyncJobEventsService } from '../../../src/jobs/sync-jobs/events/sync-job-events.service.js';
import { WorkLeasesService } from '../../../src/agents/agent-work/leases/work-leases.service.js';
import { startControlPlane, type ControlPlane } from '../harness/start-control-plane.js';
import { testOffer } from '../harness/test-offer.js';

const SECRET = 'canary-of-the-url';
const URL_OF_JOB = `postgresql://user:${SECRET}@db.example:5432/shop`;

let plane: ControlPlane;
let events: SyncJobEventsService;
let leases: WorkLeasesService;

beforeAll(async () => {
  plane = await startControlPlane({ syncJobs: { reconcileMs: 200 } });
  events = plane.app.get(SyncJobEventsService, { strict: false });
  leases = plane.app.get(WorkLeasesService, { strict: false });
});
afterAll(() => plane?.stop());

/**
 * Creates an organisation with one agent, whose heartbeats a test sends, and a job whose URLs are sealed to
 * the agent.
 */
async function organization() {
  const orgId = await plane.addOrganization();
  const { token } = await plane.addToken({ orgId });
  const agentId = await plane.addAgent({ orgId });
  const body = {
    name: 'unwanted',
    source: { type: 'postgresql', connection_string: URL_OF_JOB },
    target: { type: 'postgresql', connection_string: 'agent:staging' },
    tables: [{ name: 'customers' }],
  };
  const posted = await plane.request('/v1/sync/jobs', { method: 'POST', body, token });
  const { id } = (posted.body as unknown as { data: { id: string } }).data;
  const beat = () =>
    leases.heartbeat(agentId, {
      version: '0.1.0',
      offer: testOffer(),
      freeSlots: 1,
      leases: [{ jobId: id, epoch: 1 }],
    });
  return {
    id,
    agentId,
    beat,
    remove: () => plane.request(`/v1/sync/jobs/${id}`, { method: 'DELETE', token }),
    get: () => plane.request(`/v1/sync/jobs/${id}`, { token }),
    list: () => plane.request('/v1/sync/jobs', { token }),
    leased: async () => {
      await beat();
      await waitFor('the lease of the job', async () => {
        const [row] = await plane.query('SELECT lease_expires_at FROM sync_jobs WHERE id = $1', [id]);
        return row?.['lease_expires_at'] !== null;
      });
    },
    report: (seq: number, reported: SyncJobEvent['body']) =>
      events.apply({ jobId: id, epoch: 1, seq, occurredAt: new Date(), body: reported }, agentId),
    actions: async () => {
      const rows = await plane.query('SELECT action FROM audit_entries WHERE target_id = $1 ORDER BY id', [
        id,
      ]);
      return rows.map(({ action }) => action);
    },
    sealed: async () => {
      const [row] = await plane.query('SELECT source::text AS source FROM sync_jobs WHERE id = $1', [id]);
      return String(row?.['source']);
    },
  };
}

const CANCELLED = { status: 'failed', error: { code: 'cancelled', message: expect.any(String) } };
const ERASED = '{"kind": "sealed", "by_agent": {}}';
const COMPLETED = {
  type: 'completed',
  durationMs: 5,
  warnings: [],
  tables: [
    { tableIndex: 0, rowsProcessed: 3, rowsTotal: 3, bytesProcessed: 9, bytesTotal: 9, state: 'completed' },
  ],
  phases: [],
} as const;

describe('DELETE of a job that no agent has', () => {
  it('ends the job immediately', async () => {
    const job = await organization();
    const response = await job.remove();
    expect([response.status, response.body]).toMatchObject([
      202,
      { data: { id: job.id, status: 'failed', cancelled: true, deleted: false } },
    ]);
    expect((await job.get()).body).toMatchObject({ data: { ...CANCELLED, warnings: [], started_at: null } });
    expect(await job.sealed()).toBe(ERASED);
    await job.beat(); // the cancelled job is not leased
    expect((await job.get()).body).toMatchObject({ data: { agent_id: null, attempts: 0 } });
  });

  it('cancels once and deletes once if it is sent ten times in parallel', async () => {
    const job = await organization();
    const responses = await Promise.all(Array.from({ length: 10 }, () => job.remove()));
    expect(responses.map(({ status }) => status).sort()).toEqual([200, 202, ...Array<number>(8).fill(404)]);
    expect(await job.actions()).toEqual(['sync_job.created', 'sync_job.cancelled', 'sync_job.deleted']);
  });
});

describe('DELETE of a job that an agent has', () => {
  it('is reported to the agent with each heartbeat until the agent has reported the end', async () => {
    const job = await organization();
    await job.leased();
    await job.report(1, { type: 'started' });
    expect((await job.beat()).cancelledLeases).toEqual([]);
    for (let i = 0; i < 2; i++) {
      const response = await job.remove();
      expect([response.status, response.body]).toMatchObject([
        202,
        { data: { id: job.id, status: 'running', cancelled: true, deleted: false } },
      ]);
    }
    expect((await job.list()).body).toMatchObject({
      data: { jobs: [{ status: 'running', cancel_requested_at: expect.any(String) }] },
    });
    for (let i = 0; i < 2; i++)
      expect(await job.beat()).toMatchObject({
        lostLeases: [],
        cancelledLeases: [{ jobId: job.id, epoch: 1 }],
      });
    expect((await job.get()).body).toMatchObject({ data: { status: 'running', error: null } });
    await job.report(2, { type: 'failed', failure: { code: 'cancelled' } });
    expect((await job.get()).body).toMatchObject({ data: CANCELLED });
    expect(await job.sealed()).toBe(ERASED);
    expect(await job.actions()).toEqual(['sync_job.created', 'sync_job.cancelled']);
  });

  it.each(['agent_restarted', 'connection_lost', 'table_not_found'])(
    'ends the job as cancelled and starts no retry if the agent reports %s',
    async (code) => {
      const job = await organization();
      await job.leased();
      await job.report(1, { type: 'started' });
      await job.remove();
      await job.report(2, { type: 'failed', failure: { code } });
      expect((await job.get()).body).toMatchObject({ data: { ...CANCELLED, attempts: 1 } });
    },
  );

  it('leaves the job completed if its rows were already committed', async () => {
    const job = await organization();
    await job.leased();
    await job.report(1, { type: 'started' });
    expect((await job.remove()).status).toBe(202);
    await job.report(2, COMPLETED);
    expect((await job.get()).body).toMatchObject({
      data: { status: 'completed', rows_processed: 3, error: null },
    });
  });

  it('ends the job with its lease if the agent does not return', async () => {
    const job = await organization();
    await job.leased();
    await job.remove();
    await plane.query(`UPDATE sync_jobs SET lease_expires_at = now() - interval '1 second' WHERE id = $1`, [
      job.id,
    ]);
    expect(await leases.reclaimExpired()).not.toContain(job.id);
    expect((await job.get()).body).toMatchObject({ data: CANCELLED });
    expect((await job.beat()).lostLeases).toEqual([{ jobId: job.id, epoch: 1 }]);
  });
});

describe('DELETE of a job that has ended', () => {
  it('deletes the job, which then returns 404, and ignores later events of its agent', async () => {
    const job = await organization();
    await job.leased();
    expect(await job.sealed()).toContain('ciphertext');
    await job.report(1, COMPLETED);
    expect(await job.sealed()).toBe(ERASED);
    expect((await job.get()).body).toMatchObject({ data: { source: URL_OF_JOB.replace(SECRET, '***') } });
    const response = await job.remove();
    expect([response.status, response.body]).toMatchObject([200, { data: {} }]);
    expect((response.body as unknown as { data: object }).data).toEqual({
      id: job.id,
      deleted: true,
      cancelled: false,
    });
    expect([(await job.get()).status, (await job.remove()).status]).toEqual([404, 404]);
    expect((await job.list()).body).toMatchObject({ data: { jobs: [], total: 0 } });
    expect(await job.report(2, COMPLETED)).toBe('stale');
    expect(await job.actions()).toEqual(['sync_job.created', 'sync_job.deleted']);
  });
});
