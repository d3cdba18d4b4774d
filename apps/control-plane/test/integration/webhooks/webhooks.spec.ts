import type { SyncJobEvent } from '@understudy/agent-protocol';
import { waitFor } from '@understudy/testing';
import { Redis } from 'ioredis';

import { SyncJobEventsService } from '../../../src/jobs/sync-jobs/events/sync-job-events.service.js';
import { WorkLeasesService } from '../../../src/agents/agent-work/leases/work-leases.service.js';
import {
  ALL_BUT_DATE,
  OPS_PASSWORD,
  startControlPlane,
  type ControlPlane,
} from '../harness/start-control-plane.js';
import { expectedSignature, startReceiver, type Receiver } from './webhook-receiver.js';
import { testOffer } from '../harness/test-offer.js';

const ALL = ['sync.started', 'sync.completed', 'sync.failed', 'snapshot.created', 'snapshot.restored'];
const JOB = {
  name: 'nightly',
  source: { type: 'postgresql', connection_string: 'agent:a' },
  target: { type: 'postgresql', connection_string: 'agent:b' },
  tables: [{ name: 'customers' }],
};

interface Webhook {
  readonly id: string;
  readonly secret: string;
  readonly status: string;
  readonly failing_since: string | null;
}
interface Delivery {
  readonly id: string;
  readonly event_id: string;
  readonly event: string;
  readonly status: string;
  readonly attempts: number;
  readonly tries: { status_code: number | null; error: string | null }[];
  readonly next_attempt_at: string | null;
  readonly resend_of: string | null;
}

let plane: ControlPlane;
const receivers: Receiver[] = [];
beforeAll(async () => {
  plane = await startControlPlane({
    syncJobs: { reconcileMs: 200 },
    webhooks: { allowedNetworks: ['127.0.0.0/8'], sweepMs: 200, timeoutMs: 60_000, maxPerOrganization: 4 },
  });
});
afterEach(async () => {
  for (const receiver of receivers.splice(0)) await receiver.stop();
});
afterAll(() => plane?.stop());

/** Creates an organisation with a receiver, a webhook for all events, and an agent. */
async function organization(events: readonly string[] = ALL) {
  const orgId = await plane.addOrganization();
  const { token } = await plane.addToken({ orgId });
  const agentId = await plane.addAgent({ orgId });
  const receiver = await startReceiver();
  receivers.push(receiver);
  const ask = async <T>(
    method: string,
    path: string,
    body?: unknown,
    status = method === 'POST' ? 201 : 200,
  ) => {
    const answer = await plane.request(`/v1${path}`, {
      method,
      token,
      ...(body === undefined ? {} : { body }),
    });
    expect([answer.status, answer.text]).toEqual([status, expect.anything()]);
    return (answer.body as unknown as { data: T }).data;
  };
  const webhook = await ask<Webhook>('POST', '/webhooks', { url: receiver.url, events });
  const deliveries = async (query = '') =>
    (await ask<{ deliveries: Delivery[] }>('GET', `/webhooks/${webhook.id}/deliveries${query}`)).deliveries;
  return {
    orgId,
    token,
    agentId,
    receiver,
    webhook,
    ask,
    deliveries,
    /** Waits until the newest delivery meets the condition, and returns it. */
    delivery: (is: (delivery: Delivery) => boolean) =>
      waitFor('the delivery', async () => {
        const [newest] = await deliveries();
        return newest !== undefined && is(newest) && newest;
      }),
    /** Makes all pending deliveries due immediately. */
    hurry: () =>
      plane.query(
        `UPDATE webhook_deliveries SET next_attempt_at = now() WHERE organization_id = $1 AND status = 'pending'`,
        [orgId],
      ),
    job: async () => (await ask<{ id: string }>('POST', '/sync/jobs', JOB)).id,
  };
}

const event = (jobId: string, seq: number, body: SyncJobEvent['body']): SyncJobEvent => ({
  jobId,
  epoch: 1,
  seq,
  occurredAt: new Date(),
  body,
});
const COMPLETED = {
  type: 'completed',
  durationMs: 5,
  warnings: [],
  tables: [
    { tableIndex: 0, rowsProcessed: 75, rowsTotal: 75, bytesProcessed: 9, bytesTotal: 9, state: 'completed' },
  ],
  phases: [],
} as const;

