import { waitFor } from '@understudy/testing';
import { DataSource } from 'typeorm';
import { ulid } from 'ulid';

import { auditEntries } from '../harness/browser.js';
import { startControlPlane, type ControlPlane } from '../harness/start-control-plane.js';
import { expectedSignature, startReceiver, type Receiver } from './webhook-receiver.js';

interface Delivery {
  readonly id: string;
  readonly event_id: string;
  readonly event: string;
  readonly status: string;
  readonly attempts: number;
  readonly resend_of: string | null;
  readonly payload?: string;
  readonly last_request?: { url: string; headers: Record<string, string> } | null;
}

interface Logged {
  readonly status?: 'pending' | 'delivered' | 'failed';
  readonly at?: string;
  readonly event?: string;
  /** A new event by default. */
  readonly eventId?: string;
}

let plane: ControlPlane;
let receiver: Receiver;
beforeAll(async () => {
  plane = await startControlPlane({ webhooks: { allowedNetworks: ['127.0.0.0/8'], sweepMs: 200 } });
  receiver = await startReceiver();
});
afterAll(async () => {
  await plane?.stop();
  await receiver?.stop();
});

/** Creates an organisation with a webhook that subscribes to all events. */
async function webhookOf(url = receiver.url) {
  const orgId = await plane.addOrganization();
  const { token } = await plane.addToken({ orgId });
  const send = (method: string, path: string, body?: unknown, headers: Record<string, string> = {}) =>
    plane.request(`/v1/webhooks${path}`, { method, token, headers, ...(body === undefined ? {} : { body }) });
  const data = async <T>(method: string, path: string, body?: unknown): Promise<T> => {
    const { body: answer, text } = await send(method, path, body);
    if (!('data' in answer)) throw new Error(text);
    return (answer as unknown as { data: T }).data;
  };
  const created = await data<{ id: string; secret: string }>('POST', '', {
    url,
    events: ['sync.failed', 'sync.completed'],
  });
  const { id, secret } = created;
  const get = (delivery: string) => data<Delivery>('GET', `/deliveries/${delivery}`);
  return {
    id,
    secret,
    /** Waits until a delivery has arrived, and returns it. */
    arrived: (delivery: string) =>
      waitFor('the delivery', async () => {
        const found = await get(delivery);
        return found.status === 'delivered' && found;
      }),
    send,
    data,
    list: async (query = '') =>
      (await data<{ deliveries: Delivery[] }>('GET', `/${id}/deliveries?per_page=100${query}`)).deliveries,
    get,
    recover: (body: unknown, key?: string) =>
      send('POST', `/${id}/recover`, body, key === undefined ? {} : { 'idempotency-key': key }),
    recovered: (body: unknown) => data<unknown>('POST', `/${id}/recover`, body),
    /** Writes deliveries into the log. A pending one is due in an hour. */
    log: async (...logged: readonly Logged[]) => {
      const rows = logged.map(({ status = 'failed', at = '2026-01-01T12:00:00Z', ...row }) => {
        const { event = 'sync.failed', eventId = `evt_${ulid()}` } = row;
        return { id: `dlv_${ulid()}`, status, at, event, event_id: eventId };
      });
      await plane.query(
        `WITH logged AS (SELECT * FROM json_to_recordset($3) AS row (id text, status text, at timestamptz, event text, event_id text)),
          events AS (
            INSERT INTO webhook_events (id, organization_id, type, body, created_at)
            SELECT DISTINCT ON (event_id) event_id, $1, event, json_build_object('id', event_id)::text, now() FROM logged
          )
        INSERT INTO webhook_deliveries
          (id, organization_id, endpoint_id, event_id, status, created_at, next_attempt_at, delivered_at)
        SELECT id, $1, $2, event_id, status, at, CASE WHEN status = 'pending' THEN now() + interval '1 hour' END,
          CASE WHEN status = 'delivered' THEN at END FROM logged`,
        [orgId, id, JSON.stringify(rows)],
      );
      return rows;
    },
  };
}

/** Returns the ids of the events that the receiver got, in the order of their first requests. */
const received = () => [...new Set(receiver.received.map(({ headers }) => String(headers['webhook-id'])))];

const SINCE = '2026-01-01T00:00:00Z';

