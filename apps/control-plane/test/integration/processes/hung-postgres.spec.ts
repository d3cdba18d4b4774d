import { once } from 'node:events';

import { sharedTestServices, waitFor } from '@understudy/testing';
import pg from 'pg';

import { WIDE } from '../harness/generation-schemas.js';
import { openResponse, readToEnd } from '../harness/open-response.js';
import { sampleBody } from '../harness/sample-requests.js';
import { StallingRelay } from '../harness/stalling-relay.js';
import { startControlPlane, type ApiResponse, type ControlPlane } from '../harness/start-control-plane.js';

let relay: StallingRelay;
let plane: ControlPlane;
/** A session of the server that does not use the relay, in another database. */
let admin: pg.Client;
beforeAll(async () => {
  const services = await sharedTestServices();
  const started = await StallingRelay.start(services.postgresUrl);
  relay = started.relay;
  admin = new pg.Client({ connectionString: `${services.postgresUrl}/postgres` });
  await admin.connect();
  plane = await startControlPlane({}, { ...services, postgresUrl: started.url });
});
afterEach(() => relay.resume());
afterAll(async () => {
  await admin?.end();
  await plane?.stop();
  await relay?.stop();
});

const UNAVAILABLE = [503, { error: { code: 'unavailable' } }, '2'];
const resultOf = ({ status, body, headers }: ApiResponse) => [status, body, headers.get('retry-after')];
const postJob = (key: string, token = plane.token) =>
  plane.request('/v1/sync/jobs', {
    method: 'POST',
    body: sampleBody('createSyncJob'),
    headers: { 'idempotency-key': key },
    token,
  });
const generate = (token = plane.token) =>
  plane.request('/v1/generate', { method: 'POST', body: sampleBody('generate'), token });
const idOf = ({ body }: ApiResponse) => (body as unknown as { data: { id: string } }).data.id;
const organization = async () => {
  const orgId = await plane.addOrganization();
  return { orgId, ...(await plane.addToken({ orgId })) };
};
const jobsOf = async (orgId: string) =>
  (await plane.query('SELECT FROM sync_jobs WHERE organization_id = $1', [orgId])).length;
/** The commit of a transaction that has the effect of a request with a key. */
const EFFECT = 'SET effect_at';

describe('a PostgreSQL server that does not respond', () => {
  it('ends every request with 503, and serves requests again after it responds', async () => {
    expect((await generate()).status).toBe(200);
    const { token } = await organization();
    relay.stall();
    const responses = await Promise.all([
      generate(token),
      plane.request('/v1/org'),
      plane.request('/v1/sync/jobs', { token }),
      postJob('hung'),
      postJob('hung', token),
    ]);
    expect(responses.map(resultOf)).toMatchObject(responses.map(() => UNAVAILABLE));
    relay.resume();
    await waitFor('a request that is served', async () => (await plane.request('/v1/org')).status === 200);
    expect([(await generate()).status, (await postJob('again')).status]).toEqual([200, 201]);
  });

  it('does not end a stream whose body has begun', async () => {
    const stream = await openResponse(plane, { schema: WIDE, count: 40_000, seed: 5, format: 'ndjson' });
    relay.stall();
    expect(resultOf(await plane.request('/v1/org'))).toMatchObject(UNAVAILABLE);
    const { bytes, aborted } = await readToEnd(stream);
    expect([aborted, bytes.toString().split('\n').length - 1]).toEqual([false, 40_000]);
  });
});

describe('a request whose COMMIT gets no response', () => {
  it('has its effect once if the server received the COMMIT, and a repeat reports that', async () => {
    const { orgId, token } = await organization();
    const stalled = relay.stallCommit({ transaction: EFFECT, forwardsCommit: true });
    expect(resultOf(await postJob('lost', token))).toMatchObject(UNAVAILABLE);
    (await stalled).destroy();
    await plane.query('UPDATE idempotency_keys SET held_until = now() WHERE organization_id = $1', [orgId]);
    const again = await postJob('lost', token);
    expect([again.status, again.body, await jobsOf(orgId)]).toMatchObject([
      409,
      { error: { message: expect.stringContaining('succeeded, but its response was lost') } },
      1,
    ]);
  });

  it('has its effect in a repeat if the server has not received the COMMIT', async () => {
    const { orgId, token } = await organization();
    const stalled = relay.stallCommit({ transaction: EFFECT, forwardsCommit: false });
    expect(resultOf(await postJob('unsent', token))).toMatchObject(UNAVAILABLE);
    // The transaction stays open on the server, with its lock on the key. A repeat waits for the lock.
    expect(resultOf(await postJob('unsent', token))).toMatchObject(UNAVAILABLE);
    const upstream = await stalled;
    upstream.destroy();
    await once(upstream, 'close');
    await waitFor('the rollback', async () => {
      const open = await plane.query(
        `SELECT FROM pg_stat_activity WHERE state LIKE 'idle in transaction%' AND query LIKE '%${EFFECT}%'`,
      );
      return open.length === 0;
    });
    await plane.query('UPDATE idempotency_keys SET held_until = now() WHERE organization_id = $1', [orgId]);
    const [again, last] = [await postJob('unsent', token), await postJob('unsent', token)];
    expect([again.status, last.status, idOf(last), await jobsOf(orgId)]).toEqual([201, 201, idOf(again), 1]);
  });
});

describe('a database that accepts no connections', () => {
  it('causes 503, because it may accept them later', async () => {
    const [database] = await plane.query('SELECT current_database() AS name');
    const name = String(database?.['name']);
    await admin.query(`ALTER DATABASE ${name} ALLOW_CONNECTIONS false`);
    try {
      await admin.query('SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = $1', [name]);
      for (let i = 0; i < 10; i++)
        expect(resultOf(await plane.request('/v1/org'))).toMatchObject(UNAVAILABLE);
    } finally {
      await admin.query(`ALTER DATABASE ${name} ALLOW_CONNECTIONS true`);
    }
    await waitFor('a request that is served', async () => (await plane.request('/v1/org')).status === 200);
  });
});