/** Lets an agent accept the job and report its events. */
async function run(
  { agentId }: { agentId: string },
  jobId: string,
  ...bodies: SyncJobEvent['body'][]
): Promise<void> {
  const leases = plane.app.get(WorkLeasesService, { strict: false });
  await leases.heartbeat(agentId, { version: '0.1.0', offer: testOffer(), freeSlots: 1, leases: [] });
  await waitFor('the lease of the job', async () => {
    const [row] = await plane.query('SELECT agent_id FROM sync_jobs WHERE id = $1', [jobId]);
    return row?.['agent_id'] === agentId;
  });
  const events = plane.app.get(SyncJobEventsService, { strict: false });
  for (const [index, body] of bodies.entries())
    expect(await events.apply(event(jobId, index + 1, body), agentId)).toBe('applied');
}

const started = { type: 'started' } as const;

describe('a sync job', () => {
  it('[6/1] causes signed events at its start and its completion', async () => {
    const org = await organization();
    const id = await org.job();
    await run(org, id, started, COMPLETED);
    const [first, second] = await org.receiver.until(2);
    expect(first?.body).toEqual({
      id: expect.stringMatching(/^evt_\w{26}$/),
      event: 'sync.started',
      timestamp: expect.stringMatching(/Z$/),
      data: { job_id: id, name: 'nightly', started_at: expect.stringMatching(/Z$/), attempt: 1 },
    });
    expect(second?.body).toMatchObject({
      event: 'sync.completed',
      data: { job_id: id, name: 'nightly', rows_processed: 75, duration_seconds: expect.any(Number) },
    });
    expect(Object.keys(second?.body.data ?? {})).toEqual([
      'job_id',
      'name',
      'rows_processed',
      'duration_seconds',
    ]);
    for (const { headers, raw, body } of org.receiver.received) {
      expect(headers['x-service-signature']).toBe(expectedSignature(org.webhook.secret, raw));
      expect([headers['webhook-id'], headers['content-type']]).toEqual([body.id, 'application/json']);
      expect(headers['webhook-signature']).toMatch(/^v1,[A-Za-z0-9+/]{43}=$/);
    }
  });

  it('causes a failed event if it is cancelled', async () => {
    const org = await organization(['sync.failed']);
    const id = await org.job();
    await org.ask('DELETE', `/sync/jobs/${id}`, undefined, 202);
    const [failed] = await org.receiver.until(1);
    expect(failed?.body).toMatchObject({
      event: 'sync.failed',
      data: {
        job_id: id,
        rows_processed: 0,
        duration_seconds: 0,
        error: { code: 'cancelled', message: expect.any(String) },
      },
    });
  });

  it('causes events only for webhooks that subscribe to them, in its own organisation', async () => {
    const [org, other] = [await organization(['snapshot.created', 'sync.failed']), await organization()];
    await org.ask('DELETE', `/sync/jobs/${await org.job()}`, undefined, 202);
    await run(org, await org.job(), started, COMPLETED);
    await org.receiver.until(1);
    expect(org.receiver.received.map(({ body }) => body.event)).toEqual(['sync.failed']);
    expect([await other.deliveries(), other.receiver.received]).toEqual([[], []]);
  });

  it('causes no event if its transaction is rolled back', async () => {
    const org = await organization();
    const id = await org.job();
    await plane.query(
      `CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE 'no'; END $$;
       CREATE CONSTRAINT TRIGGER refuse AFTER UPDATE ON sync_jobs DEFERRABLE INITIALLY DEFERRED
       FOR EACH ROW WHEN (NEW.id = '${id}') EXECUTE FUNCTION refuse()`,
    );
    await org.ask('DELETE', `/sync/jobs/${id}`, undefined, 500).catch(() => undefined);
    expect(await org.deliveries()).toEqual([]);
    await plane.query('DROP FUNCTION refuse() CASCADE');
    await org.ask('DELETE', `/sync/jobs/${id}`, undefined, 202);
    await org.receiver.until(1);
  });

  it('causes events whose first attempts are in order, even if the first one fails', async () => {
    const org = await organization();
    let tries = 0;
    org.receiver.answerWith((_, reply) => {
      reply.statusCode = ++tries === 1 ? 500 : 200;
      reply.end();
    });
    const id = await org.job();
    await run(org, id, started, COMPLETED);
    await org.receiver.until(2);
    expect(org.receiver.received.map(({ body }) => body.event)).toEqual(['sync.started', 'sync.completed']);
  });
});

