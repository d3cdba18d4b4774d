import { Client } from 'pg';
import {
  createTestDatabase,
  startTestServices,
  type TestDatabase,
  type TestServices,
} from '@understudy/testing';
import { verifyTarget } from '../../../src/checks/verify-target/verify-target.js';
import { rowsOf, SyncHarness } from '../sync-harness.js';

// Room for 300 objects: 10 * 30.
const SETTINGS = { max_locks_per_transaction: 10, max_connections: 30 };

/** Each table has eight parts that a query of all its rows can lock. */
const tables = (count: number) => `
  DO $$ BEGIN FOR i IN 1..${count} LOOP
    EXECUTE format('CREATE TABLE t%s (id serial PRIMARY KEY, a int, b int UNIQUE, c text, d jsonb)', i);
    EXECUTE format('CREATE INDEX ON t%s (a); CREATE INDEX ON t%s (c); CREATE INDEX ON t%s (a, b)', i, i, i);
    EXECUTE format('INSERT INTO t%s (a, b, c, d) SELECT g, g, g, to_jsonb(g) FROM generate_series(1, 3) g', i);
  END LOOP; END $$;`;

describe('a job of many tables with many indexes', () => {
  let harness: SyncHarness;
  let small: TestServices;
  const databases: TestDatabase[] = [];
  beforeAll(async () => {
    harness = await SyncHarness.start();
    small = await startTestServices({ postgres: true, postgresSettings: SETTINGS });
  });
  afterEach(async () => {
    await harness.dropAll();
    await Promise.all(databases.splice(0).map((database) => database.drop()));
  });
  afterAll(async () => {
    await small.stop();
    await harness.stop();
  });

  const onSmall = async (): Promise<TestDatabase> => {
    const database = await createTestDatabase(small.postgresUrl);
    databases.push(database);
    return database;
  };
  /** Uses several transactions, because one could not hold the locks of all new tables. */
  const filled = async (count: number): Promise<TestDatabase> => {
    const database = await onSmall();
    for (let from = 0; from < count; from += 10)
      await database.query(tables(10).replace('1..10', `${from + 1}..${from + 10}`));
    return database;
  };
  const listed = (count: number, rules = {}) =>
    Object.fromEntries(Array.from({ length: count }, (_, i) => [`t${i + 1}`, rules]));

  /** Returns the numbers of locks that jobs hold on the database. */
  async function heldOn(
    source: TestDatabase,
  ): Promise<{ readonly onTables: number; readonly others: number }> {
    const { rows } = await source.query(`
      SELECT count(*) FILTER (WHERE is_listed)::int AS listed, count(*) FILTER (WHERE NOT is_listed)::int AS others
        FROM (SELECT c.relname ~ '^t[0-9]+$' AND l.mode = 'AccessShareLock' AS is_listed
                FROM pg_locks l JOIN pg_stat_activity a USING (pid)
                JOIN pg_class c ON c.oid = l.relation AND c.relnamespace <> 'pg_catalog'::regnamespace
               WHERE a.application_name LIKE 'understudy%' AND l.locktype = 'relation'
                 AND l.database = (SELECT oid FROM pg_database WHERE datname = current_database())) AS held`);
    return { onTables: Number(rows[0]?.['listed']), others: Number(rows[0]?.['others']) };
  }

  /** Reads the locks until the work has ended. @returns the largest number of locks that are not on listed tables */
  async function othersDuring(source: TestDatabase, work: Promise<unknown>): Promise<number> {
    let isRunning = true;
    let others = 0;
    const ended = work.finally(() => (isRunning = false));
    while (isRunning) others = Math.max(others, (await heldOn(source)).others);
    await ended;
    return others;
  }

  /** Runs a job, and returns the largest numbers of locks on the source at its steps. */
  async function locksOf(count: number): Promise<{ readonly onTables: number; readonly others: number }> {
    const source = await filled(count);
    const target = await harness.targetDatabase();
    let onTables = 0;
    let others = 0;
    const reached = async (): Promise<void> => {
      const held = await heldOn(source);
      onTables = Math.max(onTables, held.onTables);
      others = Math.max(others, held.others);
    };
    const rules = { c: { generator: 'template', pattern: '{{uuid}}' } };
    const command = harness.command(source.url, target.url, listed(count, rules));
    const { failure } = await harness.run(command, { reached });
    expect(failure).toBeUndefined();
    expect(await rowsOf(target, `(SELECT count(*) FROM t${count})`)).toEqual(['(3)']);
    return { onTables, others };
  }

  it('locks each table in three sessions, and a number of indexes that does not depend on the tables', async () => {
    // A lock on two parts of each table would exceed the limit.
    const { onTables, others } = await locksOf(80);
    expect(onTables).toBeGreaterThanOrEqual(2 * 80);
    expect(onTables).toBeLessThanOrEqual(3 * 80 + MAX_OTHERS);
    expect(others).toBeLessThanOrEqual(MAX_OTHERS);
  });

  it('keeps no locks on indexes in a dry run, and in the verification of a target', async () => {
    const source = await filled(40);
    const target = await harness.targetDatabase(tables(40));
    await target.query(
      Array.from({ length: 40 }, (_, i) => `ALTER TABLE t${i + 1} ADD UNIQUE (c), ADD CHECK (a < 100);`).join(
        ' ',
      ),
    );
    const command = harness.command(
      source.url,
      target.url,
      listed(40, { d: { generator: 'template', pattern: '{}' } }),
    );
    const predicting = harness.run({ ...command, dryRun: true });
    expect(await othersDuring(source, predicting)).toBeLessThanOrEqual(MAX_OTHERS);
    expect((await predicting).predicted?.failures).toEqual([]);
    expect((await harness.run(command)).failure).toBeUndefined();
    const verifying = verifyTarget({
      ...{ command, environment: harness.environment(), signal: new AbortController().signal },
      ...{ copied: new Map(command.tables.map((_, index) => [index, 3])), run: 'unknown_run' },
      ...{ keepSnapshot: () => () => undefined, onProgress: () => undefined },
    });
    expect(await othersDuring(source, verifying)).toBeLessThanOrEqual(MAX_OTHERS);
    expect((await verifying).filter(({ outcome }) => outcome === 'fails')).toEqual([]);
  });

  it('is refused before the copy if the source has no room for the locks, with the value to set', async () => {
    const source = await filled(210);
    const target = await harness.targetDatabase();
    const problem = { code: 'locks_exhausted', side: 'source' };
    const expected = { ...problem, problems: [{ ...problem, locksPerTransaction: 21 }], problemCount: 1 };
    const command = harness.command(source.url, target.url, listed(210));
    expect((await harness.run(command)).failure).toEqual(expected);
    expect((await harness.run({ ...command, dryRun: true })).predicted?.failures).toEqual([expected]);
  });

  it('is refused before the copy if the target has no room to create or to replace the tables', async () => {
    const source = await harness.database(tables(40));
    const missing = await onSmall();
    const existing = await filled(40);
    for (const target of [missing, existing]) {
      const { failure } = await harness.run(harness.command(source.url, target.url, listed(40)));
      expect(failure).toMatchObject({ code: 'locks_exhausted', side: 'target' });
      expect(failure?.problems?.[0]?.locksPerTransaction).toBeGreaterThan(10);
    }
  });

  it('does not wait for locks on tables of the source that it does not list', async () => {
    const source = await harness.database(
      `CREATE TABLE wanted (id int); CREATE TABLE "Odd ""name"".|$(x)" (id int); CREATE SCHEMA "S"; CREATE TABLE "S".other (id int);
       CREATE VIEW "S".shown AS SELECT id FROM "S".other; CREATE MATERIALIZED VIEW kept AS SELECT id FROM "S".other; CREATE INDEX ON kept (id)`,
    );
    const target = await harness.targetDatabase();
    const blocker = new Client({ connectionString: source.url });
    await blocker.connect();
    try {
      await blocker.query('BEGIN; LOCK TABLE "Odd ""name"".|$(x)", "S".other IN ACCESS EXCLUSIVE MODE');
      const run = () => harness.run(harness.command(source.url, target.url, { wanted: {} }));
      expect((await run()).failure).toBeUndefined();
      await blocker.query('ALTER TABLE "S".other ADD COLUMN new int; DROP MATERIALIZED VIEW kept');
      expect((await run()).failure).toBeUndefined();
    } finally {
      await blocker.end();
    }
  });
});

/** Locks on the parts of the tables that the sessions are reading. Locks on catalogs do not depend on the tables. */
const MAX_OTHERS = 60;
