import { Client } from 'pg';
import { casesOf, inBoth, inRelease, it, waitFor } from '@understudy/testing';
import type { EngineLog } from '@understudy/postgres';
import { SyncJobError } from '@understudy/sync-job';
import { lockHolders } from '../../../src/stage/switch/switch-locks.js';
import type { ReachStep } from '../../../src/sync-steps.js';
import { contentOf, dumpOf, leftovers, type Scene, setScene, TABLES } from './staging-scene.js';
import { type Outcome, SyncHarness } from '../sync-harness.js';

const FOREVER_MS = 3_600_000;

/** A session that keeps a table locked in an open transaction. */
class Reader {
  private constructor(
    private readonly client: Client,
    readonly pid: number,
  ) {}

  static async open(url: string, sql: string): Promise<Reader> {
    const client = new Client({ connectionString: url });
    await client.connect();
    const { rows } = await client.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
    await client.query(`BEGIN; ${sql}`);
    return new Reader(client, rows[0]?.pid ?? 0);
  }

  close(): Promise<void> {
    return this.client.end();
  }
}

/** A log that lets a test wait for the first message about locks. */
class Listener {
  readonly lockMessage: Promise<string>;
  errors = '';
  warnings = '';
  readonly log: EngineLog;

  constructor() {
    let report: (message: string) => void = () => undefined;
    this.lockMessage = new Promise((resolve) => (report = resolve));
    this.log = {
      error: (facts) => (this.errors += JSON.stringify(facts)),
      warn: (facts, message) => {
        this.warnings += JSON.stringify(facts);
        if (message.includes('locked by')) report(message);
      },
      info: () => undefined,
      debug: () => undefined,
    };
  }
}