describe('a delivery', () => {
  it('shows the body and the headers of its newest attempt, also after a rotation and a change of the URL', async () => {
    const webhook = await webhookOf();
    const { id, event_id: eventId } = await webhook.data<Delivery>('POST', `/${webhook.id}/test`);
    const delivery = await webhook.arrived(id);
    const sent = receiver.received.find(({ headers }) => headers['webhook-id'] === eventId);
    expect(delivery.payload).toBe(sent?.raw.toString());
    const { url, headers } = delivery.last_request ?? { url: '', headers: {} };
    const names = Object.keys(headers).map((name) => name.toLowerCase());
    expect(Object.keys(sent?.headers ?? {}).sort()).toEqual([...names, 'connection', 'host'].sort());
    for (const [name, value] of Object.entries(headers))
      expect([name, sent?.headers[name.toLowerCase()]]).toEqual([name, value]);
    expect(url).toBe(receiver.url);

    await webhook.data('POST', `/${webhook.id}/rotate`, { overlap_hours: 0 });
    await webhook.data('PATCH', `/${webhook.id}`, { url: `${receiver.url}/moved` });
    expect(await webhook.get(id)).toEqual(delivery);
  });

  it('shows its body, but no headers, before its first attempt', async () => {
    const webhook = await webhookOf();
    const [pending] = await webhook.log({ status: 'pending' });
    const { payload, last_request } = await webhook.get(pending?.id ?? '');
    expect([payload, last_request]).toEqual([`{"id" : "${pending?.event_id}"}`, null]);
  });

  it('shows neither its body nor its headers in a list', async () => {
    const webhook = await webhookOf();
    await webhook.log({});
    const [listed] = await webhook.list();
    expect(listed).not.toHaveProperty('payload');
    expect(listed).not.toHaveProperty('last_request');
  });
});

describe('the format of a webhook', () => {
  it('changes the bytes that are sent, signed and logged from the next attempt on', async () => {
    const webhook = await webhookOf();
    const test = () => webhook.data<Delivery>('POST', `/${webhook.id}/test`);
    const change = (format: string) => webhook.data('PATCH', `/${webhook.id}`, { format });
    const standard = await webhook.arrived((await test()).id);
    await change('slack');
    const slack = await webhook.arrived((await test()).id);
    await change('teams');
    const resent = await webhook.data<Delivery>('POST', `/deliveries/${slack.id}/resend`);
    const teams = await webhook.arrived(resent.id);

    expect(teams.event_id).toBe(slack.event_id);
    const sent = receiver.received.slice(-3);
    expect([standard, slack, teams].map(({ payload }) => payload)).toEqual(
      sent.map(({ raw }) => raw.toString()),
    );
    for (const { headers, raw } of sent) {
      expect(headers['x-service-signature']).toBe(expectedSignature(webhook.secret, raw));
      expect(headers['content-length']).toBe(String(raw.length));
    }
    const fact = `Webhook id: ${webhook.id}`;
    expect(sent.map(({ body }) => body)).toMatchObject([
      { event: 'webhook.test', data: { webhook_id: webhook.id } },
      { text: 'Test event of Understudy', blocks: [{ type: 'header' }, { fields: [{ text: fact }] }] },
      { type: 'message', attachments: [{ content: { type: 'AdaptiveCard' } }] },
    ]);
    expect(await webhook.get(standard.id)).toEqual(standard);
    expect(await webhook.get(slack.id)).toEqual(slack);
  });

  it('is shown in a delivery before its first attempt', async () => {
    const webhook = await webhookOf();
    const [{ id = '' } = {}] = await webhook.log({ status: 'pending' });
    await plane.query(
      `UPDATE webhook_events SET body = '{"event":"sync.failed","data":{"name":"nightly"}}'
       WHERE id = (SELECT event_id FROM webhook_deliveries WHERE id = $1)`,
      [id],
    );
    await webhook.data('PATCH', `/${webhook.id}`, { format: 'slack' });
    expect((await webhook.get(id)).payload).toContain('Sync job “nightly” has failed');
  });

  it.each([
    ['POST', ''],
    ['PATCH', '/id'],
  ])('of %s is refused if it is not known', async (method, path) => {
    const webhook = await webhookOf();
    const body = { url: receiver.url, events: ['sync.failed'], format: 'discord' };
    const { status, body: answer } = await webhook.send(method, path.replace('id', webhook.id), body);
    const message = 'expected one of standard, slack, teams, got a string of 7 characters';
    const details = [{ field: 'format', message }];
    expect([status, answer]).toMatchObject([422, { error: { details } }]);
  });
});

