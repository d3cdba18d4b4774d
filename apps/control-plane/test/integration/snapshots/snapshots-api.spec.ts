import { generateKeyPair, open, sealingPurpose } from '@understudy/agent-protocol/sealed-box';

import { startFakeAgent, type FakeAgent } from '../harness/fake-agent.js';
import { startControlPlane, type ApiResponse, type ControlPlane } from '../harness/start-control-plane.js';

const URL_TEXT = 'postgresql://app:the-secret-word@db.example:5432/shop';
const SNAPSHOT = { name: 'nightly', database: 'shop_staging', tables: ['customers'] };

interface Snapshot {
  readonly id: string;
  readonly name: string;
  readonly database: string;
}
interface Refusal {
  readonly error: { readonly code: string; readonly details?: { field: string; message: string }[] };
}

let plane: ControlPlane;
const agents: FakeAgent[] = [];
beforeAll(async () => {
  plane = await startControlPlane({ syncJobs: { reconcileMs: 200 } });
});
afterAll(async () => {
  await Promise.all(agents.map((agent) => agent.stop()));
  await plane?.stop();
});

const data = (response: ApiResponse) => (response.body as unknown as { data: Snapshot }).data;
const refusal = (response: ApiResponse) => (response.body as unknown as Refusal).error;
const post = (body: unknown, path = '', token = plane.token) =>
  plane.request(`/v1/snapshots${path}`, { method: 'POST', body, token });

describe('POST /v1/snapshots', () => {
  it('returns 201 with the snapshot and its location', async () => {
    const response = await post({ ...SNAPSHOT, expires_in_days: 7 });
    const { id } = data(response);
    expect(response.status).toBe(201);
    expect(response.headers.get('location')).toBe(`/v1/snapshots/${id}`);
    expect(data(response)).toMatchObject({
      ...SNAPSHOT,
      status: 'creating',
      size_bytes: 0,
      attempts: 0,
      agent_id: null,
      error: null,
      progress: { phase: null, tables_total: null },
    });
  });

  it('reports all problems together with their paths, without quoting values', async () => {
    const response = await post({
      name: '',
      database: '../../etc/secret-name',
      tables: ['ok', 'ok', 'a.b.c'],
      expires_in_days: 0,
    });
    expect([response.status, refusal(response).code]).toEqual([422, 'validation_error']);
    expect(refusal(response).details?.map(({ field }) => field)).toEqual(
      expect.arrayContaining(['name', 'expires_in_days']),
    );
    const names = await post({ ...SNAPSHOT, database: '../secret-name', tables: ['ok', 'ok', 'a.b.c'] });
    expect(refusal(names).details?.map(({ field }) => field)).toEqual(['database', 'tables[1]', 'tables[2]']);
    expect(names.text).not.toContain('secret-name');
  });

  it.each([
    { database: '' },
    { database: 'a\0b' },
    { database: 'x'.repeat(300) },
    { database: 'mysql://h/d' },
    { database: 7 },
    { name: 'x'.repeat(201) },
    { tables: ['a\0b'] },
    { tables: ['x'.repeat(300)] },
    { tables: ['../customers'] },
    { tables: 'customers' },
    { tables: Array.from({ length: 10_001 }, (_, n) => `t${n}`) },
    { expires_in_days: 366 },
    { expires_in_days: 1.5 },
    { expires_in_days: '30' },
    { surprise: true },
  ])('refuses %j', async (changes) => {
    expect((await post({ ...SNAPSHOT, ...changes })).status).toBe(422);
  });

  it('seals a URL to the agents and shows only the name of its database', async () => {
    const orgId = await plane.addOrganization();
    const { token } = await plane.addToken({ orgId });
    expect((await post({ ...SNAPSHOT, database: URL_TEXT }, '', token)).status).toBe(409); // there is no agent to seal it to
    const keys = await generateKeyPair();
    const agentId = await plane.addAgent({ orgId, sealingKey: keys.publicKey });
    await plane.query('UPDATE agents SET snapshot_store = $2 WHERE id = $1', [agentId, '0'.repeat(32)]);
    const response = await post({ ...SNAPSHOT, database: URL_TEXT }, '', token);
    expect([response.status, data(response).database]).toEqual([201, 'shop']);
    expect(response.text).not.toMatch(/the-secret-word|db\.example/);
    const [row] = await plane.query('SELECT * FROM snapshots WHERE id = $1', [data(response).id]);
    expect(JSON.stringify(row)).not.toMatch(/the-secret-word|db\.example/);
    const { by_agent } = row?.['database'] as {
      by_agent: Record<string, { encapsulated_key: string; ciphertext: string }>;
    };
    const box = by_agent[agentId];
    const purpose = sealingPurpose({ organizationId: orgId, jobId: data(response).id, field: 'source' });
    const sealed = {
      encapsulatedKey: Buffer.from(box?.encapsulated_key ?? '', 'base64'),
      ciphertext: Buffer.from(box?.ciphertext ?? '', 'base64'),
    };
    expect(Buffer.from(await open(keys.privateKey, sealed, purpose)).toString()).toBe(URL_TEXT);
    // An ended snapshot needs no URL, so it is deleted.
    await plane.request(`/v1/snapshots/${data(response).id}`, { method: 'DELETE', token });
    expect(await plane.query('SELECT id FROM snapshots WHERE id = $1', [data(response).id])).toEqual([]);
  });

  it('refuses more snapshots than the plan allows, until one is deleted', async () => {
    const orgId = await plane.addOrganization('free');
    const { token } = await plane.addToken({ orgId });
    const made = [await post(SNAPSHOT, '', token), await post(SNAPSHOT, '', token)];
    const over = await post(SNAPSHOT, '', token);
    expect([over.status, refusal(over).code]).toEqual([402, 'quota_exceeded']);
    const usage = async () =>
      ((await plane.request('/v1/org', { token })).body as unknown as { data: { usage: object } }).data.usage;
    expect(await usage()).toMatchObject({ snapshots: { used: 2, limit: 2 } });
    const [first] = made;
    if (first === undefined) throw new Error('expected a snapshot');
    await plane.request(`/v1/snapshots/${data(first).id}`, { method: 'DELETE', token });
    expect(await usage()).toMatchObject({ snapshots: { used: 1 } });
    expect((await post(SNAPSHOT, '', token)).status).toBe(201);
  });
});