describe('a failing delivery', () => {
  it('[6/12] is retried by the schedule with one id and body, and fails after ten attempts', async () => {
    const org = await organization();
    org.receiver.answerWith((_, reply) => {
      reply.statusCode = 503;
      reply.end();
    });
    const posted = Date.now();
    await org.ask('POST', `/webhooks/${org.webhook.id}/test`);
    // Seconds until the next attempt, measured from before and after the attempt.
    const waits: { most: number; least: number }[] = [];
    for (let tries = 1; tries <= 10; tries++) {
      const before = Date.now();
      if (tries > 1) await org.hurry();
      const { next_attempt_at: next } = await org.delivery(({ attempts }) => attempts === tries);
      const until = next === null ? Infinity : Date.parse(next);
      waits.push({
        most: (until - (tries > 1 ? before : posted)) / 1000,
        least: (until - Date.now()) / 1000,
      });
    }
    const schedule = [5, 300, 1_800, 7_200, 18_000, 36_000, 50_400, 72_000, 86_400];
    for (const [index, seconds] of schedule.entries()) {
      expect(waits[index]?.least).toBeLessThanOrEqual(seconds * 1.1);
      expect(waits[index]?.most).toBeGreaterThanOrEqual(seconds * 0.9);
    }
    const given = await org.delivery(({ status }) => status === 'failed');
    expect(given).toMatchObject({ attempts: 10, next_attempt_at: null });
    expect(given.tries).toEqual(
      Array.from({ length: 10 }, () => ({
        at: expect.any(String),
        status_code: 503,
        error: 'http_status',
        duration_ms: expect.any(Number),
      })),
    );
    expect(new Set(org.receiver.received.map(({ raw }) => raw.toString())).size).toBe(1);
    expect(org.receiver.received).toHaveLength(10);

    org.receiver.answerWith((_, reply) => void reply.end());
    const again = await org.ask<Delivery>('POST', `/webhooks/deliveries/${given.id}/resend`);
    expect(again).toMatchObject({ event_id: given.event_id, status: 'pending', resend_of: given.id });
    await org.receiver.until(11);
    expect(new Set(org.receiver.received.map(({ raw }) => raw.toString())).size).toBe(1);
    await org.delivery(({ status }) => status === 'delivered');
    expect(await org.ask('GET', `/webhooks/deliveries/${given.id}`)).toMatchObject(given);
    expect((await org.deliveries('?status=failed')).map(({ id }) => id)).toEqual([given.id]);
  });

  it('waits as long as Retry-After requests', async () => {
    const org = await organization();
    org.receiver.answerWith((_, reply) => void reply.writeHead(429, { 'retry-after': '3600' }).end());
    await org.ask('POST', `/webhooks/${org.webhook.id}/test`);
    const { next_attempt_at: next } = await org.delivery(({ attempts }) => attempts === 1);
    expect((Date.parse(next ?? '') - Date.now()) / 1000).toBeGreaterThan(3_500);
  });

  it('follows no redirect', async () => {
    const [org, elsewhere] = [await organization(), await startReceiver()];
    receivers.push(elsewhere);
    org.receiver.answerWith((_, reply) => void reply.writeHead(307, { location: elsewhere.url }).end());
    await org.ask('POST', `/webhooks/${org.webhook.id}/test`);
    const { tries } = await org.delivery(({ attempts }) => attempts === 1);
    expect([tries, elsewhere.received]).toMatchObject([[{ status_code: 307, error: 'http_status' }], []]);
  });

  it('disables its webhook at once if the receiver responds with 410', async () => {
    const org = await organization();
    org.receiver.answerWith((_, reply) => void reply.writeHead(410).end());
    await org.ask('POST', `/webhooks/${org.webhook.id}/test`);
    expect(await org.delivery(({ status }) => status === 'failed')).toMatchObject({
      attempts: 1,
      tries: [{ status_code: 410 }],
    });
    expect(await org.ask('GET', `/webhooks/${org.webhook.id}`)).toMatchObject({
      status: 'disabled',
      disabled_reason: 'gone',
    });
    const { warnings } = await org.ask<{ warnings: unknown[] }>('GET', '/org');
    expect(warnings).toMatchObject([{ code: 'webhook_disabled', message: expect.stringContaining('410') }]);
  });

  it('disables its webhook after five days and reports that; enabling the webhook resets the time', async () => {
    const org = await organization();
    const show = () => org.ask<Webhook>('GET', `/webhooks/${org.webhook.id}`);
    const ago = (days: number) =>
      plane.query(
        `UPDATE webhook_endpoints SET failing_since = now() - $2 * interval '1 day' WHERE id = $1`,
        [org.webhook.id, days],
      );
    org.receiver.answerWith((_, reply) => void reply.writeHead(500).end());
    await org.ask('POST', `/webhooks/${org.webhook.id}/test`);
    await org.delivery(({ attempts }) => attempts === 1);
    expect(await show()).toMatchObject({ status: 'enabled', failing_since: expect.any(String) });

    await ago(4.9);
    await org.hurry();
    await org.delivery(({ attempts }) => attempts === 2);
    expect(await show()).toMatchObject({ status: 'enabled' });

    await ago(5);
    await org.hurry();
    await org.delivery(({ status }) => status === 'failed');
    expect(await show()).toMatchObject({
      status: 'disabled',
      disabled_reason: 'failing',
      disabled_at: expect.any(String),
    });
    expect(await org.ask('GET', '/org')).toMatchObject({
      warnings: [{ code: 'webhook_disabled', webhook_id: org.webhook.id, message: expect.any(String) }],
    });
    const { entries } = await org.ask<{ entries: unknown[] }>(
      'GET',
      `/audit-log?action=webhook.disabled&target_id=${org.webhook.id}`,
    );
    expect(entries).toMatchObject([
      { actor: { type: 'server', id: null }, request_id: null, details: { reason: 'failing' } },
    ]);
    await org.ask('POST', `/webhooks/${org.webhook.id}/test`, {}, 409);
    await org.ask('DELETE', `/sync/jobs/${await org.job()}`, undefined, 202);
    expect(await org.deliveries()).toHaveLength(1);

    org.receiver.answerWith((_, reply) => void reply.end());
    const enabled = await org.ask<Webhook>('PATCH', `/webhooks/${org.webhook.id}`, { enabled: true });
    expect(enabled).toMatchObject({ status: 'enabled', disabled_reason: null, failing_since: null });
    expect(await org.ask('GET', '/org')).toMatchObject({ warnings: [] });
    await org.ask('POST', `/webhooks/${org.webhook.id}/test`);
    await org.delivery(({ status }) => status === 'delivered');
  });

  it('resets the failure time of its webhook when it succeeds', async () => {
    const org = await organization();
    org.receiver.answerWith((_, reply) => void reply.writeHead(500).end());
    await org.ask('POST', `/webhooks/${org.webhook.id}/test`);
    await org.delivery(({ attempts }) => attempts === 1);
    org.receiver.answerWith((_, reply) => void reply.end());
    await org.hurry();
    await org.delivery(({ status }) => status === 'delivered');
    expect(await org.ask('GET', `/webhooks/${org.webhook.id}`)).toMatchObject({ failing_since: null });
  });
});

