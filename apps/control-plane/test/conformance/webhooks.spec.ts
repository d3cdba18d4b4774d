import { createHmac } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { waitFor } from '@understudy/testing';

import { SyncJobEventsService } from '../../src/jobs/sync-jobs/events/sync-job-events.service.js';
import { WorkLeasesService } from '../../src/agents/agent-work/leases/work-leases.service.js';
import { startControlPlane, type ControlPlane } from '../integration/harness/start-control-plane.js';
import { startReceiver, type Received, type Receiver } from '../integration/webhooks/webhook-receiver.js';
import { testOffer } from '../integration/harness/test-offer.js';

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
  const response = await plane.request(`/v1${path}`, { method: 'POST', body });
  return (response.body as unknown as { data: { id: string; secret: string } }).data;
};

// One job is cancelled before an agent leases it. Another job completes.
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
    .heartbeat(agentId, { version: '0.1.0', offer: testOffer(), freeSlots: 1, leases: [] });
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

it('[5/5, 6/10] Each webhook carries X-Service-Signature: HMAC-SHA256 in hex of the raw body, keyed with the secret', async () => {
  for (const { headers, raw } of receiver.received)
    expect(headers['x-service-signature']).toBe(createHmac('sha256', secret).update(raw).digest('hex'));
});

it('[1/11, 6/3, 6/4, 6/5] sync.started is sent when a job starts, sync.completed and sync.failed when it ends', async () => {
  expect(receiver.received.map(({ body }) => body.event).sort()).toEqual([
    'sync.completed',
    'sync.failed',
    'sync.started',
  ]);
});

it('[6/8] A payload is { event, timestamp, data }', async () => {
  for (const { body } of receiver.received)
    expect(body).toMatchObject({
      event: expect.any(String),
      timestamp: expect.stringMatching(/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/),
      data: expect.any(Object),
    });
});

it('[6/9] data of sync.completed is { job_id, name, rows_processed, duration_seconds }', async () => {
  expect(received('sync.completed').body.data).toEqual({
    job_id: completedId,
    name: 'nightly',
    rows_processed: 75,
    duration_seconds: 0,
  });
});

/** The constant-time comparison function of each language. */
const CONSTANT_TIME: Readonly<Record<string, RegExp>> = {
  js: /\btimingSafeEqual\(given, expected\)/,
  python: /\bhmac\.compare_digest\(expected\.encode\(\), signature\.encode\(\)\)/,
  php: /\bhash_equals\(\$expected, \$_SERVER\['HTTP_X_SERVICE_SIGNATURE'\] \?\? ''\)/,
  go: /\bhmac\.Equal\(\[\]byte\(expected\), \[\]byte\(signature\)\)/,
};
/** Matches `==`, `!=` and their strict forms with a digest on either side. Comparisons of lengths are allowed. */
const PLAIN_COMPARISON =
  /\$?\b(expected|given|signature)(?!\.length)\b[^\n&|;]*[!=]==?|[!=]==?\s*\$?(expected|given|signature)(?!\.length)\b/;

it('[5/6] The receivers of docs/guides/webhooks.md compare in constant time', () => {
  const page = readFileSync(join(__dirname, '../../../../docs/guides/webhooks.md'), 'utf8');
  const receivers = new Map(
    [...page.matchAll(/^```(js|python|php|go)\n([^]*?)^```$/gm)].map(([, language, text]) => [
      language,
      text,
    ]),
  );
  expect([...receivers.keys()]).toEqual(Object.keys(CONSTANT_TIME));
  for (const [language, text] of receivers) {
    expect(text).toMatch(CONSTANT_TIME[String(language)] as RegExp);
    expect([language, text]).not.toEqual([language, expect.stringMatching(PLAIN_COMPARISON)]);
  }
});
