import { waitFor } from '@understudy/testing';

import { SnapshotExpiry } from '../../src/jobs/snapshots/deletions/snapshot-expiry.js';
import { handleCommands, startFakeAgent, type FakeAgent } from '../integration/harness/fake-agent.js';
import {
  startControlPlane,
  type ApiResponse,
  type ControlPlane,
} from '../integration/harness/start-control-plane.js';
import { startReceiver, type Receiver } from '../integration/webhooks/webhook-receiver.js';

const DAY_MS = 24 * 60 * 60 * 1000;
const SNAPSHOT = { name: 'before the migration', database: 'shop', tables: ['customers', 'orders'] };

interface Snapshot {
  readonly id: string;
  readonly status: string;
  readonly created_at: string;
  readonly expires_at: string;
}

let plane: ControlPlane;
let agent: FakeAgent;
let receiver: Receiver;

// The agent is simulated. apps/agent/test/e2e uses a real one.
beforeAll(async () => {
  plane = await startControlPlane({
    syncJobs: { reconcileMs: 200 },
    webhooks: { allowedNetworks: ['127.0.0.1'], sweepMs: 200 },
  });
  receiver = await startReceiver();
  const events = ['sync.failed', 'snapshot.created', 'snapshot.restored'];
  await post('/v1/webhooks', { url: receiver.url, events });
  agent = await startFakeAgent(plane);
  await agent.beat();
  handleCommands(agent);
});
afterAll(async () => {
  await agent?.stop();
  await receiver?.stop();
  await plane?.stop();
});

const post = (path: string, body: unknown) => plane.request(path, { method: 'POST', body });
function dataOf<T = Snapshot>(response: ApiResponse): T {
  const { data } = response.body as unknown as { data: T };
  if (data === undefined) throw new Error(response.text);
  return data;
}
const show = async (id: string) => dataOf(await plane.request(`/v1/snapshots/${id}`));
const ready = async (body: object = SNAPSHOT) => {
  const { id } = dataOf(await post('/v1/snapshots', body));
  return waitFor('the snapshot', async () => {
    const snapshot = await show(id);
    return snapshot.status === 'ready' && snapshot;
  });
};
const gone = (id: string) =>
  waitFor('the end', async () => (await plane.request(`/v1/snapshots/${id}`)).status === 404);
const received = (event: string, id: string) =>
  waitFor(event, async () =>
    receiver.received.find(({ body }) => body.event === event && JSON.stringify(body.data).includes(id)),
  );

it('[1/8, 3/4] Snapshots are created, listed, restored and deleted, with an expiry', async () => {
  const { id } = await ready({ ...SNAPSHOT, expires_in_days: 1 });
  const restored = await post(`/v1/snapshots/${id}/restore`, { target_database: 'review' });
  expect(restored.status).toBe(202);
  const { snapshots } = dataOf<{ snapshots: Snapshot[] }>(await plane.request('/v1/snapshots'));
  expect(snapshots.map((snapshot) => snapshot.id)).toContain(id);
  const expiry = plane.app.get(SnapshotExpiry, { strict: false });
  expect(await expiry.expireAll(new Date(Date.now() + 2 * DAY_MS))).toContain(id);
  expect((await show(id)).status).toBe('expired');
  expect((await post(`/v1/snapshots/${id}/restore`, { target_database: 'review' })).status).toBe(409);
  const other = await ready();
  expect((await plane.request(`/v1/snapshots/${other.id}`, { method: 'DELETE' })).status).toBe(200);
  await gone(other.id);
});

it('[3/3] A snapshot, a restore, a member and a webhook have a status beside the fields of the reference', async () => {
  const { id, status } = await ready();
  const restore = await post(`/v1/snapshots/${id}/restore`, { target_database: 'review' });
  const member = await post('/v1/org/members', { email: 'state@example.com', role: 'viewer' });
  const webhook = await post('/v1/webhooks', { url: receiver.url, events: ['sync.failed'] });
  const statusOf = (response: ApiResponse) => dataOf<{ status: string }>(response).status;
  expect([status, ...[restore, member, webhook].map(statusOf)]).toEqual([
    'ready',
    'pending',
    'invited',
    'enabled',
  ]);
});

