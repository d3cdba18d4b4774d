import { SyncJobError, type SyncJobCommand } from '@understudy/sync-job';
import type { TestDatabase } from '@understudy/testing';
import type { LocalNames } from '../../../src/local-names.js';
import { Client } from 'pg';
import { SyncHarness, rowsOf } from '../sync-harness.js';

const LISTED = 'CREATE TABLE a (id int PRIMARY KEY, v text); INSERT INTO a VALUES (1, $$x$$)';

/** Objects of every kind, and objects that belong to another object or to an extension. */
const EVERYTHING = `
  CREATE SCHEMA "Odd ""Schema";
  CREATE TABLE "Odd ""Schema"."T" (n int);
  CREATE SCHEMA understudy_app;
  CREATE TABLE understudy_app.t (id serial PRIMARY KEY, n int GENERATED ALWAYS AS IDENTITY);
  CREATE TABLE measured (at date, n int) PARTITION BY RANGE (at);
  CREATE TABLE measured_1 PARTITION OF measured FOR VALUES FROM ('2026-01-01') TO ('2026-02-01');
  CREATE TABLE measured_2 PARTITION OF measured FOR VALUES FROM ('2026-02-01') TO ('2026-03-01');
  CREATE TABLE of_a () INHERITS (a);
  CREATE VIEW v AS SELECT id FROM a;
  CREATE MATERIALIZED VIEW m AS SELECT id FROM v;
  CREATE FUNCTION f(int) RETURNS int LANGUAGE sql AS 'SELECT $1';
  CREATE FUNCTION f(text) RETURNS text LANGUAGE sql AS 'SELECT $1';
  CREATE AGGREGATE total(int) (SFUNC = int4pl, STYPE = int);
  CREATE TYPE mood AS ENUM ('a', 'b');
  CREATE TYPE pair AS (x int, y int);
  CREATE TYPE span AS RANGE (SUBTYPE = int);
  CREATE DOMAIN positive AS int CHECK (VALUE > 0);
  CREATE SEQUENCE free;
  CREATE EXTENSION citext SCHEMA public;
`;
const LEFT_OUT = {
  tables: 4,
  foreign_tables: 0,
  views: 1,
  materialized_views: 1,
  functions: 3,
  types: 4,
  sequences: 1,
  schemas: 2,
  extensions: 1,
};
const NOTHING = Object.fromEntries(Object.keys(LEFT_OUT).map((kind) => [kind, 0]));
/** The warnings about the views, which depend on the job's table. */
const DEPENDENTS = ['m', 'v'].map((name) => ({
  ...{ code: 'dependent_left_out', object: { kind: 'relation', schema: 'public', name } },
}));
const UNLISTED = ['"Odd ""Schema"."T"', 'measured', 'of_a', 'understudy_app.t'];