describe('a rotated secret', () => {
  it('signs immediately, together with the old secret until the overlap ends', async () => {
    const org = await organization();
    const rotated = await org.ask<Webhook>(
      'POST',
      `/webhooks/${org.webhook.id}/rotate`,
      { overlap_hours: 2 },
      200,
    );
    expect(rotated.secret).not.toBe(org.webhook.secret);
    const sendOne = async (count: number) => {
      await org.ask('POST', `/webhooks/${org.webhook.id}/test`);
      const request = (await org.receiver.until(count)).at(-1);
      expect(request?.headers['x-service-signature']).toBe(
        expectedSignature(rotated.secret, request?.raw ?? Buffer.alloc(0)),
      );
      return String(request?.headers['webhook-signature']).split(' ').length;
    };
    expect(await sendOne(1)).toBe(2);
    await plane.query('UPDATE webhook_endpoints SET previous_secret_expires_at = now() WHERE id = $1', [
      org.webhook.id,
    ]);
    expect(await sendOne(2)).toBe(1);
  });

  it('without an overlap replaces the old secret immediately, and no secret is ever shown again', async () => {
    const org = await organization();
    const rotated = await org.ask<Webhook>(
      'POST',
      `/webhooks/${org.webhook.id}/rotate`,
      { overlap_hours: 0 },
      200,
    );
    await org.ask('POST', `/webhooks/${org.webhook.id}/test`);
    const [request] = await org.receiver.until(1);
    expect(String(request?.headers['webhook-signature']).split(' ')).toHaveLength(1);
    const shown = JSON.stringify([
      await org.ask('GET', '/webhooks'),
      await org.ask('GET', `/webhooks/${org.webhook.id}`),
      await org.ask('PATCH', `/webhooks/${org.webhook.id}`, { events: ['sync.failed'] }),
      await org.deliveries(),
      await org.ask('GET', '/audit-log'),
      await plane.query('SELECT webhook_endpoints::text, sealed_secret::text FROM webhook_endpoints'),
    ]);
    for (const { secret } of [org.webhook, rotated]) {
      expect(shown).not.toContain(secret);
      expect(shown).not.toContain(Buffer.from(secret).toString('hex'));
    }
  });

  it('causes failures if it was encrypted under another key, until it is rotated again', async () => {
    const org = await organization();
    await plane.query(`UPDATE webhook_endpoints SET sealed_secret = '\\x01' WHERE id = $1`, [org.webhook.id]);
    await org.ask('POST', `/webhooks/${org.webhook.id}/test`);
    const { tries } = await org.delivery(({ attempts }) => attempts === 1);
    expect(tries).toMatchObject([{ status_code: null, error: 'secret_unreadable' }]);
    await org.ask('POST', `/webhooks/${org.webhook.id}/rotate`, { overlap_hours: 0 }, 200);
    await org.hurry();
    await org.delivery(({ status }) => status === 'delivered');
  });
});