it('[1/11] Webhook events are sent for changes of sync jobs and snapshots', async () => {
  const job = await post('/v1/sync/jobs', {
    name: 'nightly',
    source: { type: 'postgresql', connection_string: 'agent:a' },
    target: { type: 'postgresql', connection_string: 'agent:b' },
    tables: [{ name: 'customers' }],
  });
  await received('sync.failed', dataOf(job).id);
  const { id } = await ready();
  await received('snapshot.created', id);
});

it('[2/2, 2.3/1, 2.3/2, 2.3/3, 2.3/4, 2.3/5, 2.3/6] A snapshot has id (`snap_<id>`), name, database, size_bytes, tables, created_at', async () => {
  const snapshot = await ready();
  expect(snapshot).toMatchObject({
    id: expect.stringMatching(/^snap_[0-9A-Z]{26}$/),
    ...SNAPSHOT,
    size_bytes: expect.any(Number),
    created_at: expect.stringMatching(/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/),
  });
});

it('[2.3/7, 3/4, 4.5/6, 8/19] expires_at is derived from expires_in_days', async () => {
  for (const [expires_in_days, days] of [
    [1, 1],
    [365, 365],
    [undefined, 30],
  ] as const) {
    const made = dataOf(await post('/v1/snapshots', { ...SNAPSHOT, expires_in_days }));
    expect(Date.parse(made.expires_at) - Date.parse(made.created_at)).toBe(days * DAY_MS);
  }
});

it('[4.5/1] GET /snapshots answers { snapshots }', async () => {
  const { id } = await ready();
  const { snapshots } = dataOf<{ snapshots: Snapshot[] }>(await plane.request('/v1/snapshots'));
  expect(snapshots[0]).toMatchObject({ id, ...SNAPSHOT, expires_at: expect.any(String) });
});

it('[4.5/3, 4.5/4, 4.5/5, 4.5/6, 4.5/11, 8/19] POST /snapshots takes name, database, tables and expires_in_days', async () => {
  const made = await post('/v1/snapshots', { ...SNAPSHOT, expires_in_days: 7 });
  expect([made.status, dataOf(made)]).toMatchObject([201, { ...SNAPSHOT, status: 'creating' }]);
  expect(dataOf(await post('/v1/snapshots', { name: 'all', database: 'shop' }))).toMatchObject({
    tables: [],
  });
  for (const changes of [
    { name: '' },
    { database: '../shop' },
    { tables: ['a.b.c'] },
    { expires_in_days: 0 },
    { expires_in_days: 366 },
    { expires_in_days: '7' },
  ]) {
    const refused = await post('/v1/snapshots', { ...SNAPSHOT, ...changes });
    expect([changes, refused.status]).toEqual([changes, 422]);
  }
});

it('[4.5/8, 4.5/9, 4.5/11] POST /snapshots/:id/restore takes target_database and overwrite', async () => {
  const { id } = await ready();
  for (const overwrite of [true, false, undefined]) {
    const response = await post(`/v1/snapshots/${id}/restore`, { target_database: 'review', overwrite });
    const restore = dataOf<{ restore_id: string }>(response);
    expect([response.status, restore]).toMatchObject([202, { id, target_database: 'review' }]);
    const path = `/v1/snapshots/${id}/restores/${restore.restore_id}`;
    expect(dataOf(await plane.request(path))).toMatchObject({ overwrite: overwrite ?? false });
  }
});

it('[4.5/10, 4.5/11] DELETE /snapshots/:id deletes a snapshot', async () => {
  const { id } = await ready();
  const deleted = await plane.request(`/v1/snapshots/${id}`, { method: 'DELETE' });
  expect([deleted.status, dataOf(deleted)]).toEqual([200, { deleted: true, id }]);
  await gone(id);
});

it('[6/6, 6/7, 6/11] snapshot.created and snapshot.restored are sent', async () => {
  const { id, expires_at } = await ready();
  expect((await received('snapshot.created', id)).body.data).toEqual({
    ...{ snapshot_id: id, name: SNAPSHOT.name, database: 'shop', tables: SNAPSHOT.tables },
    ...{ size_bytes: 4096, expires_at },
  });
  const response = await post(`/v1/snapshots/${id}/restore`, { target_database: 'review', overwrite: true });
  const { restore_id } = dataOf<{ restore_id: string }>(response);
  expect((await received('snapshot.restored', id)).body.data).toEqual({
    ...{ snapshot_id: id, restore_id, name: SNAPSHOT.name, target_database: 'review', overwrite: true },
    duration_seconds: expect.any(Number),
  });
});
