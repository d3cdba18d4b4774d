import { withLockedTarget } from '@understudy/database-swap';
import { parseConnectionUrl } from '@understudy/postgres';
import { SyncJobError } from '@understudy/sync-job';
import { casesOf, inBoth, it, type TestDatabase, waitFor } from '@understudy/testing';
import type { SyncStep } from '../../../src/sync-steps.js';
import { contentOf, leftovers, Pause, ROLE, type Scene, setScene, TABLES } from '../stage/staging-scene.js';
import { type Outcome, rowsOf, SyncHarness, TEST_LOG } from '../sync-harness.js';

// With this chunk size, some tables have several chunks.
const copy = { connections: 2, chunkBytes: 65_536 };
const CONNECTION_LOST = new SyncJobError({ code: 'connection_lost', side: 'target' });

describe('a later attempt of a job', () => {
  let harness: SyncHarness;
  let scene: Scene;
  /** The expected content of the target: its content after a job that needed only one attempt. */
  let undisturbed: string;
  let chunks: number;
  beforeAll(async () => {
    harness = await SyncHarness.start();
    const reference = await setScene(harness);
    const pause = new Pause('reported');
    pause.goOn();
    const command = harness.command(reference.source.url, reference.targetUrl, TABLES);
    expect((await harness.run(command, { copy, reached: pause.reached })).failure).toBeUndefined();
    undisturbed = await contentOf(harness, reference.target);
    chunks = pause.seen.filter((step) => step === 'chunk_committed').length;
    expect(chunks).toBeGreaterThan(8);
  });
  beforeEach(async () => {
    scene = await setScene(harness);
  });
  afterEach(() => harness.dropAll());
  afterAll(() => harness.stop());

  const attempt = (epoch: number, more: object = {}, jobId = 'job_1'): Promise<Outcome> =>
    harness.run(harness.command(scene.source.url, scene.targetUrl, TABLES, { epoch, jobId }), {
      copy,
      ...more,
    });
  const watch = () => {
    const pause = new Pause('reported');
    pause.goOn();
    return pause;
  };
  const count = (seen: readonly SyncStep[], step: SyncStep) => seen.filter((one) => one === step).length;
  const committed = async (): Promise<number> => {
    const { rows } = await scene.target.query(
      'SELECT count(*)::int AS n FROM (SELECT FROM understudy_job_1.chunk_logged UNION ALL SELECT FROM understudy_job_1.chunk_unlogged) c',
    );
    return Number(rows[0]?.['n']);
  };

  const STEPS = [
    ['chunk_committed', 6],
    ['before_commit', 1],
    ['target_locked', 1],
    ['chunk_copied', 4],
    ['all_chunks_committed', 1],
    ['indexes_built', 1],
  ] as const;
  inBoth.each(casesOf(STEPS, 2))(
    'ends an attempt that hangs at %s (%i), continues its work and prevents later changes by it',
    async (step, time) => {
      const pause = new Pause(step, time);
      const zombie = attempt(1, { reached: pause.reached });
      await pause.arrived;
      const second = watch();
      const outcome = await attempt(2, { reached: second.reached });
      expect(outcome.failure).toBeUndefined();
      expect(outcome.completed?.warnings).toEqual([]);
      expect(await contentOf(harness, scene.target)).toBe(undisturbed);
      pause.goOn();
      // The code depends on which the old attempt finds first: its ended sessions, its lost snapshot or the
      // removed staging.
      expect((await zombie).failure?.code).toMatch(/^((lease|connection|snapshot)_lost|database_error)$/);
      expect(await contentOf(harness, scene.target)).toBe(undisturbed);
      expect(await leftovers(scene.target)).toEqual([]);
      const before = count(pause.seen, 'chunk_committed');
      // A step is reported after the commit of its chunk. The pair that is not paused may have committed one
      // chunk more.
      expect(count(second.seen, 'chunk_copied')).toBeLessThanOrEqual(chunks - before);
      if (step === 'all_chunks_committed') expect(count(second.seen, 'chunk_copied')).toBe(0);
    },
  );

  it('copies no chunk of the ledger again and builds no index again', async () => {
    const pause = new Pause('indexes_built');
    const first = attempt(1, {
      reached: async (step: SyncStep) => {
        await pause.reached(step);
        if (step === 'indexes_built') throw CONNECTION_LOST;
      },
    });
    await pause.arrived;
    expect(await committed()).toBe(chunks);
    const index = "SELECT oid, relfilenode FROM pg_class WHERE relname = 'people_pkey'";
    const built = (await scene.target.query(index)).rows;
    pause.goOn();
    expect((await first).failure?.code).toBe('connection_lost');
    const second = watch();
    expect((await attempt(2, { reached: second.reached })).completed?.warnings).toEqual([]);
    expect(count(second.seen, 'chunk_copied')).toBe(0);
    expect((await scene.target.query(index)).rows).toEqual(built);
    expect(await contentOf(harness, scene.target)).toBe(undisturbed);
  });

  it('continues with three sessions of the source and two of the target, and reports the rows of both attempts', async () => {
    const reader = 'reader_of_takeover';
    await scene.source.query(
      `CREATE ROLE ${reader} LOGIN PASSWORD 'pw' CONNECTION LIMIT 3; GRANT pg_read_all_data TO ${reader}`,
    );
    await scene.target.query(`ALTER ROLE ${ROLE} CONNECTION LIMIT 2`);
    const source = Object.assign(new URL(scene.source.url), { username: reader, password: 'pw' }).href;
    const limited = (epoch: number, reached: (step: SyncStep) => Promise<void> | void) =>
      harness.run(harness.command(source, scene.targetUrl, TABLES, { epoch }), { copy, reached });
    const first = watch();
    const failing = limited(1, (step) => {
      void first.reached(step);
      if (count(first.seen, 'chunk_committed') === 6) throw CONNECTION_LOST;
    });
    try {
      expect((await failing).failure?.code).toBe('connection_lost');
      const second = watch();
      const { completed } = await limited(2, second.reached);
      expect(completed?.warnings).toEqual([]);
      expect(count(second.seen, 'chunk_copied')).toBeLessThanOrEqual(chunks - 6);
      expect(completed?.tables.map(({ rowsProcessed, state }) => [rowsProcessed, state])).toEqual(
        [300, 3000, 300, 300, 300].map((rows) => [rows, 'completed']),
      );
      expect(await contentOf(harness, scene.target)).toBe(undisturbed);
    } finally {
      await scene.target.query(`ALTER ROLE ${ROLE} CONNECTION LIMIT -1`);
      await scene.source.query(`DROP OWNED BY ${reader}; DROP ROLE ${reader}`);
    }
  });

  it('starts again from zero, if the format of the staging, the snapshot, the masking key or the seed has changed', async () => {
    const stop = (step: SyncStep) => {
      if (step === 'all_chunks_committed') throw CONNECTION_LOST;
    };
    /** Runs an attempt until it has copied all chunks. @returns the number of chunks that it copied itself */
    const stopped = async (epoch: number, more: object = {}, command: object = {}) => {
      const { seen, reached } = watch();
      const job = harness.command(scene.source.url, scene.targetUrl, TABLES, { epoch, ...command });
      const both = (step: SyncStep) => {
        void reached(step);
        stop(step);
      };
      expect((await harness.run(job, { copy, reached: both, ...more })).failure?.code).toBe(
        'connection_lost',
      );
      return count(seen, 'chunk_copied');
    };
    expect(await stopped(1)).toBe(chunks);
    await scene.target.query(
      'UPDATE understudy_job_1.job SET format = 0; ALTER TABLE understudy_job_1.job DROP plan',
    );
    expect(await stopped(2)).toBe(chunks);
    const keys = { keys: { maskingKey: new Uint8Array(32).fill(9) } };
    expect(await stopped(3, keys)).toBe(chunks);
    expect(await stopped(4, keys, { seed: 43 })).toBe(chunks);
    await scene.source.query(
      "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name LIKE 'understudy%' AND datname = current_database()",
    );
    await scene.source.query("INSERT INTO parents (name) VALUES ('late')");
    const command = harness.command(scene.source.url, scene.targetUrl, TABLES, { epoch: 5, seed: 43 });
    const { completed } = await harness.run(command, { copy, ...keys });
    expect(completed?.warnings).toEqual([{ code: 'restarted_from_zero' }]);
    expect(completed?.tables[0]?.rowsProcessed).toBe(301);
    expect(await leftovers(scene.target)).toEqual([]);
  });

  it('reports the result from the ledger if an earlier attempt committed the switch', async () => {
    const first = attempt(1, {
      reached: (step: SyncStep) => {
        if (step === 'committed') throw CONNECTION_LOST;
      },
    });
    expect((await first).failure?.code).toBe('connection_lost');
    expect(await contentOf(harness, scene.target)).toBe(undisturbed);
    await scene.source.query('DELETE FROM children');
    const second = watch();
    const { completed } = await attempt(2, { reached: second.reached });
    expect(completed?.tables.map(({ rowsProcessed }) => rowsProcessed)).toEqual([300, 3000, 300, 300, 300]);
    expect(second.seen).toEqual(['reported']);
    expect(await contentOf(harness, scene.target)).toBe(undisturbed);
    expect(await leftovers(scene.target)).toEqual([]);
  });

  describe('after a switch whose commit got no reply', () => {
    /** Runs an attempt whose session ends while COMMIT waits for a standby, so that the rows are committed. */
    const withoutReply = async (more: object, signal?: AbortSignal, inCommit?: () => void) => {
      const admit = (isAdmitted: boolean) =>
        scene.source.query(`ALTER DATABASE ${scene.target.name} ALLOW_CONNECTIONS ${isAdmitted}`);
      await scene.source.query(`ALTER DATABASE ${scene.target.name} SET synchronous_commit = on`);
      await scene.source.query("ALTER SYSTEM SET synchronous_standby_names = 'nobody'");
      await scene.source.query('SELECT pg_reload_conf()');
      const command = harness.command(scene.source.url, scene.targetUrl, TABLES);
      const running = harness.run(command, { copy, ...more }, signal);
      try {
        await waitFor('the commit', async () => {
          const { rows } = await scene.target.query(
            "SELECT FROM pg_stat_activity WHERE wait_event = 'SyncRep'",
          );
          return rows.length === 1;
        });
        inCommit?.();
        await admit(false);
        // A session that still waits when the wait is lifted would reply.
        await waitFor('the end of the session', async () => {
          const { rows } = await scene.target.query(
            "SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity WHERE wait_event = 'SyncRep'",
          );
          return rows.length === 0;
        });
      } finally {
        await scene.source.query('ALTER SYSTEM RESET synchronous_standby_names');
        await scene.source.query('SELECT pg_reload_conf()');
      }
      return { running, admit };
    };

    const STOPS = [
      [', also if it is cancelled', true],
      ['', false],
    ] as const;
    inBoth.each(casesOf(STOPS, 1))(
      'stays resumable as long as nobody can read the ledger%s',
      async (_, isCancelled) => {
        const stop = new AbortController();
        let minutes = 0;
        const now = () => Date.now() + (minutes += 1) * 60_000;
        const { running, admit } = await withoutReply({ now }, stop.signal, () => {
          if (isCancelled) stop.abort(new SyncJobError({ code: 'cancelled' }));
        });
        const lost = { code: 'connection_lost', side: 'target' };
        expect((await running).failure).toEqual(lost);
        expect((await attempt(2, { now })).failure).toEqual(lost);
        await admit(true);
        expect(await contentOf(harness, scene.target)).toBe(undisturbed);
        const third = watch();
        expect((await attempt(3, { reached: third.reached })).completed?.warnings).toEqual([]);
        expect(third.seen).toEqual(['reported']);
        expect(await leftovers(scene.target)).toEqual([]);
      },
    );

    it('completes once the target can be reached again', async () => {
      let admit: (isAdmitted: boolean) => Promise<unknown> = () => Promise.resolve();
      const now = () => {
        void admit(true);
        return Date.now();
      };
      const { running, ...more } = await withoutReply({ now });
      admit = more.admit;
      expect((await running).failure).toBeUndefined();
      expect(await contentOf(harness, scene.target)).toBe(undisturbed);
      expect(await leftovers(scene.target)).toEqual([]);
    });
  });

  it('fails with lease_lost if an even later attempt has claimed the job', async () => {
    const pause = new Pause('staging_created');
    const later = attempt(3, { reached: pause.reached });
    await pause.arrived;
    expect((await attempt(2)).failure).toEqual({ code: 'lease_lost' });
    pause.goOn();
    expect((await later).failure).toBeUndefined();
    expect(await contentOf(harness, scene.target)).toBe(undisturbed);
  });

  it('waits for another job on the same target and warns about it', async () => {
    const pause = new Pause('indexes_built');
    const other = attempt(1, { reached: pause.reached }, 'job_OTHER');
    await pause.arrived;
    const waiting = attempt(1);
    pause.goOn();
    expect((await other).failure).toBeUndefined();
    expect((await waiting).completed?.warnings).toContainEqual({ code: 'waited_for_job' });
    expect(await leftovers(scene.target)).toEqual([]);
  });

  it('leaves a target that a restore replaces, and copies into the new database', async () => {
    const { name } = scene.target;
    const admin = await harness.targetDatabase();
    let report: (facts: object) => void = () => undefined;
    const warned = new Promise<object>((resolve) => (report = resolve));
    const running: Promise<Outcome>[] = [];
    const request = { name: 'understudy rst_1 1', log: TEST_LOG, signal: new AbortController().signal };
    await withLockedTarget(parseConnectionUrl(scene.targetUrl), request, async () => {
      running.push(attempt(1, { log: { ...TEST_LOG, warn: report } }));
      expect(await warned).toMatchObject({ holders: [{ name: 'understudy rst_1 1', isReplacing: true }] });
      await waitFor('the job to leave the target', async () => {
        await admin.query(
          "SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity WHERE datname = $1 AND application_name = ''",
          [name],
        );
        const { rows } = await admin.query('SELECT FROM pg_stat_activity WHERE datname = $1', [name]);
        return rows.length === 0;
      });
      await admin.query(`ALTER DATABASE ${name} RENAME TO ${name}_old`);
      await admin.query(`CREATE DATABASE ${name} TEMPLATE ${name}_old`);
      await admin.query(`GRANT CREATE ON DATABASE ${name} TO ${ROLE}`);
      await admin.query(`DROP DATABASE ${name}_old`);
    });
    const [outcome] = await Promise.all(running);
    expect(outcome?.completed?.warnings).toEqual([{ code: 'waited_for_job' }]);
    expect(await contentOf(harness, scene.target)).toBe(undisturbed);
    expect(await leftovers(scene.target)).toEqual([]);
  });
});