describe('a job whose target tables are locked', () => {
  let harness: SyncHarness;
  let scene: Scene;
  let listener: Listener;
  const readers: Reader[] = [];
  beforeAll(async () => {
    harness = await SyncHarness.start({ max_prepared_transactions: '2' });
  });
  beforeEach(async () => {
    scene = await setScene(harness);
    listener = new Listener();
  });
  afterEach(async () => {
    await Promise.all(readers.splice(0).map((reader) => reader.close()));
    await harness.dropAll();
  });
  afterAll(() => harness.stop());

  const read = async (sql: string): Promise<Reader> => {
    const reader = await Reader.open(scene.target.url, sql);
    readers.push(reader);
    return reader;
  };
  const run = (
    lockWaitMs: number,
    {
      epoch = 1,
      signal,
      reached = () => undefined,
    }: { epoch?: number; signal?: AbortSignal; reached?: ReachStep } = {},
  ): Promise<Outcome> =>
    harness.run(
      harness.command(scene.source.url, scene.targetUrl, TABLES, { epoch }),
      {
        copy: { connections: 2, chunkBytes: 64_000_000, lockTryMs: 50, lockWaitMs },
        log: listener.log,
        reached,
      },
      signal,
    );

  const READ = [
    ['a table outside of the job that references one', 'outside'],
    ['a table that it replaces', 'children'],
  ] as const;
  inBoth.each(casesOf(READ, 1))(
    'backs off while a session reads %s, logs its process, and completes afterwards',
    async (_, table) => {
      const reader = await read(`SELECT FROM ${table}`);
      const running = run(FOREVER_MS);
      expect(await listener.lockMessage).toContain(`process ${reader.pid}`);
      // Between two tries, the job holds no lock, so other sessions can read the tables.
      for (const name of ['parents', 'children', 'outside']) await scene.target.query(`SELECT FROM ${name}`);
      await readers.pop()?.close();
      const outcome = await running;
      expect(outcome.failure).toBeUndefined();
      expect(outcome.completed?.warnings).toEqual([{ code: 'waited_for_lock' }]);
      expect((await scene.target.query('SELECT count(*)::int AS n FROM children')).rows).toEqual([
        { n: 3000 },
      ]);
      expect(await leftovers(scene.target)).toEqual([]);
    },
  );

  it('fails when its time is over, logs the process and leaves the target unchanged', async () => {
    const before = await dumpOf(harness, scene.target);
    const reader = await read('SELECT FROM children');
    const outcome = await run(0);
    expect(outcome.failure).toMatchObject({ code: 'lock_timeout', side: 'target', tableIndex: 1 });
    expect(listener.errors).toContain(`locked by process ${reader.pid}`);
    expect(await dumpOf(harness, scene.target)).toBe(before);
    expect(await leftovers(scene.target)).toEqual([]);
  });

  describe('with a role that other programs use', () => {
    const takeLock = "SELECT pg_advisory_lock(hashtextextended('understudy', 0))";
    let role: string;
    let url: string;
    beforeEach(async () => {
      role = `planter_${scene.target.name}`;
      await scene.target.query(`CREATE ROLE ${role} LOGIN PASSWORD 'pw'`);
      url = Object.assign(new URL(scene.target.url), { username: role, password: 'pw' }).toString();
    });
    afterEach(async () => {
      await Promise.all(readers.splice(0).map((reader) => reader.close()));
      await scene.target.query(`DROP ROLE ${role}`);
    });

    const heldBy = (objectRole: string | undefined) => {
      const location = { code: 'target_lock_held', side: 'target' };
      return { ...location, problems: [{ ...location, objectRole }], problemCount: 1 };
    };

    it('fails immediately if a session of that role holds the lock of the target, and names the role', async () => {
      readers.push(await Reader.open(url, takeLock));
      expect((await run(FOREVER_MS)).failure).toEqual(heldBy(role));
      await readers.pop()?.close();
      expect((await run(FOREVER_MS)).completed?.warnings).toEqual([]);
    });

    it('fails immediately if a prepared transaction of any role holds the lock, and logs its name', async () => {
      const own = new URL(scene.targetUrl).username;
      for (const [name, at] of [
        [role, url],
        [own, scene.targetUrl],
      ] as const) {
        readers.push(
          await Reader.open(at, `${takeLock.replace('_lock', '_xact_lock')}; PREPARE TRANSACTION 'held'`),
        );
        expect((await run(FOREVER_MS)).failure).toEqual(heldBy(name));
        expect(listener.warnings).toContain('"transaction":"held"');
        await scene.target.query("ROLLBACK PREPARED 'held'");
      }
      expect((await run(FOREVER_MS)).completed?.warnings).toEqual([]);
    });

    it('fails if a session of that role gets the lock while the job waits for another', async () => {
      const otherJob = await Reader.open(scene.targetUrl, takeLock);
      const stranger = Reader.open(url, takeLock);
      const waiting = (least: number) =>
        waitFor('sessions that wait for the lock of the target', async () => {
          const { rows } = await scene.target.query(
            "SELECT FROM pg_locks WHERE locktype = 'advisory' AND NOT granted AND database = (SELECT oid FROM pg_database WHERE datname = current_database())",
          );
          return rows.length >= least;
        });
      await waiting(1);
      const running = run(FOREVER_MS);
      await waiting(2);
      await otherJob.close();
      readers.push(await stranger);
      expect((await running).failure).toEqual(heldBy(role));
    });
  });

  it("recognises the job's own session on the source if it holds a lock that both databases share", async () => {
    const named = (url: string) => `${url}?application_name=understudy_self`;
    const own = await Reader.open(named(scene.source.url), 'LOCK TABLE pg_authid IN ACCESS SHARE MODE');
    const other = await Reader.open(scene.source.url, 'LOCK TABLE pg_authid IN ACCESS SHARE MODE');
    readers.push(own, other);
    const client = new Client({ connectionString: named(scene.target.url) });
    await client.connect();
    const holders = await lockHolders(client, [{ oid: '1260', partitions: [] }], []);
    await client.end();
    const isOwn = (pid: number) => holders.find((holder) => holder.pid === pid)?.isOwn;
    expect([isOwn(own.pid), isOwn(other.pid)]).toEqual([true, false]);
  });

  it('stops between two tries if it is cancelled', async () => {
    const before = await dumpOf(harness, scene.target);
    await read('SELECT FROM children');
    const abort = new AbortController();
    const running = run(FOREVER_MS, { signal: abort.signal });
    await listener.lockMessage;
    abort.abort(new SyncJobError({ code: 'cancelled' }));
    expect((await running).failure).toEqual({ code: 'cancelled' });
    expect(await dumpOf(harness, scene.target)).toBe(before);
    expect(await leftovers(scene.target)).toEqual([]);
  });

  inRelease('stops between two tries if a later attempt takes over', async () => {
    await read('SELECT FROM children');
    const first = run(FOREVER_MS);
    await listener.lockMessage;
    listener = new Listener();
    const second = run(FOREVER_MS, { epoch: 2 });
    expect((await first).failure?.code).toMatch(/^(lease|connection|snapshot)_lost$/);
    await listener.lockMessage;
    await readers.pop()?.close();
    expect((await second).failure).toBeUndefined();
    const content = await contentOf(harness, scene.target);
    expect(content).toContain('parent 300');
    expect(await leftovers(scene.target)).toEqual([]);
  });

  const TARGETS = [
    [
      'a target with an event trigger',
      `CREATE FUNCTION seen() RETURNS event_trigger LANGUAGE plpgsql AS 'BEGIN END';
       CREATE EVENT TRIGGER seen ON ddl_command_end EXECUTE FUNCTION seen()`,
    ],
    ['a target', ''],
  ] as const;
  inBoth.each(casesOf(TARGETS, 1))(
    'stages tables without waiting for the lock of another role on a sequence of %s',
    async (_, sql) => {
      await scene.target.query(
        `CREATE TABLE other (id serial); GRANT SELECT ON SEQUENCE other_id_seq TO PUBLIC; ${sql}`,
      );
      const holder = await read('TRUNCATE other RESTART IDENTITY');
      const reached: ReachStep = async (step) => {
        if (step === 'staging_created') await holder.close();
      };
      expect((await run(0, { reached })).failure).toBeUndefined();
    },
  );

  it('backs off before it stages tables while a session locks one of them', async () => {
    const running = run(FOREVER_MS, {
      reached: async (step) => {
        if (step === 'models_trained') await read('LOCK TABLE children IN ACCESS EXCLUSIVE MODE');
      },
    });
    await listener.lockMessage;
    await readers.pop()?.close();
    const outcome = await running;
    expect(outcome.failure).toBeUndefined();
    expect(outcome.completed?.warnings).toEqual([{ code: 'waited_for_lock' }]);
  });
});
