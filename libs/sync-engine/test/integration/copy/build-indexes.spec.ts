import { type TestDatabase, waitFor } from '@understudy/testing';
import { connect, parseConnectionUrl, type Client } from '@understudy/postgres';
import { buildIndexes } from '../../../src/stage/create/build-indexes.js';
import { createLedger } from '../../../src/stage/ledger/ledger-tables.sql.js';
import type { Build } from '../../../src/stage/ledger/staging-ledger.js';
import { located } from '../../../src/session/located-client.js';
import { SyncHarness } from '../sync-harness.js';

const ATTEMPT = { jobId: 'job_1', epoch: 1 };
const BUILD: Build = {
  n: 1,
  tableIndex: 0,
  building: 'CREATE UNIQUE INDEX t_pkey ON public.t (id)',
  attaching: 'ALTER TABLE public.t ADD CONSTRAINT t_pkey PRIMARY KEY USING INDEX t_pkey',
};
const STAGED = `
  ${createLedger(ATTEMPT.jobId)};
  INSERT INTO understudy_job_1.job (job_id, epoch, state, fingerprint, snapshot_id, plan, late_sql, finish_sql, swap_sql, warnings, seal)
    VALUES ('job_1', 1, 'staging', '', '', '', '', '', '', '[]', '');
  INSERT INTO understudy_job_1.build VALUES (1, 0, '', '', false);
  CREATE TABLE t (id int NOT NULL); INSERT INTO t SELECT generate_series(1, 100);
`;

describe('buildIndexes', () => {
  let harness: SyncHarness;
  let database: TestDatabase;
  let client: Client;
  beforeAll(async () => {
    harness = await SyncHarness.start();
  });
  beforeEach(async () => {
    database = await harness.database(STAGED);
    client = await connect(parseConnectionUrl(database.url), 'target');
  });
  afterEach(async () => {
    await client.end();
    await harness.dropAll();
  });
  afterAll(() => harness.stop());

  const build = (whenRead: Promise<void>, what = BUILD) =>
    buildIndexes(located(client, { side: 'target' }), what, {
      attempt: ATTEMPT,
      setPath: "SET search_path = ''",
      whenRead: () => whenRead,
    });
  const made = async () => {
    const { rows } = await database.query(
      `SELECT (SELECT array_agg(conname::text) FROM pg_constraint WHERE conrelid = 't'::regclass AND contype = 'p') AS keys,
              (SELECT count(*)::int FROM pg_index WHERE indrelid = 't'::regclass) AS indexes, done FROM understudy_job_1.build`,
    );
    return rows[0];
  };
  const locksOn = async (table: string) => {
    const { rows } = await database.query(
      `SELECT DISTINCT mode FROM pg_locks WHERE relation = '${table}'::regclass AND pid <> pg_backend_pid() ORDER BY 1`,
    );
    return rows.map(({ mode }) => String(mode));
  };

  it('builds an index while the table is read, and adds its key after the read', async () => {
    let read: () => void = () => undefined;
    const building = build(new Promise((resolve) => (read = resolve)));
    await waitFor('the index to be built', async () => {
      const { rows } = await database.query(
        "SELECT FROM pg_stat_activity WHERE datname = current_database() AND state = 'idle in transaction'",
      );
      return rows.length === 1;
    });
    expect(await locksOn('t')).toEqual(['ShareLock']);
    expect((await database.query('SELECT count(*)::int AS n FROM t')).rows).toEqual([{ n: 100 }]);
    expect(await made()).toEqual({ keys: null, indexes: 0, done: false });
    read();
    await building;
    expect(await made()).toEqual({ keys: ['t_pkey'], indexes: 1, done: true });
  });

  it('does not wait for the read if no key is built', async () => {
    await build(new Promise(() => undefined), { ...BUILD, attaching: '' });
    expect(await made()).toEqual({ keys: null, indexes: 1, done: true });
  });

  it('rolls the indexes back if the read fails', async () => {
    const failure = new Error('the read failed');
    const failedRead = Promise.reject(failure);
    failedRead.catch(() => undefined); // prevents an unhandled rejection
    await expect(build(failedRead)).rejects.toBe(failure);
    expect(await made()).toEqual({ keys: null, indexes: 0, done: false });
    expect(await locksOn('t')).toEqual([]);
  });

  it('rolls the indexes back if another attempt has the job', async () => {
    await database.query('UPDATE understudy_job_1.job SET epoch = 2');
    await expect(build(Promise.resolve())).rejects.toMatchObject({ failure: { code: 'lease_lost' } });
    expect(await made()).toEqual({ keys: null, indexes: 0, done: false });
  });
});
