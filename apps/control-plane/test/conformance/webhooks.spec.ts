import { createHmac } from 'node:crypto';

import { waitFor } from '@understudy/testing';

import { SyncJobEventsService } from '../../src/sync-jobs/sync-job-events.service.js';
import { WorkLeasesService } from '../../src/agent-work/work-leases.service.js';
import { startControlPlane, type ControlPlane } from '../integration/start-control-plane.js';
import { startReceiver, type Received, type Receiver } from '../integration/webhook-receiver.js';
import { requirement } from './requirement.js';

const JOB = {
  name: 'nightly',
  source: { type: 'postgresql', connection_string: 'agent:a' },
  target: { type: 'postgresql', connection_string: 'agent:b' },
  tables: [{ name: 'customers' }],
};

let plane: ControlPlane;
let receiver: Receiver;
let secret: string;
let completedId: string;
const received = (event: string): Received => {
  const found = receiver.received.find(({ body }) => body.event === event);
  if (found === undefined) throw new Error(`${event} was not sent`);
  return found;
};

const post = async (path: string, body: unknown): Promise<{ id: string; secret: string }> => {
  const answer = await plane.request(`/v1${path}`, { method: 'POST', body });
  return (answer.body as unknown as { data: { id: string; secret: string } }).data;
};

// One job is cancelled while nobody holds it, another one completes.
beforeAll(async () => {
  plane = await startControlPlane({
    syncJobs: { reconcileMs: 200 },
    webhooks: { allowedNetworks: ['127.0.0.1'], sweepMs: 200 },
  });
  receiver = await startReceiver();
  const events = ['sync.started', 'sync.completed', 'sync.failed', 'snapshot.created', 'snapshot.restored'];
  ({ secret } = await post('/webhooks', { url: receiver.url, events }));
  const { id } = await post('/sync/jobs', JOB);
  await plane.request(`/v1/sync/jobs/${id}`, { method: 'DELETE' });
  const agentId = await plane.addAgent();
  ({ id: completedId } = await post('/sync/jobs', JOB));
  await plane.app
    .get(WorkLeasesService, { strict: false })
    .heartbeat(agentId, { version: '0.1.0', freeSlots: 1, leases: [] });
  await waitFor('the lease', async () => {
    const [row] = await plane.query('SELECT FROM sync_jobs WHERE id = $1 AND agent_id IS NOT NULL', [
      completedId,
    ]);
    return row !== undefined;
  });
  const report = { jobId: completedId, epoch: 1, occurredAt: new Date() };
  const completed = {
    type: 'completed',
    durationMs: 5,
    warnings: [],
    tables: [
      {
        tableIndex: 0,
        rowsProcessed: 75,
        rowsTotal: 75,
        bytesProcessed: 9,
        bytesTotal: 9,
        state: 'completed',
      },
    ],
    phases: [],
  } as const;
  const reports = plane.app.get(SyncJobEventsService, { strict: false });
  await reports.apply({ ...report, seq: 1, body: { type: 'started' } }, agentId);
  await reports.apply({ ...report, seq: 2, body: completed }, agentId);
  await receiver.until(3);
});
afterAll(async () => {
  await receiver?.stop();
  await plane?.stop();
});

requirement('5.5', async () => {
  for (const { headers, raw } of receiver.received)
    expect(headers['x-service-signature']).toBe(createHmac('sha256', secret).update(raw).digest('hex'));
});

requirement('6.1', async () => {
  expect(receiver.received.map(({ body }) => body.event).sort()).toEqual([
    'sync.completed',
    'sync.failed',
    'sync.started',
  ]);
});

requirement('6.2', async () => {
  for (const { body } of receiver.received)
    expect(body).toMatchObject({
      event: expect.any(String),
      timestamp: expect.stringMatching(/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/),
      data: expect.any(Object),
    });
});

requirement('6.3', async () => {
  expect(received('sync.completed').body.data).toEqual({
    job_id: completedId,
    name: 'nightly',
    rows_processed: 75,
    duration_seconds: 0,
  });
});