describe('an invalid webhook', () => {
  it('is refused with the name of the field and without the URL', async () => {
    const { ask, webhook } = await organization();
    for (const url of [
      'http://10.0.0.1/canary',
      'http://169.254.169.254/canary',
      'https://user:canary@hooks.example.com/',
      'ftp://canary.example.com/',
      'http://[::ffff:10.0.0.1]/canary',
      `https://hooks.example.com/canary${'a'.repeat(3_000)}`,
      '',
      7,
      null,
    ]) {
      for (const [method, path] of [
        ['POST', '/webhooks'],
        ['PATCH', `/webhooks/${webhook.id}`],
      ] as const) {
        const answer = await plane.request(`/v1${path}`, { method, body: { url, events: ['sync.failed'] } });
        const expected = method === 'POST' ? 422 : [404, 422];
        expect([expected].flat()).toContain(answer.status);
        expect(answer.text).not.toContain('canary');
        if (answer.status === 422)
          expect(answer.body).toMatchObject({
            error: { code: 'validation_error', details: [{ field: 'url' }] },
          });
      }
    }
    for (const events of [[], ['sync.*'], ['sync.failed', 'sync.failed'], 'sync.failed', undefined])
      await ask('POST', '/webhooks', { url: 'https://hooks.example.com/', events }, 422);
  });

  it('is refused above the maximum number per organisation', async () => {
    const { ask, receiver } = await organization();
    const body = { url: receiver.url, events: ALL };
    const answers = await Promise.all(
      Array.from({ length: 6 }, () =>
        ask('POST', '/webhooks', body).then(
          () => 201,
          () => 422,
        ),
      ),
    );
    expect(answers.filter((status) => status === 201)).toHaveLength(3);
    await ask('POST', '/webhooks', body, 422);
  });
});