describe('the list of deliveries', () => {
  it('filters by event, status and time, newest first; the range excludes its end', async () => {
    const webhook = await webhookOf();
    const rows = await webhook.log(
      { at: '2026-01-01T00:00:00.000Z' },
      { at: '2026-01-02T00:00:00.000Z', status: 'delivered' },
      { at: '2026-01-02T23:59:59.999Z', event: 'sync.completed' },
      { at: '2026-01-03T00:00:00.000Z' },
    );
    const shown = async (query: string) =>
      (await webhook.list(query)).map(({ id }) => rows.findIndex((row) => row.id === id));
    expect(await shown('')).toEqual([3, 2, 1, 0]);
    expect(await shown('&event=sync.failed')).toEqual([3, 1, 0]);
    expect(await shown('&created_after=2026-01-02')).toEqual([3, 2, 1]);
    expect(await shown('&created_before=2026-01-03T00:00:00Z')).toEqual([2, 1, 0]);
    expect(
      await shown('&created_after=2026-01-02T00:00:00.001Z&created_before=2026-01-02T23:59:59.999Z'),
    ).toEqual([]);
    expect(
      await shown('&created_after=2026-01-02&created_before=2026-01-03&event=sync.completed&status=failed'),
    ).toEqual([2]);
  });

  it.each([
    ['event=sync.unknown', 'event'],
    ['created_after=yesterday', 'created_after'],
    ['created_before=2026-02-30', 'created_before'],
  ])('refuses the filter %s', async (query, field) => {
    const webhook = await webhookOf();
    const { status, body } = await webhook.send('GET', `/${webhook.id}/deliveries?${query}`);
    expect([status, body]).toMatchObject([422, { error: { details: [{ field }] } }]);
  });
});