describe('a later attempt after a crash of the server that followed the commit of the switch', () => {
  const LOGGED = 'CREATE TABLE visit (id int PRIMARY KEY, page text)';
  const UNLOGGED = LOGGED.replace('TABLE', 'UNLOGGED TABLE');
  const PARTITIONED = `CREATE TABLE visit (id int PRIMARY KEY, page text) PARTITION BY RANGE (id);
    CREATE TABLE visit_1 PARTITION OF visit FOR VALUES FROM (0) TO (100)`;
  const PARTITIONS = `${PARTITIONED}; CREATE UNLOGGED TABLE visit_2 PARTITION OF visit FOR VALUES FROM (100) TO (300);
    CREATE UNLOGGED TABLE visit_3 PARTITION OF visit FOR VALUES FROM (300) TO (400)`;
  const ROWS = "INSERT INTO visit SELECT i, 'page ' || i FROM generate_series(1, 200) i";

  const EMPTIED = casesOf(
    [
      { table: 'an unlogged partition', source: LOGGED, target: PARTITIONS },
      { table: 'an unlogged table that it refilled', source: LOGGED, target: UNLOGGED, swapFromBytes: 1e12 },
      { table: 'an unlogged table that it swapped', source: LOGGED, target: UNLOGGED },
      { table: 'an unlogged table that it created', source: UNLOGGED, target: '' },
    ],
    1,
  );
  const KEPT = casesOf(
    [
      {
        table: 'an unlogged table that its users have emptied since',
        source: LOGGED,
        target: UNLOGGED,
        change: 'TRUNCATE visit',
        rows: 0,
      },
      { table: 'a logged table', source: LOGGED, target: LOGGED, rows: 200 },
    ],
    1,
  );
  type Case = (typeof EMPTIED)[number] & Partial<(typeof KEPT)[number]>;
  type Run = (epoch: number, reached?: (step: SyncStep) => void) => Promise<Outcome>;

  let harness: SyncHarness;
  const jobs = new Map<string, { readonly to: TestDatabase; readonly run: Run }>();

  /** All first attempts end before the only crash, which then empties the unlogged tables of all targets. */
  beforeAll(async () => {
    harness = await SyncHarness.start();
    const databases: TestDatabase[] = [];
    for (const one of [...EMPTIED, ...KEPT]) {
      const { table, source, target, swapFromBytes = 0, change = '' }: Case = one;
      const from = await harness.database(`${source}; ${ROWS}`);
      const to = await harness.targetDatabase(target);
      databases.push(from, to);
      const run: Run = (epoch, reached = () => undefined) => {
        const tables = { visit: { page: { generator: 'en_US/first_names' } } };
        const options = { copy: { ...copy, swapFromBytes, snapshotHeldMs: 600_000 }, reached };
        return harness.run(harness.command(from.url, to.url, tables, { epoch }), options);
      };
      const first = await run(1, (step) => {
        if (step === 'committed') throw CONNECTION_LOST;
      });
      expect(first.failure?.code).toBe('connection_lost');
      await to.query(change);
      jobs.set(table, { to, run });
    }
    await harness.crashTarget();
    for (const database of databases)
      await waitFor('the old sessions of the pool to end', () =>
        database.query('SELECT').catch(() => undefined),
      );
    for (const [i, { source }] of [...EMPTIED, ...KEPT].entries())
      if (source === UNLOGGED) await databases[2 * i]?.query(`${ROWS} ON CONFLICT DO NOTHING`);
  });
  afterAll(() => harness.stop());

  const secondAttempt = async (table: string) => {
    const job = jobs.get(table);
    if (job === undefined) throw new Error(`expected a first attempt with ${table}`);
    return { to: job.to, again: await job.run(2) };
  };

  inBoth.each(EMPTIED)('copies again if the crash emptied $table', async ({ table }) => {
    const { to, again } = await secondAttempt(table);
    expect(again.failure).toBeUndefined();
    expect(again.completed?.warnings).toContainEqual({ code: 'restarted_from_zero' });
    expect(await rowsOf(to, 'visit')).toHaveLength(200);
    expect(await leftovers(to)).toEqual([]);
  });

  inBoth.each(KEPT)('copies nothing again for $table', async ({ table, rows }) => {
    const { to, again } = await secondAttempt(table);
    expect(again.completed?.warnings).toEqual([]);
    expect(await rowsOf(to, 'visit')).toHaveLength(rows);
  });
});
