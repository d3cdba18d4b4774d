import { waitFor } from '@understudy/testing';
import { DataSource } from 'typeorm';

import { type Operation, takesKey } from '../../../src/platform/http/operations/operation.js';
import { OPERATIONS, type OperationId } from '../../../src/api-description/operations.js';
import { modelForm } from '../harness/model-files.js';
import { pathOf, sampleBody, sampleFor } from '../harness/sample-requests.js';
import { startControlPlane, type ApiResponse, type ControlPlane } from '../harness/start-control-plane.js';

const ROWS: readonly (Operation & { id: OperationId })[] = OPERATIONS;
const JOB = sampleBody('createSyncJob') as Record<string, unknown>;

let plane: ControlPlane;
let peer: { readonly url: string; stop(): Promise<void> };
beforeAll(async () => {
  plane = await startControlPlane({ idempotency: { sweepMs: 100 } });
  peer = await plane.startPeer();
});
afterAll(async () => {
  await peer?.stop();
  await plane?.stop();
});

let keys = 0;
const newKey = () => `canary-key-${++keys}`;
const organization = async (plan: 'free' | 'business' = 'business') => {
  const orgId = await plane.addOrganization(plan);
  return { orgId, ...(await plane.addToken({ orgId })) };
};
const post = (path: string, key: string, body: unknown, token = plane.token, at?: string) =>
  plane.request(path, {
    method: 'POST',
    token,
    headers: { 'idempotency-key': key },
    ...(body === undefined ? {} : { body }),
    ...(at ? { at } : {}),
  });
const dataOf = ({ body }: ApiResponse) => (body as unknown as { data: Record<string, unknown> }).data;
const jobsOf = async (orgId: string) => {
  const [row] = await plane.query('SELECT count(*)::int AS n FROM sync_jobs WHERE organization_id = $1', [
    orgId,
  ]);
  return row?.['n'];
};
const metaOf = ({ body }: ApiResponse) => (body as unknown as { meta: Record<string, unknown> }).meta;
const replayed = ({ headers }: ApiResponse) => headers.get('idempotent-replayed');
const OTHER_BODY = {
  error: { code: 'validation_error', details: [{ field: 'Idempotency-Key', message: expect.any(String) }] },
};

