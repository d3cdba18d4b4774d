import { Client } from 'pg';
import type { TestDatabase } from '@understudy/testing';
import { plainDump } from './dump.js';
import { SnapshotHarness } from './snapshot-harness.js';

let harness: SnapshotHarness;
let source: TestDatabase;
let made: Awaited<ReturnType<SnapshotHarness['snapshotOf']>>;

beforeAll(async () => {
  harness = await SnapshotHarness.start();
  source = await harness.database(
    `CREATE TYPE mood AS ENUM ('good', 'bad'); CREATE SCHEMA "Odd Schema"; CREATE EXTENSION citext;
     CREATE TABLE people (id int PRIMARY KEY, name citext, mood mood); INSERT INTO people SELECT i, 'p' || i, 'good' FROM generate_series(1, 100) i;
     CREATE TABLE "Odd Schema"."T" (id int REFERENCES people, at date) PARTITION BY RANGE (at);
     CREATE TABLE "Odd Schema".t_1 PARTITION OF "Odd Schema"."T" DEFAULT;
     INSERT INTO "Odd Schema"."T" SELECT i, '2020-01-01' FROM generate_series(1, 50) i;
     CREATE TABLE big (id int); INSERT INTO big SELECT generate_series(1, 1000)`,
  );
  made = await harness.snapshotOf(source.url);
});
afterAll(() => harness.stop());

const restore = (url: string, overwrite = false, from = made) =>
  harness.restore(harness.restoration(url, from.command, from.result, overwrite));
const dump = (url: string) => plainDump(harness.services.postgresBinFolder, url);