describe('deliveries', () => {
  it('continue after Redis was flushed', async () => {
    const org = await organization();
    const redis = new Redis(plane.services.redisUrl);
    try {
      for (let i = 0; i < 5; i++) {
        await org.ask('POST', `/webhooks/${org.webhook.id}/test`);
        await redis.flushall();
      }
      const received = await org.receiver.until(5);
      expect(new Set(received.map(({ body }) => body.id)).size).toBe(5);
    } finally {
      redis.disconnect();
    }
  });

  it('to one webhook are at most four in parallel and do not delay another webhook', async () => {
    const [slow, quick] = [await organization(), await organization()];
    const open = new Set<unknown>();
    let most = 0;
    slow.receiver.answerWith((request, reply) => {
      open.add(request);
      most = Math.max(most, open.size);
      reply.once('close', () => open.delete(request)); // the request gets no response
    });
    for (let i = 0; i < 12; i++) await slow.ask('POST', `/webhooks/${slow.webhook.id}/test`);
    await slow.receiver.until(4);
    await quick.ask('POST', `/webhooks/${quick.webhook.id}/test`);
    await quick.receiver.until(1);
    expect(most).toBe(4);
  });

  it('are deleted with their events after thirty days', async () => {
    const org = await organization();
    await org.ask('POST', `/webhooks/${org.webhook.id}/test`);
    const { event_id: id } = await org.delivery(({ status }) => status === 'delivered');
    await plane.query(`UPDATE webhook_events SET created_at = now() - interval '31 days' WHERE id = $1`, [
      id,
    ]);
    await waitFor('the deletion of old deliveries', async () => (await org.deliveries()).length === 0);
  });

  it('end and are deleted when their webhook is deleted', async () => {
    const org = await organization();
    org.receiver.answerWith((_, reply) => void reply.writeHead(500).end());
    await org.ask('POST', `/webhooks/${org.webhook.id}/test`);
    const { id } = await org.delivery(({ attempts }) => attempts === 1);
    expect(await org.ask('DELETE', `/webhooks/${org.webhook.id}`)).toEqual({
      deleted: true,
      id: org.webhook.id,
    });
    for (const path of [
      `/webhooks/${org.webhook.id}`,
      `/webhooks/deliveries/${id}`,
      `/webhooks/${org.webhook.id}/deliveries`,
    ])
      await org.ask('GET', path, undefined, 404);
  });
});

describe('the ops page', () => {
  const authorization = `Basic ${btoa(`ops:${OPS_PASSWORD}`)}`;
  const ops = (path: string, method = 'GET', headers = { authorization }) =>
    fetch(`${plane.opsUrl}/ops${path}`, { method, headers });

  it('shows every queue only with ids, retries failed jobs, and has no other effect', async () => {
    const org = await organization();
    org.receiver.answerWith((_, reply) => void reply.writeHead(500).end());
    await org.ask('POST', `/webhooks/${org.webhook.id}/test`);
    const { id } = await org.delivery(({ attempts }) => attempts === 1);
    const { queues } = (await (await ops('/api/queues?activeQueue=webhooks&status=failed')).json()) as {
      queues: { name: string; jobs: { id: string; data: unknown }[] }[];
    };
    expect(queues.map(({ name }) => name).sort()).toEqual(['webhooks', 'work']);
    const job = queues.flatMap(({ jobs }) => jobs).find((one) => one.id.includes(id));
    expect(job).toMatchObject({ id: `webhook.deliver-${id}-1`, data: { key: id } });
    expect(JSON.stringify(queues)).not.toContain(org.receiver.url);

    const retry = `/api/queues/webhooks/${encodeURIComponent(job?.id ?? '')}/retry`;
    expect((await ops(retry, 'PUT', { authorization: '' })).status).toBe(401);
    for (const [method, path] of [
      ['PUT', '/api/queues/webhooks/pause'],
      ['PUT', '/api/queues/webhooks/obliterate'],
      ['PUT', '/api/queues/webhooks/clean/failed'],
      ['POST', '/api/queues/webhooks/add'],
      ['PATCH', `/api/queues/webhooks/${job?.id}/update-data`],
      ['PUT', '/api/queues/pause'],
    ] as const)
      expect([path, (await ops(path, method)).status]).toEqual([path, 405]);

    org.receiver.answerWith((_, reply) => void reply.end());
    expect((await ops(retry, 'PUT')).status).toBe(204);
    await org.delivery(({ status }) => status === 'delivered'); // long before its scheduled time
  });
});

describe('a wrong clock of the control plane', () => {
  afterEach(() => jest.useRealTimers());

  it.each([1, -1])('by %i h does not move the time of the next attempt', async (hours) => {
    const org = await organization();
    org.receiver.answerWith((_, reply) => void reply.writeHead(500).end());
    jest.useFakeTimers({ now: Date.now() + hours * 3_600_000, doNotFake: ALL_BUT_DATE });
    await org.ask('POST', `/webhooks/${org.webhook.id}/test`);
    const { id } = await org.delivery(({ attempts }) => attempts === 1);
    jest.useRealTimers();
    const [planned] = await plane.query(
      `SELECT abs(extract(epoch FROM next_attempt_at - now())) < 1800 AS soon FROM webhook_deliveries WHERE id = $1`,
      [id],
    );
    expect(planned).toEqual({ soon: true });
  });
});