describe('a POST with an Idempotency-Key', () => {
  const withKey = ROWS.filter(takesKey);

  it.each(withKey.map((row) => [row.path, row] as const))('%s has its effect only once', async (_, row) => {
    const owner = { orgId: plane.orgId, token: plane.token };
    const id = await sampleFor(plane, owner, row);
    const path = pathOf(row, id);
    const key = newKey();
    const body = row.id === 'uploadModel' ? modelForm({ name: key }) : sampleBody(row.id);
    const first = await post(path, key, body);
    expect([first.status, replayed(first)]).toEqual([row.status, null]);
    const [kept] = await plane.query(
      `SELECT effect_at IS NOT NULL AS marked, status FROM idempotency_keys WHERE holder = $1`,
      [first.headers.get('x-request-id')],
    );
    // The transaction of the effect has also marked the key.
    expect(kept).toEqual({ marked: true, status: row.status });

    const again = await post(path, key, body, plane.token, peer.url);
    expect([again.status, replayed(again)]).toEqual([row.status, 'true']);
    expect(again.headers.get('location')).toBe(first.headers.get('location'));
    const shown = Object.entries(dataOf(first)).filter(([name]) => !(row.secrets ?? []).includes(name));
    expect(dataOf(again)).toEqual(Object.fromEntries(shown));
    expect(Object.keys(metaOf(again))).toEqual(Object.keys(metaOf(first)));
    for (const name of row.secrets ?? []) expect(again.text).not.toContain(dataOf(first)[name]);

    const other = body instanceof FormData ? modelForm({ name: `${key}-2` }) : { ...body, surprise: 1 };
    const refused = await post(path, key, other);
    expect([refused.status, refused.body]).toMatchObject([422, OTHER_BODY]);
  });

  it('repeats the warnings of the first response', async () => {
    const words = {
      type: 'model',
      source: 'en_US/words',
      generation: { mode: 'poem' },
      constraints: { max_length: 9 },
    };
    const body = {
      method: 'GET',
      path: '/warned',
      schema: { generators: { words }, output: ['words'] },
      response: { count: 1 },
    };
    const key = newKey();
    const [first, again] = [
      await post('/v1/mock/endpoints', key, body),
      await post('/v1/mock/endpoints', key, body),
    ];
    expect([first.status, again.status, replayed(again)]).toEqual([201, 201, 'true']);
    expect(metaOf(first)['warnings']).toEqual([{ field: expect.any(String), message: expect.any(String) }]);
    expect(metaOf(again)['warnings']).toEqual(metaOf(first)['warnings']);
  });

  it('has one effect if it is sent twenty times in parallel to two servers', async () => {
    const { orgId, token } = await organization();
    const key = newKey();
    const send = (i: number) => post('/v1/sync/jobs', key, JOB, token, i % 2 === 0 ? peer.url : undefined);
    const responses = await Promise.all(Array.from({ length: 20 }, (_, i) => send(i)));
    expect(await jobsOf(orgId)).toBe(1);
    expect(
      responses.filter((response) => response.status === 201 && replayed(response) === null),
    ).toHaveLength(1);
    for (const response of responses.filter(({ status }) => status !== 201))
      expect([response.status, response.body, response.headers.get('retry-after')]).toMatchObject([
        409,
        { error: { code: 'conflict' } },
        '1',
      ]);
    const later = await send(0);
    expect([later.status, replayed(later), await jobsOf(orgId)]).toEqual([201, 'true', 1]);
    expect(dataOf(later)).toEqual(dataOf(responses.find(({ status }) => status === 201) as ApiResponse));
  });

  it('is separate for each organisation and route', async () => {
    const [one, other] = [await organization(), await organization()];
    const key = newKey();
    for (const { token } of [one, other]) {
      const response = await post('/v1/sync/jobs', key, JOB, token);
      expect([response.status, replayed(response)]).toEqual([201, null]);
    }
    const elsewhere = await post('/v1/tokens', key, { name: 'x', role: 'viewer' }, one.token);
    expect([elsewhere.status, replayed(elsewhere)]).toEqual([201, null]);
    const colleague = await plane.addToken({ orgId: one.orgId });
    expect(replayed(await post('/v1/sync/jobs', key, JOB, colleague.token))).toBe('true');
    const viewer = await plane.addToken({ orgId: one.orgId, role: 'viewer' });
    expect((await post('/v1/sync/jobs', key, JOB, viewer.token)).status).toBe(403);
  });

  it('may use its key again after a refusal, also with a corrected body', async () => {
    const { orgId, token } = await organization('free');
    const key = newKey();
    expect((await post('/v1/sync/jobs', key, {}, token)).status).toBe(422);
    const month = new Date().toISOString().slice(0, 7);
    await plane.query(`INSERT INTO usage_counters VALUES ($1, 'sync_jobs', $2, 5)`, [orgId, month]);
    expect((await post('/v1/sync/jobs', key, JOB, token)).status).toBe(402);
    await plane.query(`UPDATE organizations SET plan = 'team' WHERE id = $1`, [orgId]);
    expect((await post('/v1/sync/jobs', key, JOB, token)).status).toBe(201);
    expect(await jobsOf(orgId)).toBe(1);
  });

  it.each(['', 'a b', 'ü', 'x'.repeat(256)])('is refused if the key is %j', async (key) => {
    const response = await post('/v1/sync/jobs', key, JOB);
    expect([response.status, response.body]).toMatchObject([422, OTHER_BODY]);
  });

  it('is ignored for POST /v1/generate and for requests without a caller', async () => {
    const key = newKey();
    for (let i = 0; i < 2; i++)
      expect(replayed(await post('/v1/generate', key, sampleBody('generate')))).toBeNull();
    expect((await post('/v1/org/members/accept', key, sampleBody('acceptInvitation'))).status).toBe(401);
    expect(await plane.query(`SELECT FROM idempotency_keys WHERE operation IN ('generate')`)).toEqual([]);
  });
});