describe('a restore', () => {
  it('creates a missing database with all properties of the original database', async () => {
    const old = await harness.database('CREATE SCHEMA "Odd Schema"; CREATE TABLE t AS SELECT 1 AS one');
    const database = `DATABASE ${old.name}`;
    await old.query(`
      CREATE ROLE "its owner"; CREATE ROLE "other role"; ALTER ${database} OWNER TO "its owner";
      REVOKE CONNECT ON ${database} FROM PUBLIC; GRANT CONNECT ON ${database} TO "other role" WITH GRANT OPTION;
      COMMENT ON ${database} IS 'it''s \\ ours'; ALTER ${database} CONNECTION LIMIT 50;
      ALTER ${database} SET search_path = "$user", public, "Odd Schema"; ALTER ${database} SET default_transaction_read_only = on;
      ALTER ${database} SET "my.own" = 'a=b, c'; ALTER ROLE "other role" IN ${database} SET work_mem = '7MB'`);
    const configured = await harness.snapshotOf(old.url);
    const url = harness.newUrl();
    const { failure, phases } = await restore(url, false, configured);
    expect(failure).toBeUndefined();
    expect(phases).toEqual(['preflight', 'checking', 'loading', 'switching']);
    expect(await dump(url)).toBe(await dump(old.url));
  });

  it('needs only one connection at a time, and so does a snapshot', async () => {
    const one = { connections: 1 };
    const command = harness.creation(source.url);
    const { result, counts } = await harness.create(command, one);
    expect(counts.at(-1)).toMatchObject({ tablesDone: 3, tablesTotal: 3 }); // the partition counts, its parent does not
    if (result === undefined) throw new Error('no snapshot');
    const url = harness.newUrl();
    expect((await harness.restore(harness.restoration(url, command, result), one)).failure).toBeUndefined();
    expect(await dump(url)).toBe(await dump(source.url));
  });

  it('[4.5/9] replaces the content of the target with `overwrite`, and keeps the properties of the target', async () => {
    const target = await harness.database('CREATE TABLE people (other text); CREATE TABLE mine (id int)');
    await target.query(
      `ALTER DATABASE ${target.name} SET work_mem = '9MB'; COMMENT ON DATABASE ${target.name} IS 'the target'; GRANT CREATE ON DATABASE ${target.name} TO PUBLIC`,
    );
    const head = (text: string) =>
      text.slice(0, text.indexOf('\\connect')) + (/^ALTER DATABASE.*$/gm.exec(text)?.join() ?? '');
    await harness.idle(target);
    const before = await dump(target.url);
    expect((await restore(target.url)).failure).toEqual({ code: 'target_not_empty', side: 'target' });
    expect(await dump(target.url)).toBe(before);
    expect((await restore(target.url, true)).failure).toBeUndefined();
    const after = await dump(target.url);
    expect(after).not.toContain('mine');
    expect(after).toContain('p100');
    expect(head(after)).toBe(head(before));
    expect(await harness.restoreDatabases()).toEqual([]);
  });

  it('is on the disk of the server when it is switched, even if commits do not wait for the disk', async () => {
    const admin = await harness.admin();
    const ask = async (query: string) => (await admin.query(query)).rows[0]?.['answer'];
    expect(await ask("SELECT current_setting('synchronous_commit') AS answer")).toBe('off');
    const seen: unknown[] = [];
    const { failure } = await harness.restore(
      harness.restoration(harness.newUrl(), made.command, made.result),
      {
        reached: async (step) => {
          if (step === 'before_switch') seen.push(await ask('SELECT pg_current_wal_insert_lsn() AS answer'));
          if (step === 'switched')
            seen.push(await ask(`SELECT pg_current_wal_flush_lsn() >= '${String(seen[0])}' AS answer`));
        },
      },
    );
    expect([failure, seen]).toEqual([undefined, [expect.any(String), true]]);
  });

  it('refuses to restore a snapshot into its own source database, also under another host name', async () => {
    await harness.idle(source);
    expect((await restore(source.url, true)).failure).toEqual({ code: 'same_database', side: 'target' });
    const other = source.url.replace('127.0.0.1', 'localhost');
    expect((await restore(other, true)).failure).toEqual({ code: 'same_database', side: 'target' });
  });

  it('waits until other sessions have left the target, and ends none of them', async () => {
    const target = await harness.database();
    const other = new Client(target.url);
    await other.connect();
    expect((await restore(target.url, true)).failure).toEqual({ code: 'target_in_use', side: 'target' });
    expect((await other.query('SELECT 1 AS one')).rows).toEqual([{ one: 1 }]);
    const patient = harness.restore(harness.restoration(target.url, made.command, made.result, true), {
      graceMs: 20_000,
    });
    await other.end();
    expect((await patient).failure).toBeUndefined();
  });

  it('is refused if a role that owns objects of the snapshot is missing', async () => {
    const foreign = await harness.database(
      'CREATE ROLE gone_soon; CREATE TABLE t (id int); ALTER TABLE t OWNER TO gone_soon',
    );
    const snapshot = await harness.snapshotOf(foreign.url);
    await foreign.query('DROP TABLE t; DROP ROLE gone_soon');
    const url = harness.newUrl();
    expect((await restore(url, false, snapshot)).failure).toEqual({
      code: 'prerequisite_missing',
      side: 'target',
    });
  });

  it('can be checked in advance', async () => {
    const { snapshotId, epoch: snapshotEpoch } = made.command;
    const blocker = (url: string, overwrite = false) =>
      harness
        .runner()
        .precheckRestore(
          { restoreId: 'rst_1', snapshotId, snapshotEpoch, target: { kind: 'url', url }, overwrite },
          new AbortController().signal,
        );
    const target = await harness.database('CREATE FUNCTION f() RETURNS int LANGUAGE sql AS $$SELECT 1$$');
    await harness.idle(target);
    expect(await blocker(harness.newUrl())).toBeUndefined();
    expect(await blocker(target.url)).toMatchObject({ code: 'target_not_empty' });
    expect(await blocker(target.url, true)).toBeUndefined();
    expect(await blocker(source.url, true)).toMatchObject({ code: 'same_database' });
    expect(await blocker(target.url.replace(/:\d+\//, ':1/'))).toMatchObject({ code: 'connection_failed' });
  });
});

describe('a role that may not create databases', () => {
  it('restores into an empty database in one transaction, and into no other database', async () => {
    const plain = await harness.database(
      "CREATE TABLE t (id int PRIMARY KEY, name text); INSERT INTO t VALUES (1, 'x')",
    );
    await plain.query("CREATE ROLE modest LOGIN PASSWORD 'pw'; ALTER TABLE t OWNER TO modest");
    const snapshot = await harness.snapshotOf(plain.url);
    const as = (url: string) => url.replace(/\/\/[^@]*@/, '//modest:pw@');
    const empty = await harness.database();
    await empty.query(
      `GRANT CREATE ON DATABASE ${empty.name} TO modest; GRANT CREATE ON SCHEMA public TO modest`,
    );
    for (const [what, code] of [
      ['FOR ALL TABLES', 'publication_of_all_tables'],
      ['FOR TABLES IN SCHEMA public', 'publication_of_schema'],
    ] as const) {
      await empty.query(`CREATE PUBLICATION p ${what}`);
      await harness.idle(empty);
      expect((await restore(as(empty.url), false, snapshot)).failure).toEqual({ code, side: 'target' });
      await empty.query('DROP PUBLICATION p');
    }
    await harness.idle(empty);
    expect((await restore(as(empty.url), false, snapshot)).failure).toBeUndefined();
    expect((await empty.query('SELECT * FROM t')).rows).toEqual([{ id: 1, name: 'x' }]);
    await harness.idle(empty);
    expect((await restore(as(empty.url), true, snapshot)).failure).toEqual({
      code: 'restore_needs_createdb',
      side: 'target',
    });
    expect((await restore(as(harness.newUrl()), false, snapshot)).failure).toEqual({
      code: 'restore_needs_createdb',
      side: 'target',
    });
    const admin = await harness.admin();
    await admin.query('ALTER ROLE modest CREATEDB');
    expect((await restore(as(empty.url), true, snapshot)).failure).toEqual({
      code: 'restore_needs_ownership',
      side: 'target',
    });
    await admin.query(`ALTER DATABASE ${empty.name} OWNER TO modest`);
    expect((await restore(as(empty.url), true, snapshot)).failure).toBeUndefined();
  });
});

describe('a role that is not a superuser', () => {
  it('sees that sessions of other roles use the target, before it loads the snapshot', async () => {
    const target = await harness.database();
    const admin = await harness.admin();
    await admin.query(
      `CREATE ROLE replacer LOGIN CREATEDB PASSWORD 'pw'; ALTER DATABASE ${target.name} OWNER TO replacer`,
    );
    const other = await harness.connect(target.name);
    const url = target.url.replace(/\/\/[^@]*@/, '//replacer:pw@');
    const { failure, phases } = await restore(url, true);
    expect([failure, phases]).toEqual([{ code: 'target_in_use', side: 'target' }, ['preflight']]);
    await other.end();
  });
});

describe('a snapshot of chosen tables', () => {
  it('contains these tables, their partitions and the types that they need, and no other table', async () => {
    const chosen = await harness.snapshotOf(source.url, ['"Odd Schema"."T"']);
    expect([chosen.result.tableCount, chosen.result.tables]).toEqual([1, []]);
    const url = harness.newUrl();
    expect((await restore(url, false, chosen)).failure).toBeUndefined();
    const restored = new Client(url);
    await restored.connect();
    const { rows } = await restored.query('SELECT count(*)::int AS n FROM "Odd Schema"."T"');
    const tables = await restored.query(
      "SELECT relname FROM pg_class WHERE relkind IN ('r', 'p') AND oid >= 16384 ORDER BY 1",
    );
    await restored.end();
    expect(rows).toEqual([{ n: 50 }]);
    expect(tables.rows).toEqual([{ relname: 'T' }, { relname: 't_1' }]);
    const types = await harness.snapshotOf(source.url, ['people']);
    expect((await restore(harness.newUrl(), false, types)).failure).toBeUndefined();
  });

  it('contains the sequences that only a default, a trigger or a function names, with their values', async () => {
    const named = await harness.database(`
      CREATE SEQUENCE l_seq; CREATE TABLE l (id bigint PRIMARY KEY DEFAULT nextval(('public.l_seq'::text)::regclass), v text);
      CREATE SEQUENCE g_seq; CREATE TABLE g (id text PRIMARY KEY, v text);
      CREATE FUNCTION g_id() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN new.id := 'g' || nextval('public.g_seq'); RETURN new; END $$;
      CREATE TRIGGER g_id BEFORE INSERT ON g FOR EACH ROW EXECUTE FUNCTION g_id(); CREATE SEQUENCE other_seq;
      INSERT INTO l (v) SELECT 'v' FROM generate_series(1, 10); INSERT INTO g (v) SELECT 'v' FROM generate_series(1, 20)`);
    const chosen = await harness.snapshotOf(named.url, ['l', 'g']);
    const url = harness.newUrl();
    expect((await restore(url, false, chosen)).failure).toBeUndefined();
    const restored = new Client(url);
    await restored.connect();
    const { rows } = await restored.query(
      'SELECT sequencename AS name, last_value::int AS last FROM pg_sequences ORDER BY 1',
    );
    await restored.query("INSERT INTO l (v) VALUES ('next'); INSERT INTO g (v) VALUES ('next')");
    await restored.end();
    expect(rows).toEqual([
      { name: 'g_seq', last: 20 },
      { name: 'l_seq', last: 10 },
    ]);
  });

  it('contains a partition as a plain table, without what it inherits', async () => {
    const parted = await harness.database(`
      CREATE FUNCTION kept() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RETURN new; END'; CREATE TABLE n (id int PRIMARY KEY);
      CREATE TABLE p (id int PRIMARY KEY REFERENCES n, UNIQUE (id), CHECK (id > 0)) PARTITION BY RANGE (id);
      CREATE TABLE p_1 PARTITION OF p DEFAULT; CREATE TRIGGER kept BEFORE INSERT ON p FOR EACH ROW EXECUTE FUNCTION kept();
      ALTER TABLE p_1 DISABLE TRIGGER kept; INSERT INTO n VALUES (1); INSERT INTO p VALUES (1)`);
    const chosen = await harness.snapshotOf(parted.url, ['p_1']);
    expect((await restore(harness.newUrl(), false, chosen)).failure).toBeUndefined();
  });

  it('is not restored over a database that has other tables', async () => {
    const chosen = await harness.snapshotOf(source.url, ['people']);
    const target = await harness.database('CREATE TABLE people (id int); CREATE TABLE precious (id int)');
    await harness.idle(target);
    expect((await restore(target.url, true, chosen)).failure).toEqual({
      code: 'target_holds_other_tables',
      side: 'target',
    });
    await target.query('DROP TABLE precious');
    await harness.idle(target);
    expect((await restore(target.url, true, chosen)).failure).toBeUndefined();
  });

  it.each([
    ['that does not exist', ['people', 'nobody'], { code: 'table_not_found', side: 'source', tableIndex: 1 }],
    [
      'with too many parts in its name',
      ['a.b.c'],
      { code: 'table_not_found', side: 'source', tableIndex: 0 },
    ],
    [
      'with a NUL in its name',
      ['people', 'x', 'a\0'],
      { code: 'table_not_found', side: 'source', tableIndex: 1 },
    ],
    [
      'with a name of 300 letters',
      ['x'.repeat(300)],
      { code: 'table_not_found', side: 'source', tableIndex: 0 },
    ],
    [
      'of PostgreSQL itself',
      ['people', 'pg_catalog.pg_authid', 'information_schema.sql_features'],
      { code: 'table_not_found', side: 'source', tableIndex: 1 },
    ],
    ['that is a path', ['../people'], { code: 'table_not_found', side: 'source', tableIndex: 0 }],
  ])('refuses a table %s, and reports its index', async (_, tables, expected) => {
    expect((await harness.create(harness.creation(source.url, tables))).failure).toEqual(expected);
    expect(harness.left.working).toEqual([]);
  });

  it('refuses a table that the role cannot read, and reports its index', async () => {
    await source.query(
      "CREATE ROLE reader LOGIN PASSWORD 'pw'; GRANT SELECT ON big TO reader; GRANT CONNECT ON DATABASE " +
        source.name +
        ' TO reader',
    );
    const as = source.url.replace(/\/\/[^@]*@/, '//reader:pw@');
    const { failure } = await harness.create(harness.creation(as, ['big', 'people']));
    expect(failure).toEqual({ code: 'permission_denied', side: 'source', tableIndex: 1 });
    expect((await harness.create(harness.creation(as, ['big']))).failure).toBeUndefined();
  });
});
