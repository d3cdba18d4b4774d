import { once } from 'node:events';

import {
  createTestDatabase,
  sharedTestServices,
  waitFor,
  type TestDatabase,
  type SharedTestServices,
} from '@understudy/testing';
import { Client } from 'pg';

import { bootstrap } from '../../../src/accounts/organization/bootstrap.js';
import { openDataSource } from '../../../src/platform/persistence/data-source.js';
import { migrate } from '../../../src/platform/persistence/migrate.js';
import { serverEnvironment, startServerProcess, type ServerProcess } from '../harness/server-process.js';

const JOB = {
  name: 'not twice',
  source: { type: 'postgresql', connection_string: 'agent:a' },
  target: { type: 'postgresql', connection_string: 'agent:b' },
  tables: [{ name: 'customers' }],
};
/**
 * The key of an advisory lock. A trigger acquires the lock after a request has taken effect and before its
 * response is stored. A test that holds the lock can kill the server between these two steps.
 */
const GATE = 4711;

let services: SharedTestServices;
let database: TestDatabase;
let token: string;
let server: ServerProcess;
let survivor: ServerProcess;

beforeAll(async () => {
  services = await sharedTestServices();
  database = await createTestDatabase(services.postgresUrl);
  await migrate(database);
  const dataSource = await openDataSource(database);
  const made = await bootstrap(dataSource, { name: 'Acme', plan: 'business', now: new Date() });
  token = made.apiToken;
  await dataSource.destroy();
  await database.query(`
    CREATE FUNCTION wait_at_gate() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN PERFORM pg_advisory_xact_lock_shared(${GATE}); RETURN NEW; END $$;
    CREATE TRIGGER gate BEFORE UPDATE OF status ON idempotency_keys FOR EACH ROW EXECUTE FUNCTION wait_at_gate()`);
  survivor = await startServerProcess(serverEnvironment(services, database.url));
});
beforeEach(async () => {
  if (server?.child.exitCode === null && server.child.signalCode === null) return;
  server = await startServerProcess(serverEnvironment(services, database.url));
});
afterEach(async () => {
  await database.query('TRUNCATE sync_jobs, idempotency_keys CASCADE');
});
afterAll(async () => {
  await server?.kill();
  await survivor?.kill();
  await services?.stop();
});

const post = (at: ServerProcess, key = 'one') =>
  fetch(`${at.url}/v1/sync/jobs`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${token}`,
      'content-type': 'application/json',
      'idempotency-key': key,
    },
    body: JSON.stringify(JOB),
  });
const jobs = async () => (await database.query('SELECT count(*)::int AS n FROM sync_jobs')).rows[0]?.['n'];
const someoneWaits = (what: string) =>
  waitFor('a waiting session', async () => {
    const { rows } = await database.query(
      `SELECT FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND query LIKE $1 AND datname = current_database()`,
      [`%${what}%`],
    );
    return rows.length > 0;
  });
const letOthersTakeOver = () => database.query('UPDATE idempotency_keys SET held_until = now()');

/**
 * Executes the SQL statement `lock` and runs `work` while the acquired lock is held. `release` releases the
 * lock.
 */
async function withLock(lock: string, work: (release: () => Promise<void>) => Promise<void>): Promise<void> {
  const client = new Client({ connectionString: database.url });
  await client.connect();
  try {
    await client.query(`BEGIN; ${lock}`);
    await work(async () => void (await client.query('COMMIT')));
  } finally {
    await client.end();
  }
}
/** A schema of 50 MB for 100,000 records, more than the buffers of a connection hold. */
const LONG = { generators: { a: { type: 'list', values: ['x'.repeat(500)] } }, output: ['a'] };
const QUOTAS = 'LOCK TABLE usage_counters IN EXCLUSIVE MODE';

// Runs before the tests that end the server.
describe('two parallel processes', () => {
  it('cause one effect for twenty requests with one key, and both replay its response', async () => {
    const responses = await Promise.all(
      Array.from({ length: 20 }, (_, i) => post(i % 2 === 0 ? server : survivor, 'twenty')),
    );
    expect(await jobs()).toBe(1);
    expect(responses.every(({ status }) => status === 201 || status === 409)).toBe(true);
    for (const at of [server, survivor]) {
      const again = await post(at, 'twenty');
      expect([again.status, again.headers.get('idempotent-replayed')]).toEqual([201, 'true']);
    }
  });
});

describe('SIGKILL', () => {
  it('before the commit of an effect leaves no effect, and another request can use the key', async () => {
    await withLock(QUOTAS, async (release) => {
      const cut = post(server).catch(() => 'cut');
      await someoneWaits('usage_counters');
      await server.kill();
      expect(await cut).toBe('cut');
      await release();
    });
    expect((await post(survivor)).status).toBe(409); // no process knows yet that the holder has died
    await letOthersTakeOver();
    expect([(await post(survivor)).status, await jobs()]).toEqual([201, 1]);
  });

  it('between an effect and the record of its response causes no second effect', async () => {
    await withLock(`SELECT pg_advisory_xact_lock(${GATE})`, async (release) => {
      const cut = post(server).catch(() => 'cut');
      await someoneWaits('SET status');
      await server.kill();
      expect(await cut).toBe('cut');
      // The session of a dead server continues until it writes. The test ends this session before.
      await database.query(
        `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE query LIKE '%SET status%' AND wait_event = 'advisory'`,
      );
      await release();
    });
    await letOthersTakeOver();
    const again = await post(survivor);
    expect([again.status, await again.text()]).toEqual([
      409,
      expect.stringContaining('succeeded, but its response was lost'),
    ]);
    expect(await jobs()).toBe(1);
  });
});

describe('SIGTERM', () => {
  it('lets running requests finish and exits with 0', async () => {
    const ended = once(server.child, 'exit');
    await withLock(QUOTAS, async (release) => {
      const response = post(server);
      await someoneWaits('usage_counters');
      server.child.kill('SIGTERM');
      await waitFor(
        'the door to be closed',
        async () => (await fetch(server.url).catch(() => 'no')) === 'no',
      );
      await release();
      expect((await response).status).toBe(201);
    });
    expect([await ended, await jobs()]).toEqual([[0, null], 1]);
  });

  it('cancels requests that do not finish within ten seconds and exits with 0', async () => {
    const unread = await fetch(`${server.url}/v1/generate`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify({ schema: LONG, count: 100_000, format: 'ndjson' }),
    });
    await withLock(QUOTAS, async (release) => {
      const waiting = post(server);
      await someoneWaits('usage_counters');
      expect(await server.stop()).toBe(0);
      expect((await waiting).status).toBe(503);
      await expect(unread.text()).rejects.toThrow('terminated');
      await release();
    });
    await letOthersTakeOver();
    expect([(await post(survivor)).status, await jobs()]).toEqual([201, 1]);
  });
});