describe('a stored idempotency key', () => {
  it('contains neither the key itself, nor the body, nor a secret', async () => {
    const { orgId, token } = await organization();
    await plane.addAgent({ orgId });
    const url = 'postgresql://user:canary-password@db.example/shop';
    const source = { type: 'postgresql', connection_string: url };
    await post('/v1/sync/jobs', newKey(), { ...JOB, source }, token);
    const made = await post('/v1/tokens', newKey(), { name: 'x', role: 'viewer' }, token);
    const rows = await plane.query(
      'SELECT k::text AS row FROM idempotency_keys k WHERE organization_id = $1',
      [orgId],
    );
    expect(rows).toHaveLength(2);
    const text = JSON.stringify(rows);
    expect(text).not.toMatch(/canary/);
    expect(text).not.toContain(dataOf(made)['token']);
    expect(text).not.toContain(Buffer.from('canary').toString('hex'));
  });

  it('is deleted after its time, and the request then has a new effect', async () => {
    const { orgId, token } = await organization();
    const key = newKey();
    await post('/v1/sync/jobs', key, JOB, token);
    await plane.query('UPDATE idempotency_keys SET expires_at = now() WHERE organization_id = $1', [orgId]);
    await waitFor('the deletion of expired keys', async () => {
      const left = await plane.query('SELECT FROM idempotency_keys WHERE organization_id = $1', [orgId]);
      return left.length === 0;
    });
    const again = await post('/v1/sync/jobs', key, { ...JOB, name: 'another body' }, token);
    expect([again.status, replayed(again), await jobsOf(orgId)]).toEqual([201, null, 2]);
    const [kept] = await plane.query(
      `SELECT extract(epoch FROM expires_at - held_until)::int AS seconds FROM idempotency_keys WHERE organization_id = $1`,
      [orgId],
    );
    expect(kept).toEqual({ seconds: 24 * 3_600 - 30 });
  });

  it('rolls back a slow request whose key another request has taken over', async () => {
    const { orgId, token } = await organization();
    const key = newKey();
    const holder = async () => {
      const [row] = await plane.query('SELECT holder FROM idempotency_keys WHERE organization_id = $1', [
        orgId,
      ]);
      return row?.['holder'];
    };
    const lock = plane.app.get(DataSource).createQueryRunner();
    await lock.startTransaction();
    await lock.query('LOCK TABLE usage_counters IN EXCLUSIVE MODE');
    const slow = post('/v1/sync/jobs', key, JOB, token);
    const first = await waitFor('the first request to hold the key', holder);
    await waitFor('the request to wait in its transaction', async () => {
      const waiting = await plane.query(
        `SELECT FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND query LIKE '%usage_counters%' AND datname = current_database()`,
      );
      return waiting.length > 0;
    });
    expect((await post('/v1/sync/jobs', key, JOB, token, peer.url)).status).toBe(409);
    await plane.query('UPDATE idempotency_keys SET held_until = now() WHERE organization_id = $1', [orgId]);
    const second = post('/v1/sync/jobs', key, JOB, token, peer.url);
    await waitFor('the second request to hold the key', async () => (await holder()) !== first);
    await lock.commitTransaction();
    await lock.release();
    expect([(await slow).status, (await second).status]).toEqual([409, 201]);
    expect(await jobsOf(orgId)).toBe(1);
    expect(dataOf(await post('/v1/sync/jobs', key, JOB, token))).toEqual(dataOf(await second));
  });

  it('may be deleted while the relay of its request is still running', async () => {
    const { orgId, token } = await organization();
    await post('/v1/sync/jobs', newKey(), JOB, token);
    await plane.query('DELETE FROM idempotency_keys WHERE organization_id = $1', [orgId]);
    const jobs = await Promise.all([1, 2, 3].map(() => post('/v1/sync/jobs', newKey(), JOB, token)));
    expect(jobs.map(({ status }) => status)).toEqual([201, 201, 201]);
    await waitFor('the relay to read the outbox', async () => {
      const [row] = await plane.query('SELECT count(*)::int AS n FROM outbox WHERE published_at IS NULL');
      return row?.['n'] === 0;
    });
  });
});
