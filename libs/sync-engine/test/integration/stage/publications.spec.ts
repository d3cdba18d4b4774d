import { waitFor, type TestDatabase } from '@understudy/testing';
import { SyncJobError } from '@understudy/sync-job';
import type { SyncStep } from '../../../src/sync-steps.js';
import { leftovers } from './staging-scene.js';
import { rowsOf, type Rules, SyncHarness } from '../sync-harness.js';

const TABLES = `CREATE TABLE customer (id int PRIMARY KEY, name text); CREATE TABLE visit (customer_id int REFERENCES customer, page text);`;
const ROWS = `INSERT INTO customer SELECT i, 'Person ' || i FROM generate_series(1, 200) i;
  INSERT INTO visit SELECT 1 + i % 200, 'page ' || i FROM generate_series(1, 400) i;`;
const OLD = `INSERT INTO customer VALUES (1, 'old'); INSERT INTO visit VALUES (1, 'old');`;
const BOTH: Readonly<Record<string, Rules>> = {
  customer: { name: { generator: 'en_US/first_names' } },
  visit: {},
};
const CONNECTION_LOST = new SyncJobError({ code: 'connection_lost', side: 'target' });

describe('a target that publishes its tables', () => {
  let harness: SyncHarness;
  let source: TestDatabase;
  let target: TestDatabase;
  let subscriber: TestDatabase;
  const subscriptions: string[] = [];
  beforeAll(async () => {
    harness = await SyncHarness.start({ wal_level: 'logical' });
  });
  beforeEach(async () => {
    source = await harness.database(TABLES + ROWS);
    target = await harness.targetDatabase(TABLES + OLD);
    subscriber = await harness.targetDatabase(TABLES);
  });
  afterEach(async () => {
    for (const name of subscriptions.splice(0)) await subscriber.query(`DROP SUBSCRIPTION ${name}`);
    await harness.dropAll();
  });
  afterAll(() => harness.stop());

  /** Starts a subscriber. Both databases are on one server, so the slot must be created separately. */
  const subscribe = async (publication: string) => {
    const name = `s_${target.name}`;
    await target.query(`SELECT pg_create_logical_replication_slot('${name}', 'pgoutput')`);
    await subscriber.query(`CREATE SUBSCRIPTION ${name} CONNECTION '${target.url}' PUBLICATION ${publication}
      WITH (create_slot = false, slot_name = '${name}', synchronous_commit = 'local')`);
    subscriptions.push(name);
    await same('customer');
  };
  const same = async (table: string) => {
    await waitFor(`${table} to reach the subscriber`, async () => {
      const [here, there] = [await rowsOf(target, table), await rowsOf(subscriber, table)];
      return here.join() === there.join();
    });
  };
  const command = (tables = BOTH, more = {}) => harness.command(source.url, target.url, tables, more);
  const staging = async () => (await leftovers(target)).filter((thing) => thing.startsWith('schema'));

  it.each([
    ['the tables', 'FOR TABLE customer, visit'],
    ['their schema', 'FOR TABLES IN SCHEMA public'],
  ])('sends its subscriber the new rows and no staged row if it publishes %s', async (_, what) => {
    await target.query(`CREATE PUBLICATION p ${what}`);
    await subscribe('p');
    const { failure, completed } = await harness.run(command());
    expect(failure).toBeUndefined();
    expect(completed?.warnings).toEqual([]);
    await same('customer');
    await same('visit');
    expect(await rowsOf(subscriber, 'customer')).toHaveLength(200);
    await target.query(`INSERT INTO customer VALUES (1000, 'later')`);
    await same('customer');
  });

  it.each([
    ['is for all tables', 'FOR ALL TABLES', BOTH, 'publication_of_all_tables', undefined],
    [
      'publishes a schema that gets a new table',
      'FOR TABLES IN SCHEMA public',
      { ...BOTH, created: {} },
      'publication_of_schema',
      2,
    ],
    [
      'does not publish TRUNCATE of a table',
      "FOR TABLE visit WITH (publish = 'insert, update, delete')",
      BOTH,
      'publication_without_truncate',
      1,
    ],
    [
      'does not publish TRUNCATE of a schema',
      "FOR TABLES IN SCHEMA public WITH (publish = 'insert')",
      { customer: {} },
      'publication_without_truncate',
      0,
    ],
  ])('is refused before the first write if a publication %s', async (_, what, tables, code, tableIndex) => {
    await source.query('CREATE TABLE created (id int)');
    await target.query(`CREATE PUBLICATION "the publication" ${what}`);
    const lsn = async () => (await target.query('SELECT count(*)::int AS n FROM pg_class')).rows;
    const before = [await lsn(), await rowsOf(target, 'customer')];
    const { failure } = await harness.run(command(tables as Readonly<Record<string, Rules>>));
    const location = { code, side: 'target', ...(tableIndex === undefined ? {} : { tableIndex }) };
    expect(failure).toMatchObject(location);
    expect(failure?.problems?.[0]).toEqual({
      ...location,
      object: { kind: 'publication', name: 'the publication' },
    });
    expect([await lsn(), await rowsOf(target, 'customer')]).toEqual(before);
    expect(await staging()).toEqual([]);
    const dryRun = await harness.run(command(tables as Readonly<Record<string, Rules>>, { dryRun: true }));
    expect(dryRun.predicted?.failures).toEqual([failure]);
  });

  it('is refused if a partitioned table is published without TRUNCATE through its parent', async () => {
    const parted = `CREATE TABLE p (a int) PARTITION BY LIST (a); CREATE TABLE p_1 PARTITION OF p FOR VALUES IN (1);`;
    await source.query(parted);
    await target.query(`${parted} CREATE PUBLICATION part FOR TABLE p WITH (publish = 'insert')`);
    const { failure } = await harness.run(command({ p_1: {} }));
    expect(failure).toMatchObject({ code: 'publication_without_truncate', tableIndex: 0 });
  });

  it('keeps the outcome of a committed switch, and no old value, when its server is killed', async () => {
    await target.query(
      `INSERT INTO visit VALUES (1, 'old'); ANALYZE; CREATE PUBLICATION p FOR TABLE customer, visit`,
    );
    const old = async () =>
      (await target.query(`SELECT FROM pg_stats WHERE schemaname = 'public' AND pg_stats::text ~ 'old'`))
        .rows;
    expect(await old()).toHaveLength(1);
    await subscribe('p');
    const { failure } = await harness.run(command(), {
      reached: (step: SyncStep) => {
        if (step === 'committed') throw CONNECTION_LOST;
      },
    });
    expect(failure).toEqual(CONNECTION_LOST.failure);
    await harness.crashTarget();
    await waitFor('the old sessions of the pool to end', async () =>
      target.query('SELECT').catch(() => undefined),
    );
    expect(await old()).toEqual([]);
    const rows = `SELECT sum(pg_relation_size(c.oid))::int AS bytes FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
                   WHERE n.nspname LIKE 'understudy%' AND c.relkind = 'r' AND c.relname <> 'job'`;
    expect((await target.query(rows)).rows).toEqual([{ bytes: null }]);
    const { completed } = await harness.run(command(BOTH, { epoch: 2 }));
    expect(completed?.warnings).toEqual([]);
    expect(completed?.tables.map(({ rowsProcessed }) => rowsProcessed)).toEqual([200, 400]);
    expect(await rowsOf(target, 'visit')).toHaveLength(400);
    await same('visit');
  });
});
