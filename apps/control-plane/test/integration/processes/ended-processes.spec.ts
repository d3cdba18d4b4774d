import { once } from 'node:events';

import {
  createTestDatabase,
  startTestServices,
  waitFor,
  type TestDatabase,
  type TestServices,
} from '@understudy/testing';
import { Client } from 'pg';

import { bootstrap } from '../../../src/organization/bootstrap.js';
import { openDataSource } from '../../../src/persistence/data-source.js';
import { migrate } from '../../../src/persistence/migrate.js';
import { serverEnvironment, startServerProcess, type ServerProcess } from '../harness/server-process.js';

const JOB = {
  name: 'not twice',
  source: { type: 'postgresql', connection_string: 'agent:a' },
  target: { type: 'postgresql', connection_string: 'agent:b' },
  tables: [{ name: 'customers' }],
};
/** Taken by the trigger below and by tests: stands between an effect and the record of its answer. */
const GATE = 4711;

let services: TestServices;
let database: TestDatabase;
let token: string;
let server: ServerProcess;
let survivor: ServerProcess;

beforeAll(async () => {
  services = await startTestServices();
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
  server = await startServerProcess(serverEnvironment(services, database.url));
});
afterEach(async () => {
  await server?.kill();
  await database.query('TRUNCATE sync_jobs, idempotency_keys CASCADE');
});
afterAll(async () => {
  await survivor?.kill();
  await database?.drop();
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
  waitFor('a session to wait', async () => {
    const { rows } = await database.query(
      `SELECT FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND query LIKE $1 AND datname = current_database()`,
      [`%${what}%`],
    );
    return rows.length > 0;
  });
const letOthersTakeOver = () => database.query('UPDATE idempotency_keys SET held_until = now()');

/** Runs work while a lock is held that others wait for. */
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
const QUOTAS = 'LOCK TABLE usage_counters IN EXCLUSIVE MODE';

describe('SIGKILL', () => {
  it('before the commit of an effect leaves nothing, and the key to whoever comes next', async () => {
    await withLock(QUOTAS, async (release) => {
      const cut = post(server).catch(() => 'cut');
      await someoneWaits('usage_counters');
      await server.kill();
      expect(await cut).toBe('cut');
      await release();
    });
    expect((await post(survivor)).status).toBe(409); // nobody knows yet that its holder is gone
    await letOthersTakeOver();
    expect([(await post(survivor)).status, await jobs()]).toEqual([201, 1]);
  });

  it('between an effect and the record of its answer does not lead to a second effect', async () => {
    await withLock(`SELECT pg_advisory_xact_lock(${GATE})`, async (release) => {
      const cut = post(server).catch(() => 'cut');
      await someoneWaits('SET status');
      await server.kill();
      expect(await cut).toBe('cut');
      // The session of a server that is gone goes on until it writes; this one must not.
      await database.query(
        `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE query LIKE '%SET status%' AND wait_event = 'advisory'`,
      );
      await release();
    });
    await letOthersTakeOver();
    const again = await post(survivor);
    expect([again.status, await again.text()]).toEqual([409, expect.stringContaining('was carried out')]);
    expect(await jobs()).toBe(1);
  });
});

describe('SIGTERM', () => {
  it('lets requests under way finish, and ends with 0', async () => {
    const ended = once(server.child, 'exit');
    await withLock(QUOTAS, async (release) => {
      const answer = post(server);
      await someoneWaits('usage_counters');
      server.child.kill('SIGTERM');
      await waitFor(
        'the door to be closed',
        async () => (await fetch(server.url).catch(() => 'no')) === 'no',
      );
      await release();
      expect((await answer).status).toBe(201);
    });
    expect([await ended, await jobs()]).toEqual([[0, null], 1]);
  });

  it('gives up within ten seconds what does not finish, and ends with 0', async () => {
    await withLock(QUOTAS, async (release) => {
      const cut = post(server).catch(() => 'cut');
      await someoneWaits('usage_counters');
      expect(await server.stop()).toBe(0);
      expect(await cut).toBe('cut');
      await release();
    });
    await letOthersTakeOver();
    expect([(await post(survivor)).status, await jobs()]).toEqual([201, 1]);
  });
});

describe('two processes side by side', () => {
  it('have one effect of twenty requests with one key, and both replay it', async () => {
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, i) => post(i % 2 === 0 ? server : survivor, 'twenty')),
    );
    expect(await jobs()).toBe(1);
    expect(answers.every(({ status }) => status === 201 || status === 409)).toBe(true);
    for (const at of [server, survivor]) {
      const again = await post(at, 'twenty');
      expect([again.status, again.headers.get('idempotent-replayed')]).toEqual([201, 'true']);
    }
  });
});