describe('GET /v1/snapshots', () => {
  it('lists only the snapshots of one organisation, newest first, in pages', async () => {
    const orgId = await plane.addOrganization();
    const { token } = await plane.addToken({ orgId });
    for (const name of ['a', 'b', 'c']) await post({ ...SNAPSHOT, name }, '', token);
    const page = async (query: string) => {
      const { body } = await plane.request(`/v1/snapshots${query}`, { token });
      const { data: listed } = body as unknown as { data: { snapshots: Snapshot[]; total: number } };
      return [listed.snapshots.map(({ name }) => name).join(''), listed.total];
    };
    expect(await page('')).toEqual(['cba', 3]);
    expect(await page('?per_page=2&page=2')).toEqual(['a', 3]);
    expect(await page('?page=9')).toEqual(['', 3]);
    expect((await plane.request('/v1/snapshots?per_page=101', { token })).status).toBe(422);
  });

  it('filters by status and by a part of the name, and leaves tables out on request', async () => {
    const orgId = await plane.addOrganization();
    const { token } = await plane.addToken({ orgId });
    const names = ['creating', 'failed 100%', 'ready', 'expired', 'deleting'];
    for (const name of names) await post({ ...SNAPSHOT, name, tables: ['orders'] }, '', token);
    const set = (name: string, change: string) =>
      plane.query(`UPDATE snapshots SET ${change} WHERE organization_id = $1 AND name = $2`, [orgId, name]);
    const made = `status = 'completed', completed_at = now(), made = '{"tableCount": 1, "serverVersion": 170000}'`;
    await set(
      'failed 100%',
      `status = 'failed', completed_at = now(), error_code = 'x', error_message = 'x'`,
    );
    for (const name of ['ready', 'expired', 'deleting']) await set(name, made);
    await set('expired', 'expired_at = now()');
    await set('deleting', 'expired_at = now(), delete_requested_at = now()');
    const listed = async (query: string) => {
      const { body, status } = await plane.request(`/v1/snapshots?${query}`, { token });
      if (status !== 200) return status;
      const { data: found } = body as unknown as { data: { snapshots: Snapshot[]; total: number } };
      return [found.total, ...found.snapshots.map(({ name }) => name)];
    };
    for (const [status, name] of Object.entries({
      creating: 'creating',
      failed: 'failed 100%',
      ready: 'ready',
    }))
      expect(await listed(`status=${status}`)).toEqual([1, name]);
    expect(await listed('status=expired')).toEqual([1, 'expired']);
    expect(await listed('status=deleting')).toEqual([1, 'deleting']);
    expect(await listed('name=ING')).toEqual([2, 'deleting', 'creating']);
    expect(await listed('name=100%25')).toEqual([1, 'failed 100%']);
    expect(await listed('name=ing&status=ready')).toEqual([0]);
    for (const query of ['status=lost', 'status=ready,failed', 'name=', 'tables=some'])
      expect(await listed(query)).toBe(422);
    const tables = async (query: string) => {
      const { body } = await plane.request(`/v1/snapshots?name=creating${query}`, { token });
      return (body as unknown as { data: { snapshots: { tables: string[] }[] } }).data.snapshots[0]?.tables;
    };
    expect([await tables(''), await tables('&tables=none')]).toEqual([['orders'], []]);
  });
});

describe('POST /v1/snapshots/:id/restore', () => {
  it.each([
    {},
    { target_database: '../x' },
    { target_database: 'x', overwrite: 'yes' },
    { target_database: '' },
  ])('refuses %j', async (body) => {
    const { id } = data(await post(SNAPSHOT));
    expect((await post(body, `/${id}/restore`)).status).toBe(422);
  });

  it('refuses a snapshot that is not ready and an unknown one', async () => {
    const { id } = data(await post(SNAPSHOT));
    expect((await post({ target_database: 'x' }, `/${id}/restore`)).status).toBe(409);
    for (const unknown of ['snap_01ARZ3NDEKTSV4RRFFQ69G5FAV', 'x', '..%2F..', '%00', 'x'.repeat(300)])
      expect((await post({ target_database: 'x' }, `/${unknown}/restore`)).status).toBe(404);
  });
});

describe('the audit log', () => {
  it('records the requests for snapshots with the name of the caller', async () => {
    const orgId = await plane.addOrganization();
    const { token } = await plane.addToken({ orgId });
    const agent = await startFakeAgent(plane, { orgId });
    agents.push(agent);
    await agent.beat();
    const { id } = data(await post({ ...SNAPSHOT, database: URL_TEXT }, '', token));
    await plane.request(`/v1/snapshots/${id}`, { method: 'DELETE', token });
    const { body, text } = await plane.request('/v1/audit-log', { token });
    const { entries } = (body as unknown as { data: { entries: object[] } }).data;
    expect(entries).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ action: 'snapshot.created', target: { type: 'snapshot', id } }),
        expect.objectContaining({ action: 'snapshot.deleted', target: { type: 'snapshot', id } }),
      ]),
    );
    expect(text).not.toContain('the-secret-word');
  });
});
