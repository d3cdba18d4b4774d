import { casesOf, inBoth, it, type TestDatabase, waitFor } from '@understudy/testing';
import { connect, disconnect, parseConnectionUrl } from '@understudy/postgres';
import { Client } from 'pg';
import type { SyncEnvironment } from '../../../src/environment.js';
import { SyncJobError } from '@understudy/sync-job';
import { tableFacts } from '../../../src/stage/swap/table-facts.js';
import type { SyncStep } from '../../../src/sync-steps.js';
import {
  expectRows,
  OLD_ROWS,
  oidsOf,
  ROLES,
  schemaOf,
  SOURCE_ROWS,
  TABLES,
  TABLES_SQL,
  TRIMMINGS,
} from './swap-scene.js';
import { leftovers } from './staging-scene.js';
import { rowsOf, SyncHarness } from '../sync-harness.js';

describe('an existing table that can be swapped', () => {
  let harness: SyncHarness;
  beforeAll(async () => {
    harness = await SyncHarness.start();
  });
  const readers: Client[] = [];
  afterEach(async () => {
    await Promise.all(readers.splice(0).map((reader) => reader.end()));
    await harness.dropAll();
  });
  afterAll(() => harness.stop());

  const both = async (targetSql = '') => ({
    source: await harness.database(TABLES_SQL + SOURCE_ROWS),
    target: await harness.targetDatabase(ROLES + TABLES_SQL + OLD_ROWS + TRIMMINGS + targetSql),
  });
  const run = (source: TestDatabase, target: TestDatabase, more: Partial<SyncEnvironment> = {}, epoch = 1) =>
    harness.run(harness.command(source.url, target.url, TABLES, { epoch }), more);
  /** Returns the definitions, oids, rows and sequence values of a target. */
  const stateOf = async (target: TestDatabase) => [
    await schemaOf(harness, target),
    await oidsOf(target, 'places', 'people', 'places_n_seq', 'places_id_seq', 'places_named'),
    await rowsOf(target, 'places'),
    (await target.query('SELECT n.last_value AS n, i.last_value AS i FROM places_n_seq n, places_id_seq i'))
      .rows,
  ];
  const isSwapped = async (target: TestDatabase, old: readonly number[]) => {
    const now = await oidsOf(target, 'places', 'people');
    expect(now[0] === old[0]).toBe(now[1] === old[1]);
    return now[0] !== old[0];
  };

  it('is swapped and differs only in its rows afterwards', async () => {
    const { source, target } = await both(
      "SELECT setval('places_n_seq', 7000), setval('places_id_seq', 20, false)",
    );
    const before = await schemaOf(harness, target);
    const old = await oidsOf(target, 'places', 'people');
    for (const jobId of ['job_1', 'job_2']) {
      const outcome = await harness.run(harness.command(source.url, target.url, TABLES, { jobId }));
      expect(outcome.failure).toBeUndefined();
      expect(await schemaOf(harness, target)).toBe(before);
      await expectRows(source, target);
      expect(await leftovers(target)).toEqual([]);
    }
    const now = await oidsOf(target, 'places', 'people');
    expect(now.filter((oid) => old.includes(oid))).toEqual([]);
    const sequences = "SELECT nextval('places_n_seq')::int AS n, nextval('places_id_seq')::int AS id";
    expect((await target.query(sequences)).rows).toEqual([{ n: 7001, id: 210 }]);
    expect(await rowsOf(target, 'log')).toEqual([]);
  });

  const CANCELLED = ['before_commit', 'staging_created', 'chunk_copied', 'indexes_built'] as const;
  inBoth.each(casesOf(CANCELLED, 1))('is unchanged after a job that was cancelled at %s', async (at) => {
    const { source, target } = await both();
    const before = await stateOf(target);
    const reached = (step: SyncStep) => {
      if (step === at) throw new SyncJobError({ code: 'cancelled' });
    };
    expect((await run(source, target, { reached })).failure).toEqual({ code: 'cancelled' });
    expect(await stateOf(target)).toEqual(before);
    expect(await leftovers(target)).toEqual([]);
  });

  const FAILED = ['switch_begun', 'staging_created', 'all_chunks_committed', 'before_commit'] as const;
  inBoth.each(casesOf(FAILED, 1))(
    'is swapped by a second attempt that continues after the first one failed at %s',
    async (at) => {
      const { source, target } = await both();
      const [schema, old] = [await schemaOf(harness, target), await oidsOf(target, 'places', 'people')];
      const reached = (step: SyncStep) => {
        if (step === at) throw new SyncJobError({ code: 'connection_lost', side: 'target' });
      };
      expect((await run(source, target, { reached })).failure?.code).toBe('connection_lost');
      const seen: SyncStep[] = [];
      const second = await run(source, target, { reached: (step) => void seen.push(step) }, 2);
      expect(second.failure).toBeUndefined();
      expect(second.completed?.warnings).toEqual([]);
      expect(seen.includes('chunk_copied')).toBe(at === 'staging_created');
      expect(await isSwapped(target, old)).toBe(true);
      expect(await schemaOf(harness, target)).toBe(schema);
      await expectRows(source, target);
    },
  );

  const CREATED = [
    ['a view', 'CREATE VIEW names AS SELECT name FROM places'],
    ['a trigger', 'CREATE TRIGGER later BEFORE DELETE ON people FOR EACH ROW EXECUTE FUNCTION note()'],
    ['a foreign key', 'CREATE TABLE later (place bigint REFERENCES places (id) ON DELETE CASCADE)'],
    ['a right', 'GRANT DELETE ON people TO swap_reader'],
    ['an index', 'CREATE INDEX later ON places (size)'],
  ] as const;
  it('has other facts after each change of its definition', async () => {
    const { target } = await both();
    const names = ['places', 'people'].map((table) => ({ schema: 'public', table }));
    const client = await connect(parseConnectionUrl(target.url), 'target');
    await client.query("SET search_path = ''");
    const facts = async () => (await tableFacts(client, names)).join();
    let before = await facts();
    for (const [what, sql] of CREATED.filter(([what]) => !['a view', 'a foreign key'].includes(what))) {
      await target.query(sql);
      const now = await facts();
      expect([what, now === before]).toEqual([what, false]);
      before = now;
    }
    await disconnect(client);
  });

  inBoth.each(casesOf(CREATED, 2))(
    'is rewritten instead, in the same attempt, if %s is created while rows are copied',
    async (_, sql) => {
      const { source, target } = await both();
      const old = await oidsOf(target, 'places', 'people');
      let schema = '';
      const reached = async (step: SyncStep) => {
        if (step !== 'indexes_built') return;
        await target.query(sql);
        schema = await schemaOf(harness, target, '--exclude-schema=understudy_*');
      };
      expect((await run(source, target, { reached })).failure).toBeUndefined();
      expect(await isSwapped(target, old)).toBe(false);
      expect(await schemaOf(harness, target)).toBe(schema);
      await expectRows(source, target);
      expect(await leftovers(target)).toEqual([]);
    },
  );

  it('is rewritten if a session reads it when the replacement is created', async () => {
    const { source, target } = await both();
    const old = await oidsOf(target, 'places', 'people');
    const reader = await openReader(target, 'BEGIN; SELECT FROM people');
    const reached = (step: SyncStep) => (step === 'staging_created' ? reader.end() : undefined);
    const copy = { connections: 2, chunkBytes: 64_000_000, snapshotHeldMs: 600_000, lockTryMs: 50 };
    const outcome = await run(source, target, { reached, copy });
    expect(outcome.failure).toBeUndefined();
    expect(outcome.completed?.warnings).toEqual([]);
    expect(await isSwapped(target, old)).toBe(false);
    await expectRows(source, target);
  });

  it('serves prepared statements, functions and waiting readers of other sessions after the swap', async () => {
    const { source, target } = await both(`
      CREATE FUNCTION how_many() RETURNS int LANGUAGE plpgsql AS $$ DECLARE one public.places; BEGIN
        SELECT * INTO one FROM public.places LIMIT 1; RETURN (SELECT count(*) FROM public.places); END $$;`);
    const session = await openReader(target, 'PREPARE counting AS SELECT count(*)::int AS n FROM places');
    const waiting = await openReader(target, 'PREPARE counting AS SELECT count(*)::int AS n FROM places');
    const ask = async (client: Client, sql: string) => (await client.query<{ n: number }>(sql)).rows[0]?.n;
    const asked = ['EXECUTE counting', 'SELECT how_many() AS n', 'SELECT count(*)::int AS n FROM places'];
    for (const sql of asked) expect(await ask(session, sql)).toBe(1);
    expect(await ask(waiting, 'EXECUTE counting')).toBe(1);
    let late: Promise<number | undefined> | undefined;
    const reached = async (step: SyncStep) => {
      if (step !== 'before_commit') return;
      late = ask(waiting, 'EXECUTE counting');
      await waitFor('the reader to wait', async () => {
        const { rows } = await session.query(
          "SELECT FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND datname = current_database()",
        );
        return rows.length > 0;
      });
    };
    expect((await run(source, target, { reached })).failure).toBeUndefined();
    expect(await late).toBe(40);
    for (const sql of asked) expect(await ask(session, sql)).toBe(40);
  });

  const CONSTRAINTS = [
    ['unique', 'CREATE UNIQUE INDEX refuses ON people ((id % 50))'],
    ['check', 'ALTER TABLE places ADD CONSTRAINT refuses CHECK (n <> 7)'],
    ['exclusion', 'ALTER TABLE places ADD CONSTRAINT refuses EXCLUDE USING gist (int4range(1, n) WITH &&)'],
    ['not_null', 'ALTER TABLE places ALTER above SET NOT NULL'],
  ] as const;
  inBoth.each(casesOf(CONSTRAINTS, 1))(
    'refuses rows that violate a %s constraint and stays unchanged',
    async (constraintKind, sql) => {
      const { source, target } = await both(`DELETE FROM people; DELETE FROM places; ${sql};`);
      if (constraintKind === 'not_null') await source.query('UPDATE places SET above = NULL WHERE id = 15');
      const before = await stateOf(target);
      const { failure } = await run(source, target);
      expect(failure).toMatchObject({ code: 'constraint_violation', side: 'target', constraintKind });
      if (constraintKind !== 'not_null') expect(failure?.problems).toMatchObject([{ constraint: 'refuses' }]);
      expect(await stateOf(target)).toEqual(before);
    },
  );

  it('refuses a row that references a missing row and stays unchanged', async () => {
    const { source, target } = await both();
    await source.query(
      'ALTER TABLE people DROP CONSTRAINT people_place_fkey; UPDATE people SET place = 11 WHERE id = 9',
    );
    const before = await stateOf(target);
    const { failure } = await run(source, target);
    expect(failure).toMatchObject({
      code: 'orphans_found',
      constraintKind: 'foreign_key',
      tableIndex: 1,
    });
    expect(failure?.problems).toMatchObject([{ constraint: 'people_place_fkey' }]);
    expect(await stateOf(target)).toEqual(before);
  });

  it('is swapped with another column order, wider types, another owner and a reference from a missing table', async () => {
    const source = await harness.database(`
      CREATE TABLE wide (a int PRIMARY KEY, gone text, b varchar(10), c text GENERATED ALWAYS AS (b || '!') STORED);
      ALTER TABLE wide DROP COLUMN gone; INSERT INTO wide VALUES (1, 'b'), (2, NULL);
      CREATE TABLE missing (a int REFERENCES wide (a)); INSERT INTO missing VALUES (2);
      CREATE TABLE kept (a int REFERENCES wide (a), b int PRIMARY KEY); INSERT INTO kept VALUES (1, 1)`);
    const target = await harness.targetDatabase(`${ROLES}
      CREATE TABLE wide (b text, c text GENERATED ALWAYS AS (b || '!') STORED, a bigint PRIMARY KEY);
      ALTER TABLE wide OWNER TO swap_writer; GRANT SELECT ON wide TO swap_reader;
      CREATE TABLE kept (a bigint REFERENCES wide (a), b int PRIMARY KEY); ALTER TABLE kept ADD UNIQUE (a)`);
    const before = await schemaOf(harness, target);
    const old = await oidsOf(target, 'wide', 'kept');
    const command = harness.command(source.url, target.url, { missing: {}, wide: {}, kept: {} });
    expect((await harness.run(command)).failure).toBeUndefined();
    expect(await rowsOf(target, 'wide')).toEqual(['(,,2)', '(b,b!,1)']);
    expect(await rowsOf(target, 'missing')).toEqual(['(2)']);
    expect((await oidsOf(target, 'wide', 'kept')).filter((oid) => old.includes(oid))).toEqual([]);
    await target.query('DROP TABLE missing');
    expect(await schemaOf(harness, target)).toBe(before);
  });

  it.each([
    ['is swapped by a role that has only the required rights', 'SELECT', true],
    [
      'is rewritten by a role that may not create tables in the schema',
      'REVOKE CREATE ON SCHEMA public FROM PUBLIC, swap_owner',
      false,
    ],
    [
      'is rewritten by a role that may not execute the function of a trigger',
      'REVOKE ALL ON FUNCTION note() FROM PUBLIC, swap_owner',
      false,
    ],
  ])('%s', async (_, sql, swapped) => {
    const source = await harness.database('CREATE TABLE t (a int PRIMARY KEY); INSERT INTO t VALUES (1)');
    const target = await harness.targetDatabase(`
      DO $$ BEGIN CREATE ROLE swap_owner LOGIN PASSWORD 'pw'; EXCEPTION WHEN duplicate_object THEN NULL; END $$;
      DO $$ BEGIN EXECUTE format('GRANT CREATE ON DATABASE %I TO swap_owner', current_database()); END $$;
      GRANT ALL ON SCHEMA public TO swap_owner; CREATE TABLE t (a int PRIMARY KEY);
      CREATE FUNCTION note() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RETURN NEW; END';
      CREATE TRIGGER noted AFTER INSERT ON t FOR EACH ROW EXECUTE FUNCTION note(); ALTER TABLE t OWNER TO swap_owner; ${sql}`);
    const old = await oidsOf(target, 't');
    const url = new URL(target.url);
    Object.assign(url, { username: 'swap_owner', password: 'pw' });
    expect(
      (await harness.run(harness.command(source.url, url.toString(), { t: {} }))).failure,
    ).toBeUndefined();
    expect((await oidsOf(target, 't'))[0] !== old[0]).toBe(swapped);
    expect(await rowsOf(target, 't')).toEqual(['(1)']);
  });

  async function openReader(target: TestDatabase, sql: string): Promise<Client> {
    const client = new Client({ connectionString: target.url });
    await client.connect();
    readers.push(client);
    await client.query(sql);
    return client;
  }
});