describe('what a job does not copy', () => {
  let harness: SyncHarness;
  let source: TestDatabase;
  let target: TestDatabase;
  let names: LocalNames[] = [];
  beforeAll(async () => {
    harness = await SyncHarness.start();
  });
  beforeEach(async () => {
    names = [];
    source = await harness.database(`${LISTED}; ${EVERYTHING}`);
    target = await harness.targetDatabase();
  });
  afterEach(() => harness.dropAll());
  afterAll(() => harness.stop());

  const run = (more: Partial<SyncJobCommand>, environment: object = {}) =>
    harness.run(harness.command(source.url, target.url, { a: {} }, more), {
      onNames: (found) => names.push(found),
      ...environment,
    });
  const namesAbout = <A extends LocalNames['about']>(about: A) =>
    names.filter((one): one is Extract<LocalNames, { about: A }> => one.about === about);
  const isEmpty = async () =>
    (await target.query("SELECT FROM pg_class WHERE relnamespace = 'public'::regnamespace")).rows.length ===
    0;

  it('is counted by kind, in a job and in its dry run', async () => {
    const { predicted } = await run({ dryRun: true });
    expect([predicted?.failures, predicted?.leftOut]).toEqual([[], LEFT_OUT]);
    const { completed } = await run({});
    expect([completed?.warnings, completed?.leftOut]).toEqual([DEPENDENTS, LEFT_OUT]);
    expect(predicted?.warnings).toEqual(expect.arrayContaining(DEPENDENTS));
    const [first, second] = namesAbout('left_out');
    expect(first?.objects).toEqual(second?.objects);
    expect(second?.objects.map(({ name }) => name)).toEqual(
      expect.arrayContaining([
        'public.f(pg_catalog.text)',
        'public.total(integer)',
        '"Odd ""Schema"',
        'public.span',
      ]),
    );
  });

  it('does not count if the target has it already, or if a created table needs it', async () => {
    await source.query('ALTER TABLE a ADD feeling mood, ADD n int DEFAULT f(1), ADD e citext');
    await target.query(
      `${EVERYTHING.replace('CREATE TABLE of_a () INHERITS (a);', 'CREATE TABLE of_a (id int);')
        .replace('SELECT id FROM a', 'SELECT id FROM of_a')
        .replace(/CREATE TYPE mood [^;]*;/, '')
        .replace(/CREATE FUNCTION f\(int\) [^;]*;/, '')}`,
    );
    const { predicted } = await run({ dryRun: true });
    expect(predicted).toMatchObject({ failures: [], leftOut: NOTHING });
    const { completed } = await run({});
    expect(completed?.leftOut).toEqual(NOTHING);
  });

  it('counts an object whose name belongs to an object of another kind on the target', async () => {
    await target.query(
      'CREATE TABLE v (id int); CREATE FUNCTION f(bigint) RETURNS int LANGUAGE sql AS $$SELECT 1$$',
    );
    const { completed } = await run({});
    expect(completed?.leftOut).toEqual(LEFT_OUT);
  });

  it('makes the job fail before a row is copied if it is a table and the job rejects unlisted tables', async () => {
    for (const dryRun of [true, false]) {
      const { failure, predicted } = await run({ unlistedTables: 'reject', dryRun });
      const [found] = predicted?.failures ?? [failure];
      expect(found).toMatchObject({ code: 'tables_unlisted', problemCount: 4 });
      expect(found?.problems?.map(({ code, table }) => [code, table])).toEqual([
        ['tables_unlisted', { schema: 'Odd "Schema', name: 'T' }],
        ['tables_unlisted', { schema: 'public', name: 'measured' }],
        ['tables_unlisted', { schema: 'public', name: 'of_a' }],
        ['tables_unlisted', { schema: 'understudy_app', name: 't' }],
      ]);
    }
    expect(await isEmpty()).toBe(true);
  });

  it('names no unlisted table if the policy forbids names in reports', async () => {
    const { failure } = await run(
      { unlistedTables: 'reject' },
      { policy: harness.policy({ reportNames: false }) },
    );
    expect(failure?.problems).toEqual(
      Array.from({ length: 4 }, () => ({ code: 'tables_unlisted', table: {} })),
    );
  });

  it('is a warning with a count if the job asks for it', async () => {
    const warning = { code: 'tables_unlisted', count: 4 };
    expect((await run({ unlistedTables: 'warn', dryRun: true })).predicted?.warnings).toContainEqual(warning);
    expect((await run({ unlistedTables: 'warn' })).completed?.warnings).toEqual([warning, ...DEPENDENTS]);
    expect(namesAbout('unlisted_tables').map(({ tables }) => tables.length)).toEqual([4, 4]);
  });

  it('is accepted if each table is ignored, and the names are read as in SQL', async () => {
    const ignoredTables = [...UNLISTED.slice(0, 1), 'Public.MEASURED', '"of_a"', 'UNDERSTUDY_app.T'];
    const { completed } = await run({ unlistedTables: 'reject', ignoredTables });
    expect(completed).toMatchObject({ warnings: DEPENDENTS, leftOut: LEFT_OUT });
  });

  it('refuses an ignored name that no table of the source has', async () => {
    const ignoredTables = [...UNLISTED, 'mesured', 'v', '"Of_A"', 'a.b.c'];
    for (const unlistedTables of ['warn', 'reject'] as const) {
      const { failure } = await run({ unlistedTables, ignoredTables });
      expect(failure).toMatchObject({
        code: 'ignored_table_not_found',
        problems: [4, 5, 6, 7].map((ignoredTableIndex) => ({ ignoredTableIndex })),
      });
    }
  });

  it('counts a partitioned table as listed if all its partitions are, and a detached partition as unlisted', async () => {
    const options = {
      unlistedTables: 'reject' as const,
      ignoredTables: UNLISTED.filter((name) => name !== 'measured'),
    };
    const listing = (...tables: string[]) =>
      harness.run(
        harness.command(
          source.url,
          target.url,
          Object.fromEntries(['a', ...tables].map((name) => [name, {}])),
          {
            ...{ ...options, dryRun: true },
          },
        ),
      );
    const unlisted = async (...tables: string[]) =>
      (await listing(...tables)).predicted?.failures.flatMap(({ problems = [] }) =>
        problems.map(({ table }) => table?.name),
      );
    expect(await unlisted('measured')).toEqual([]);
    expect(await unlisted('measured_1', 'measured_2')).toEqual([]);
    expect(await unlisted('measured_1')).toEqual(['measured']);
    await source.query('ALTER TABLE measured DETACH PARTITION measured_2');
    expect(await unlisted('measured')).toEqual(['measured_2']);
    await source.query('DROP TABLE measured_1, measured_2');
    expect(await unlisted()).toEqual(['measured']);
  });

  it('does not change a job without the options', async () => {
    const { completed } = await run({});
    expect(completed?.warnings).toEqual(DEPENDENTS);
    expect(await rowsOf(target, 'a')).toEqual(['(1,x)']);
  });

  it('is named if it depends on a table of the job, also through other objects, up to a limit', async () => {
    await source.query(`
      CREATE FUNCTION of_row(a) RETURNS int LANGUAGE sql AS 'SELECT 1'; CREATE FUNCTION of_rows(a[]) RETURNS int LANGUAGE sql AS 'SELECT 1';
      CREATE FUNCTION "Reads"() RETURNS int LANGUAGE sql BEGIN ATOMIC SELECT count(*)::int FROM a; END;
      CREATE VIEW through AS SELECT public."Reads"() AS n, 1 AS other; CREATE VIEW apart AS SELECT 1 AS n;
      CREATE FUNCTION in_text() RETURNS int LANGUAGE sql AS 'SELECT count(*)::int FROM a'`);
    const dependents = async (more: object = {}) =>
      (await run({ dryRun: true }, more)).predicted?.warnings
        .filter(({ code }) => code === 'dependent_left_out')
        .map(({ object, count }) => object?.name ?? object?.kind ?? count);
    expect(await dependents()).toEqual(['Reads', 'm', 'of_row', 'of_rows', 'through', 'v']);
    const kinds = ['function', 'relation', 'function', 'function', 'relation', 'relation'];
    expect(await dependents({ policy: harness.policy({ reportNames: false }) })).toEqual(kinds);
    const more = Array.from({ length: 20 }, (_, i) => `CREATE VIEW w${i} AS SELECT id FROM a`);
    await source.query(more.join(';'));
    const found = await dependents();
    expect([found?.length, found?.at(-1)]).toEqual([21, 6]);
    await target.query(`CREATE TABLE a (id int PRIMARY KEY, v text); ${more.join(';')}`);
    expect(await dependents()).toEqual(['Reads', 'm', 'of_row', 'of_rows', 'through', 'v']);
  });
});

