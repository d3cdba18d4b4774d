import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { connect, type ConnectionTarget, DatabaseError, parseConnectionUrl } from '@understudy/postgres';
import {
  casesOf,
  createTestDatabase,
  inBoth,
  it,
  sharedTestServices,
  type SharedTestServices,
  type TestDatabase,
  waitFor,
} from '@understudy/testing';
import {
  claimDatabase,
  DatabaseInUseError,
  isSwitched,
  switchDatabases,
  type SwitchRequest,
  withServerSession,
} from '../../src/index.js';

const FIRST = 'understudy job_1 1';
const SECOND = 'understudy job_1 2';

describe('a switch of databases', () => {
  let services: SharedTestServices;
  let admin: TestDatabase;
  /** The target as its owner sees it, who is not a superuser. */
  let target: ConnectionTarget;
  let names: { loading: string; replaced: string };
  let existing: { oid: string };
  let built: { oid: string };
  const visitors: Awaited<ReturnType<typeof connect>>[] = [];

  beforeAll(async () => {
    services = await sharedTestServices({ postgres: true });
    admin = await createTestDatabase(services.postgresUrl, "CREATE ROLE owner LOGIN CREATEDB PASSWORD 'pw'");
    await admin.query("CREATE ROLE visitor LOGIN PASSWORD 'pw'");
  });
  afterAll(() => services.stop());
  beforeEach(async () => {
    const name = `target_${Math.random().toString(36).slice(2)}`;
    names = { loading: `${name}_new`, replaced: `${name}_old` };
    for (const one of [name, names.loading]) await admin.query(`CREATE DATABASE ${one} OWNER owner`);
    const oidOf = async (one: string) => {
      const { rows } = await admin.query('SELECT oid::text FROM pg_database WHERE datname = $1', [one]);
      return { oid: String(rows[0]?.['oid']) };
    };
    [existing, built] = [await oidOf(name), await oidOf(names.loading)];
    target = as('owner', name);
  });
  afterEach(async () => {
    await Promise.all(visitors.splice(0).map((client) => client.end().catch(() => undefined)));
  });

  const as = (user: string, database: string): ConnectionTarget => {
    const url = new URL(`${services.postgresUrl}/${database}`);
    return parseConnectionUrl(Object.assign(url, { username: user, password: 'pw' }).href);
  };
  /** Opens a session in the target. */
  const visit = async (user = 'visitor') => {
    const client = await connect(as(user, target.database), 'target', 'visitor');
    client.on('error', () => undefined); // the switch may end the session
    visitors.push(client);
    return client;
  };
  const change = (request: Partial<SwitchRequest> = {}) =>
    withServerSession(target, (session) =>
      switchDatabases(session, target, names, {
        ...{ change: 'job_1', existing, graceMs: 5_000, signal: new AbortController().signal },
        ...request,
      }),
    );
  const claim = (name: string) =>
    withServerSession(target, ({ client }) => claimDatabase(client, names.loading, name));
  const isDone = async () => [await isSwitched(target, built.oid), await isSwitched(target, existing.oid)];
  const DONE = [true, false];
  const NOT_DONE = [false, true];

  it('waits for sessions and keeps the database open until they have left', async () => {
    const visitor = await visit();
    const running = change({ graceMs: 60_000 });
    const other = await visit();
    expect((await other.query('SELECT 1 AS one')).rows).toEqual([{ one: 1 }]);
    await other.end();
    await visitor.end();
    await running;
    expect(await isDone()).toEqual(DONE);
  });

  it('ends no session without the option', async () => {
    const visitor = await visit();
    const { rows } = await visitor.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
    await expect(change()).rejects.toThrow(`the database is in use by process ${rows[0]?.pid}`);
    expect((await visitor.query('SELECT 1 AS one')).rows).toEqual([{ one: 1 }]);
    expect(await isDone()).toEqual(NOT_DONE);
  });

  it('ends sessions with the option, although clients connect again at once', async () => {
    await admin.query('GRANT pg_signal_backend TO owner');
    let isOver = false;
    const client = async () => {
      while (!isOver) {
        // Its session is ended while it connects, or the name has just got another database.
        const session = await visit().catch(() => undefined);
        await session?.query('SELECT pg_sleep(0.05)').catch(() => undefined);
        await session?.end().catch(() => undefined);
      }
    };
    const clients = Array.from({ length: 4 }, client);
    await change({ graceMs: 20_000, endsSessions: true });
    isOver = true;
    await Promise.all(clients);
    expect(await isDone()).toEqual(DONE);
    await admin.query('REVOKE pg_signal_backend FROM owner');
  });

  it('closes nothing while there are sessions that the role may not end', async () => {
    await visit();
    await expect(change({ endsSessions: true })).rejects.toThrow(DatabaseInUseError);
    await visit();
    expect(await isDone()).toEqual(NOT_DONE);
  });

  it('closes nothing while a transaction in another database locks the database', async () => {
    const other = await connect(as('owner', 'postgres'), 'target');
    visitors.push(other);
    await other.query(`BEGIN; ALTER ROLE owner IN DATABASE ${target.database} SET work_mem = '8MB'`);
    await expect(change()).rejects.toThrow(/^the database is in use by the locks of process \d+$/);
    await other.query('ROLLBACK');
    await change();
    expect(await isDone()).toEqual(DONE);
  });

  it('is refused to an attempt after a later one has claimed the database', async () => {
    await claim(FIRST);
    await claim(SECOND);
    await expect(change({ claim: FIRST })).rejects.toMatchObject({ failure: { code: 'lease_lost' } });
    await expect(claim(FIRST)).rejects.toMatchObject({ failure: { code: 'lease_lost' } });
    expect(await isDone()).toEqual(NOT_DONE);
    await change({ claim: SECOND });
    expect(await isDone()).toEqual(DONE);
  });

  it('is refused without a claim', async () => {
    await expect(change({ claim: FIRST })).rejects.toMatchObject({ failure: { code: 'lease_lost' } });
    await change();
    expect(await isDone()).toEqual(DONE);
  });

  it('leaves the last of many concurrent claims as the only one that may switch', async () => {
    const epochs = [3, 7, 1, 9, 5, 2, 8, 4, 6, 10];
    const results = await Promise.allSettled(epochs.map((epoch) => claim(`understudy job_1 ${epoch}`)));
    for (const result of results)
      if (result.status === 'rejected')
        expect(result.reason).toMatchObject({ failure: { code: 'lease_lost' } });
    for (const epoch of epochs.filter((one) => one < 10))
      await expect(change({ claim: `understudy job_1 ${epoch}` })).rejects.toMatchObject({
        failure: { code: 'lease_lost' },
      });
    await change({ claim: 'understudy job_1 10' });
    expect(await isDone()).toEqual(DONE);
  });

  it('finishes before a claim that comes while it runs, or does not begin', async () => {
    await claim(FIRST);
    const [switching, claiming] = await Promise.allSettled([change({ claim: FIRST }), claim(SECOND)]);
    if (switching.status === 'rejected')
      expect(switching.reason).toMatchObject({ failure: { code: 'lease_lost' } });
    else if (claiming.status === 'rejected') expect(claiming.reason).toBeInstanceOf(DatabaseError);
    expect(await isDone()).toEqual(switching.status === 'fulfilled' ? DONE : NOT_DONE);
  });

  describe('whose process ends while the database is closed', () => {
    const start = (): { readonly agent: ChildProcess; readonly ended: Promise<unknown> } => {
      const agent = fork(join(import.meta.dirname, 'switch-process.mjs'), {
        stdio: ['ipc', 'inherit', 'pipe'],
      });
      agent.send({ target, names, existing });
      return { agent, ended: once(agent, 'exit') };
    };

    it.each(['SIGKILL', 'SIGSTOP'] as const)('is opened by the server itself (%s)', async (signal) => {
      const hanging = await visit('owner');
      const { rows } = await hanging.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
      const pid = rows[0]?.pid ?? 0;
      process.kill(pid, 'SIGSTOP'); // so that the rename waits for this session
      const { agent, ended } = start();
      try {
        await waitFor('the rename to lock the database', async () => {
          const found = await admin.query(
            `SELECT FROM pg_locks WHERE locktype = 'object' AND classid = 'pg_database'::regclass
                AND objid = $1::oid AND mode = 'AccessExclusiveLock' AND granted`,
            [existing.oid],
          );
          return found.rows.length > 0;
        });
        agent.kill(signal);
        const visitor = await visit();
        const { rows: found } = await visitor.query('SELECT current_database() AS name');
        expect(found).toEqual([{ name: target.database }]);
        expect(await isDone()).toEqual(NOT_DONE);
      } finally {
        process.kill(pid, 'SIGCONT');
        agent.kill('SIGKILL');
        await ended;
      }
    });

    inBoth.each(casesOf([5, 0, 2, 10, 20], 2))(
      'is switched or unchanged when it is killed after %i ms',
      async (afterMs) => {
        const { agent, ended } = start();
        await once(agent, 'message');
        await sleep(afterMs);
        agent.kill('SIGKILL');
        await ended;
        const state = await isDone();
        expect([DONE, NOT_DONE]).toContainEqual(state);
        await (await visit()).end();
        if (state[0] !== true) await change({ graceMs: 60_000 });
        expect(await isDone()).toEqual(DONE);
      },
    );
  });
});
