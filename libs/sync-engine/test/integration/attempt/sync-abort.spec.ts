import { casesOf, inBoth, inRelease, it, waitFor } from '@understudy/testing';
import { SyncJobError } from '@understudy/sync-job';
import type { SyncStep } from '../../../src/sync-steps.js';
import { rowsOf, SyncHarness } from '../sync-harness.js';

const SCHEMA = 'CREATE TABLE t (id int PRIMARY KEY, note text)';
const MANY = `${SCHEMA}; INSERT INTO t SELECT i, repeat('x', 200) FROM generate_series(1, 20000) i`;

describe('an interrupted sync job', () => {
  let harness: SyncHarness;
  beforeAll(async () => {
    harness = await SyncHarness.start();
  });
  afterEach(() => harness.dropAll());
  afterAll(() => harness.stop());

  const ENDS = [
    ['cancelled', new SyncJobError({ code: 'cancelled' })],
    ['lease_lost', new Error('the lease is gone')],
  ] as const;
  inBoth.each(casesOf(ENDS, 1))(
    'ends with %s during the copy and leaves the target unchanged',
    async (code, reason) => {
      const source = await harness.database(MANY);
      const target = await harness.database(`${SCHEMA}; INSERT INTO t VALUES (1, 'old')`);
      const abort = new AbortController();
      const outcome = await harness.run(
        harness.command(source.url, target.url, { t: {} }),
        {
          copy: { connections: 2, chunkBytes: 1_000_000, snapshotHeldMs: 600_000 },
          reached: (step) => {
            if (step === 'chunk_copied') abort.abort(reason);
          },
        },
        abort.signal,
      );
      expect(outcome.failure).toEqual({ code });
      expect(await rowsOf(target, 't')).toEqual(['(1,old)']);
      expect((await harness.run(harness.command(source.url, target.url, { t: {} }))).failure).toBeUndefined();
    },
  );

  it('completes if it is cancelled during the commit of the target', async () => {
    const source = await harness.database(`${SCHEMA}; INSERT INTO t VALUES (2, 'new')`);
    const target = await harness.database(SCHEMA);
    // The commit waits for a standby that does not exist. The server has committed, but COMMIT has not
    // returned yet.
    await target.query(
      `DO $$ BEGIN EXECUTE format('ALTER DATABASE %I SET synchronous_commit = on', current_database()); END $$`,
    );
    await target.query("ALTER SYSTEM SET synchronous_standby_names = 'nobody'");
    await target.query('SELECT pg_reload_conf()');
    const abort = new AbortController();
    const running = harness.run(harness.command(source.url, target.url, { t: {} }), {}, abort.signal);
    try {
      await waitFor('the commit', async () => {
        const { rows } = await target.query("SELECT FROM pg_stat_activity WHERE wait_event = 'SyncRep'");
        return rows.length === 1;
      });
      abort.abort(new SyncJobError({ code: 'cancelled' }));
    } finally {
      await target.query('ALTER SYSTEM RESET synchronous_standby_names');
      await target.query('SELECT pg_reload_conf()');
    }
    expect((await running).failure).toBeUndefined();
    expect(await rowsOf(target, 't')).toEqual(['(2,new)']);
  });

  it('fails with connection_lost if the target ends the session', async () => {
    const source = await harness.database(MANY);
    const target = await harness.database(SCHEMA);
    const outcome = await harness.run(harness.command(source.url, target.url, { t: {} }), {
      reached: async (step) => {
        if (step === 'chunk_copied') await target.query(END_SESSIONS);
      },
    });
    expect(outcome.failure).toMatchObject({ code: 'connection_lost', side: 'target' });
    expect(await rowsOf(target, 't')).toEqual([]);
  });

  const SIDES = [
    ['source', 'staging_created'],
    ['target', 'models_trained'],
  ] as const;
  inBoth.each(casesOf(SIDES, 1))(
    'can be continued if the %s ends the idle sessions at the step %s',
    async (side, at) => {
      const source = await harness.database(`${SCHEMA}; INSERT INTO t VALUES (2, 'new')`);
      const target = await harness.database(SCHEMA);
      const run = (epoch: number, reached: (step: SyncStep) => unknown = () => undefined) =>
        harness.run(harness.command(source.url, target.url, { t: {} }, { epoch }), {
          reached: async (step) => {
            await reached(step);
          },
        });
      const outcome = await run(1, (step) =>
        step === at ? (side === 'source' ? source : target).query(END_KEPT_SESSIONS) : undefined,
      );
      expect(outcome.failure).toMatchObject({ code: 'connection_lost', side });
      expect((await run(2)).completed?.warnings).toEqual([]);
      expect(await rowsOf(target, 't')).toEqual(['(2,new)']);
    },
  );

  inRelease('fails with connection_lost or snapshot_lost if the source ends the sessions', async () => {
    const source = await harness.database(MANY);
    const target = await harness.database(SCHEMA);
    const outcome = await harness.run(harness.command(source.url, target.url, { t: {} }), {
      reached: async (step) => {
        if (step === 'chunk_copied') await source.query(END_SESSIONS);
      },
    });
    // The code depends on which of its sessions the job finds closed first: its own or the keeper's.
    expect(outcome.failure).toMatchObject({
      code: expect.stringMatching(/^(connection|snapshot)_lost$/) as unknown,
      side: 'source',
    });
  });

  it('ends with cancelled while it waits for another job on the same target', async () => {
    const source = await harness.database(`${SCHEMA}; INSERT INTO t VALUES (1, 'new')`);
    const target = await harness.database(SCHEMA);
    await target.query("SELECT pg_advisory_lock(hashtextextended('understudy', 0))");
    const abort = new AbortController();
    const waiting = harness.run(harness.command(source.url, target.url, { t: {} }), {}, abort.signal);
    await waitFor('the job to wait for the lock', async () => {
      const { rows } = await target.query(
        "SELECT FROM pg_locks WHERE locktype = 'advisory' AND NOT granted AND database = (SELECT oid FROM pg_database WHERE datname = current_database())",
      );
      return rows.length === 1;
    });
    abort.abort(new SyncJobError({ code: 'cancelled' }));
    expect((await waiting).failure).toEqual({ code: 'cancelled' });
  });
});

const END_SESSIONS = `
  SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity
   WHERE application_name LIKE 'understudy%' AND datname = current_database()`;

/** Leaves the first session of a job, and the keeper's, which has a transaction. */
const END_KEPT_SESSIONS = `
  SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity
   WHERE application_name LIKE 'understudy%' AND datname = current_database() AND state = 'idle'
     AND backend_start > (SELECT min(backend_start) FROM pg_stat_activity
                           WHERE application_name LIKE 'understudy%' AND datname = current_database())`;