describe('a recovery', () => {
  it('sends each event of a failed delivery once, with its id, and leaves out delivered and pending ones', async () => {
    const webhook = await webhookOf();
    const again = `evt_${ulid()}`;
    const [delivered, waiting] = [`evt_${ulid()}`, `evt_${ulid()}`];
    const rows = await webhook.log(
      { at: '2026-01-01T10:00:00Z' },
      { at: '2026-01-01T11:00:00Z', eventId: again },
      { at: '2026-01-01T12:00:00Z', eventId: again },
      { at: '2026-01-01T13:00:00Z', eventId: delivered },
      { at: '2026-01-01T14:00:00Z', eventId: delivered, status: 'delivered' },
      { at: '2026-01-01T15:00:00Z', eventId: waiting },
      { at: '2026-01-01T16:00:00Z', eventId: waiting, status: 'pending' },
    );
    const before = receiver.received.length;
    const answer = await webhook.recover({ since: SINCE });
    expect([answer.status, answer.body]).toMatchObject([202, { data: { resent: 2, has_more: false } }]);
    const made = await waitFor('both deliveries', async () => {
      const all = await webhook.list('&status=delivered&created_after=2026-02-01');
      return all.length === 2 && all;
    });
    expect(made.map(({ event_id, resend_of }) => [event_id, resend_of]).reverse()).toEqual([
      [rows[0]?.event_id, rows[0]?.id],
      [again, rows[1]?.id],
    ]);
    expect(receiver.received).toHaveLength(before + 2);
    expect(received().slice(-2).sort()).toEqual([String(rows[0]?.event_id), again].sort());
    expect(await webhook.recovered({ since: SINCE })).toEqual({ resent: 0, has_more: false });
  });

  it('writes one entry of the audit log if it sends anything', async () => {
    const webhook = await webhookOf();
    await webhook.log({}, {});
    await webhook.recovered({ since: SINCE });
    await webhook.recovered({ since: SINCE });
    const entries = await auditEntries(plane, 'webhook.recovered');
    expect(entries.filter(({ target_id }) => target_id === webhook.id)).toMatchObject([
      {
        actor_type: 'token',
        details: { since: new Date(SINCE).toISOString(), until: null, resent: 2, has_more: false },
      },
    ]);
  });

  it('includes deliveries from `since` on, and leaves out those from `until` on', async () => {
    const webhook = await webhookOf();
    const [, first, last] = await webhook.log(
      { at: '2026-01-01T09:59:59.999Z' },
      { at: '2026-01-01T10:00:00.000Z' },
      { at: '2026-01-01T11:59:59.999Z' },
      { at: '2026-01-01T12:00:00.000Z' },
    );
    const range = { since: '2026-01-01T10:00:00Z', until: '2026-01-01T12:00:00Z' };
    expect(await webhook.recovered(range)).toEqual({ resent: 2, has_more: false });
    const made = await webhook.list('&created_after=2026-02-01');
    expect(made.map(({ resend_of }) => resend_of).reverse()).toEqual([first?.id, last?.id]);
  });

  it('sends 1000 events at most, and the others with the next request', async () => {
    const webhook = await webhookOf();
    await webhook.log(...Array.from({ length: 1_000 }, () => ({ at: '2026-01-01T10:00:00Z' })));
    const [last] = await webhook.log({ at: '2026-01-01T11:00:00Z' });
    const until = { since: SINCE, until: '2026-01-01T11:00:00Z' };
    expect(await webhook.recovered({ since: SINCE })).toEqual({ resent: 1_000, has_more: true });
    expect(await webhook.recovered(until)).toEqual({ resent: 0, has_more: false });
    expect(await webhook.recovered({ since: SINCE })).toEqual({ resent: 1, has_more: false });
    const made = await webhook.list('&created_after=2026-02-01');
    expect(made[0]?.resend_of).toBe(last?.id);
  });

  it('reports that nothing remains after exactly 1000 events', async () => {
    const webhook = await webhookOf();
    await webhook.log(...Array.from({ length: 1_000 }, () => ({})));
    expect(await webhook.recovered({ since: SINCE })).toEqual({ resent: 1_000, has_more: false });
  });

  it('sends each event once if several requests run at the same time', async () => {
    const webhook = await webhookOf();
    const rows = await webhook.log(...Array.from({ length: 40 }, () => ({})));
    // A lock of the table would stop deliveries of other tests, too, and their sessions are those of the requests.
    const lock = plane.app.get(DataSource).createQueryRunner();
    await lock.startTransaction();
    await lock.query('SELECT FROM webhook_endpoints WHERE id = $1 FOR UPDATE', [webhook.id]);
    const answers = Promise.all(
      Array.from({ length: 5 }, () => webhook.recovered({ since: SINCE }) as Promise<{ resent: number }>),
    );
    await waitFor('all requests to wait', async () => {
      const waiting = await plane.query(
        `SELECT FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND datname = current_database()
          AND query LIKE '%WebhookEndpointEntity%'`,
      );
      return waiting.length === 5;
    });
    await lock.commitTransaction();
    await lock.release();
    expect((await answers).map(({ resent }) => resent).sort((a, b) => a - b)).toEqual([0, 0, 0, 0, 40]);
    const made = await webhook.list('&created_after=2026-02-01');
    expect(made.map(({ resend_of }) => resend_of).sort()).toEqual(rows.map(({ id }) => id).sort());
  });

  it('has no second effect if it is repeated with its idempotency key', async () => {
    const webhook = await webhookOf();
    await webhook.log({});
    const first = await webhook.recover({ since: SINCE }, 'key-1');
    await webhook.log({});
    const repeated = await webhook.recover({ since: SINCE }, 'key-1');
    expect([first.body, repeated.body]).toMatchObject([{ data: { resent: 1 } }, { data: { resent: 1 } }]);
    expect(repeated.headers.get('idempotent-replayed')).toBe('true');
    expect(await webhook.list('&created_after=2026-02-01')).toHaveLength(1);
  });

  it('is refused while the webhook is disabled', async () => {
    const webhook = await webhookOf();
    await webhook.log({});
    await webhook.data('PATCH', `/${webhook.id}`, { enabled: false });
    const { status, body } = await webhook.recover({ since: SINCE });
    expect([status, body]).toMatchObject([409, { error: { code: 'conflict' } }]);
    expect(await webhook.list('&status=pending')).toEqual([]);
  });

  it.each([
    [{}, 'since'],
    [{ since: 'yesterday' }, 'since'],
    [{ since: SINCE, until: null }, 'until'],
    [{ since: SINCE, until: SINCE }, 'until'],
  ])('refuses the body %j', async (body, field) => {
    const { status, body: answer } = await (await webhookOf()).recover(body);
    expect([status, answer]).toMatchObject([422, { error: { details: [{ field }] } }]);
  });

  it('reaches no webhook of another organisation', async () => {
    const [ours, theirs] = [await webhookOf(), await webhookOf()];
    await theirs.log({});
    const { status } = await ours.send('POST', `/${theirs.id}/recover`, { since: SINCE });
    expect(status).toBe(404);
    expect(await theirs.list('&status=pending')).toEqual([]);
  });
});