describe('the materialized views of a target', () => {
  let harness: SyncHarness;
  let source: TestDatabase;
  let target: TestDatabase;
  let names: LocalNames[] = [];
  beforeAll(async () => {
    harness = await SyncHarness.start();
  });
  beforeEach(async () => {
    names = [];
    source = await harness.database(
      `CREATE TABLE t (id int PRIMARY KEY, at timestamptz); INSERT INTO t VALUES (1, '2026-01-01 00:00Z'), (2, NULL)`,
    );
    // The names are in the reverse order of dependence.
    target = await harness.targetDatabase(`
      CREATE TABLE t (id int PRIMARY KEY, at timestamptz);
      INSERT INTO t VALUES (7, '2020-01-01 00:00Z');
      CREATE TABLE other (id int);
      CREATE VIEW v AS SELECT * FROM t;
      CREATE MATERIALIZED VIEW "Z 1" AS SELECT count(*) AS n, min(at)::text AS at FROM v;
      CREATE MATERIALIZED VIEW m AS SELECT n FROM "Z 1";
      CREATE VIEW over_m AS SELECT n FROM m;
      CREATE MATERIALIZED VIEW a AS SELECT n FROM over_m;
      CREATE MATERIALIZED VIEW apart AS SELECT count(*) AS n FROM other;
      CREATE MATERIALIZED VIEW empty AS SELECT count(*) AS n FROM t WITH NO DATA;
      INSERT INTO other VALUES (1);
    `);
  });
  afterEach(() => harness.dropAll());
  afterAll(() => harness.stop());

  const run = (more: Partial<SyncJobCommand> = {}, environment: object = {}) =>
    harness.run(
      harness.command(source.url, target.url, { t: {} }, { refreshMaterializedViews: true, ...more }),
      {
        onNames: (found: LocalNames) => names.push(found),
        ...environment,
      },
    );
  const statements = () =>
    names.flatMap((found) => (found.about === 'not_refreshed' ? found.statements : []));
  const counts = async () => {
    const { rows } = await target.query(
      'SELECT "Z 1".n AS z, m.n AS m, a.n AS a, apart.n AS apart FROM "Z 1", m, a, apart',
    );
    return Object.values(rows[0] ?? {}).map(Number);
  };

  it('that depend on replaced tables are refreshed in order of dependence, also by an attempt after the switch', async () => {
    const { failure } = await run(
      {},
      {
        reached: (step: string) => {
          if (step === 'committed') throw new SyncJobError({ code: 'connection_lost', side: 'target' });
        },
      },
    );
    expect([failure?.code, await counts()]).toEqual(['connection_lost', [1, 1, 1, 0]]);
    const { completed } = await run({ epoch: 2 });
    expect(completed?.warnings).toEqual([]);
    expect(await counts()).toEqual([2, 2, 2, 0]);
    await expect(target.query('SELECT FROM empty')).rejects.toThrow('has not been populated');
    expect(statements()).toEqual([]);
  });

  it('are named with the SQL if the job does not ask for a refresh', async () => {
    const { completed } = await run({ refreshMaterializedViews: false });
    const warning = { code: 'materialized_views_stale', count: 3 };
    expect(completed?.warnings).toEqual([warning]);
    expect(await counts()).toEqual([1, 1, 1, 0]);
    const sql = [
      'REFRESH MATERIALIZED VIEW "public"."Z 1";',
      'REFRESH MATERIALIZED VIEW "public"."m";',
      'REFRESH MATERIALIZED VIEW "public"."a";',
    ];
    expect(statements()).toEqual(sql);
    await target.query(sql.join(' '));
    expect(await counts()).toEqual([2, 2, 2, 0]);
    const predicted = async (refreshMaterializedViews: boolean) =>
      (await run({ refreshMaterializedViews, dryRun: true })).predicted?.warnings;
    expect(await predicted(false)).toEqual([warning]);
    expect(await predicted(true)).toEqual([]);
  });

  it('are refreshed with the settings of the database, not with those of the job', async () => {
    await target.query(
      `DO $$ BEGIN EXECUTE format('ALTER DATABASE %I SET timezone = %L', current_database(), 'Asia/Tokyo'); END $$`,
    );
    await run();
    const { rows } = await target.query('SELECT at FROM "Z 1"');
    expect(rows[0]?.['at']).toBe('2026-01-01 09:00:00+09');
  });

  it('are refreshed with the search path of their owner, without schemas in which others may create objects', async () => {
    const outer = (one: string, two: string) => `
      CREATE OR REPLACE FUNCTION tools.outer_one() RETURNS bigint LANGUAGE plpgsql AS 'BEGIN RETURN ${one}; END';
      CREATE OR REPLACE FUNCTION tools.outer_two() RETURNS bigint LANGUAGE plpgsql AS 'BEGIN RETURN ${two}; END';`;
    await target.query(`
      CREATE SCHEMA tools; CREATE FUNCTION tools.one() RETURNS bigint LANGUAGE sql AS 'SELECT 1::bigint';
      CREATE SCHEMA shared; GRANT CREATE ON SCHEMA shared TO PUBLIC;
      CREATE FUNCTION shared.two() RETURNS bigint LANGUAGE sql AS 'SELECT 2::bigint';
      ${outer('1', '2')}
      CREATE MATERIALIZED VIEW of_tools AS SELECT tools.outer_one() AS n FROM t;
      CREATE MATERIALIZED VIEW of_shared AS SELECT tools.outer_two() AS n FROM t;
      ${outer('one()', 'two()')}
      DO $$ BEGIN EXECUTE format('ALTER DATABASE %I SET search_path = public, tools, shared', current_database()); END $$`);
    const { completed } = await run();
    // From PostgreSQL 17 on, the server allows no schema but pg_catalog.
    const { rows } = await target.query(
      "SELECT current_setting('server_version_num')::int >= 170000 AS strict",
    );
    const failed = rows[0]?.['strict'] === true ? ['of_shared', 'of_tools'] : ['of_shared'];
    expect(completed?.warnings).toEqual([{ code: 'materialized_views_not_refreshed', count: failed.length }]);
    expect(statements()).toEqual(failed.map((name) => `REFRESH MATERIALIZED VIEW "public"."${name}";`));
    expect(await rowsOf(target, 'of_tools')).toHaveLength(3 - failed.length);
  });

  it('do not make the job fail if their query fails, and views on them are not refreshed either', async () => {
    await target.query(
      `CREATE MATERIALIZED VIEW broken AS SELECT 1 / id AS n FROM t; CREATE MATERIALIZED VIEW on_broken AS SELECT n FROM broken`,
    );
    await source.query('INSERT INTO t VALUES (0, NULL)');
    const { completed } = await run();
    expect(completed?.warnings).toEqual([{ code: 'materialized_views_not_refreshed', count: 2 }]);
    expect(statements()).toEqual([
      'REFRESH MATERIALIZED VIEW "public"."broken";',
      'REFRESH MATERIALIZED VIEW "public"."on_broken";',
    ]);
    expect(await rowsOf(target, 't')).toHaveLength(3);
    expect(await counts()).toEqual([3, 3, 3, 0]);
  });

  it('that another session reads stays as it is, and the others are refreshed', async () => {
    const reader = new Client({ connectionString: target.url });
    await reader.connect();
    try {
      await reader.query('BEGIN; SELECT FROM m');
      const { completed } = await run({}, { copy: { lockTryMs: 50, lockWaitMs: 0 } });
      expect(completed?.warnings).toEqual([{ code: 'materialized_views_not_refreshed', count: 2 }]);
      expect(statements().map((sql) => sql.split('.')[1])).toEqual(['"m";', '"a";']);
    } finally {
      await reader.end();
    }
    expect(await counts()).toEqual([2, 1, 1, 0]);
  });

  it('of other owners are not refreshed, and a warning counts them in the dry run and the job', async () => {
    await target.query(`
      DO $$ BEGIN CREATE ROLE refresher LOGIN PASSWORD 'pw'; EXCEPTION WHEN duplicate_object THEN NULL; END $$;
      DO $$ BEGIN EXECUTE format('GRANT CREATE ON DATABASE %I TO refresher', current_database()); END $$;
      GRANT CREATE ON SCHEMA public TO refresher; ALTER TABLE t OWNER TO refresher;
      ALTER MATERIALIZED VIEW a OWNER TO refresher`);
    const url = new URL(target.url);
    Object.assign(url, { username: 'refresher', password: 'pw' });
    const job = { target: { kind: 'url', url: url.href } } as const;
    const stale = { code: 'materialized_views_stale', count: 2 };
    expect((await run({ ...job, dryRun: true })).predicted).toMatchObject({
      failures: [],
      warnings: [stale],
    });
    const behind = { code: 'materialized_views_not_refreshed', count: 1 };
    expect((await run(job)).completed?.warnings).toEqual([stale, behind]);
    expect(await counts()).toEqual([1, 1, 1, 0]);
  });

  it('are refreshed by the next attempt if the first ended after the switch', async () => {
    const died = new SyncJobError({ code: 'connection_lost', side: 'target' });
    const first = await run(
      {},
      { reached: (step: string) => (step === 'committed' ? Promise.reject(died) : undefined) },
    );
    expect(first.failure?.code).toBe('connection_lost');
    expect(await counts()).toEqual([1, 1, 1, 0]);
    const second = await run({ epoch: 2 });
    expect(second.completed).toMatchObject({ warnings: [], leftOut: { views: 0 } });
    expect(await counts()).toEqual([2, 2, 2, 0]);
  });

  it('that depend on a partition, a parent or a SQL function with a parsed body are found, and cycles of views do no harm', async () => {
    const more = `
      CREATE TABLE p (id int, at timestamptz) PARTITION BY RANGE (id);
      CREATE TABLE p_1 PARTITION OF p FOR VALUES FROM (0) TO (100);
    `;
    await source.query(`${more} INSERT INTO p VALUES (1), (2), (3)`);
    await target.query(`${more}
      CREATE FUNCTION rows_of_p() RETURNS bigint LANGUAGE sql BEGIN ATOMIC SELECT count(*) FROM p; END;
      CREATE MATERIALIZED VIEW of_part AS SELECT count(*) AS n FROM p_1;
      CREATE MATERIALIZED VIEW of_function AS SELECT rows_of_p() AS n;
      CREATE VIEW c1 AS SELECT 1 AS id; CREATE VIEW c2 AS SELECT id FROM c1;
      CREATE OR REPLACE VIEW c1 AS SELECT id FROM c2;
    `);
    const listed = async (table: string) =>
      harness.run(
        harness.command(
          source.url,
          target.url,
          { [table]: {} },
          {
            ...{ jobId: `job_${table}`, refreshMaterializedViews: true },
          },
        ),
      );
    expect((await listed('p')).completed?.warnings).toEqual([]);
    const found = async () => {
      const { rows } = await target.query('SELECT a.n AS a, b.n AS b FROM of_part a, of_function b');
      return Object.values(rows[0] ?? {}).map(Number);
    };
    expect(await found()).toEqual([3, 3]);
    await source.query('DELETE FROM p WHERE id = 3');
    expect((await listed('p_1')).completed?.warnings).toEqual([]);
    expect(await found()).toEqual([2, 2]);
  });
});
