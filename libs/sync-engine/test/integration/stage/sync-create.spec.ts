import { asTarget } from '@understudy/testing';
import { rowsOf, SyncHarness } from '../sync-harness.js';

const SOURCE = `
  CREATE SCHEMA "Odd Schema";
  CREATE EXTENSION citext;
  CREATE TYPE mood AS ENUM ('sad', 'it''s ok', 'happy');
  CREATE TYPE "Odd Schema".point3 AS (x int, y int, label text);
  CREATE DOMAIN short_code AS varchar(8) CHECK (VALUE <> '');
  CREATE FUNCTION double(int) RETURNS int LANGUAGE sql IMMUTABLE AS 'SELECT $1 * 2';
  CREATE TABLE people (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    name varchar(40) NOT NULL,
    nick citext,
    mood mood DEFAULT 'happy',
    code short_code,
    tags text[],
    extra jsonb,
    place "Odd Schema".point3,
    born date,
    balance numeric(12, 2),
    raw bytea,
    age int,
    age_twice int GENERATED ALWAYS AS (double(age)) STORED,
    boss_id bigint,
    team_id int
  );
  CREATE TABLE teams (id serial PRIMARY KEY, title text, lead_id bigint REFERENCES people (id) DEFERRABLE);
  ALTER TABLE people ADD FOREIGN KEY (boss_id) REFERENCES people (id), ADD FOREIGN KEY (team_id) REFERENCES teams (id);
  CREATE INDEX people_lower_name ON people (lower(name));
  COMMENT ON COLUMN people.name IS 'given';
  CREATE FUNCTION stamp() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN NEW.title := 'stamped'; RETURN NEW; END $$;
  CREATE TRIGGER stamp BEFORE INSERT ON teams FOR EACH ROW EXECUTE FUNCTION stamp();
  CREATE TABLE "Odd Schema"."T" ("Col ""x""" text, n float8, at timestamptz);
  CREATE TABLE events (id int, day date, note text, PRIMARY KEY (id, day)) PARTITION BY RANGE (day);
  CREATE TABLE events_2025 PARTITION OF events FOR VALUES FROM ('2025-01-01') TO ('2026-01-01');
  CREATE TABLE events_2026 PARTITION OF events FOR VALUES FROM ('2026-01-01') TO ('2027-01-01');
  CREATE TABLE no_columns ();
  CREATE TABLE unlisted (id int PRIMARY KEY, secret text);
  CREATE TABLE refers (id int PRIMARY KEY, unlisted_id int REFERENCES unlisted (id));
  INSERT INTO people (name, nick, mood, code, tags, extra, place, born, balance, raw, age)
    SELECT 'Person ' || i, 'Nick' || i, (ARRAY['sad', 'it''s ok', 'happy']::mood[])[1 + i % 3], 'c' || i, ARRAY['a' || i, NULL, 'b,"c'],
           jsonb_build_object('i', i, 'text', E'tab\\tnew\\nline\\\\'), ROW(i, 2, E'l\\t' || i)::"Odd Schema".point3, '2000-01-01'::date + i, i * 1.25, '\\xdeadbeef', i
      FROM generate_series(1, 200) i;
  INSERT INTO people (name) VALUES (E'\\\\N'), (''), (E'\\t\\n\\r\\\\.'), ('😀é');
  UPDATE people SET boss_id = id - 1 WHERE id BETWEEN 2 AND 200;
  INSERT INTO teams (title, lead_id) SELECT 'x', i FROM generate_series(1, 5) i;
  ALTER TABLE teams DISABLE TRIGGER stamp;
  UPDATE teams SET title = 'Team ' || id;
  ALTER TABLE teams ENABLE TRIGGER stamp;
  UPDATE people SET team_id = 1 + id % 5 WHERE id <= 200;
  INSERT INTO "Odd Schema"."T" VALUES ('x', 0.1, '2026-01-01 12:00+02'), (NULL, 'NaN', '-infinity'), ('y', 1e300, now());
  INSERT INTO events SELECT i, '2025-06-01'::date + i, 'note ' || i FROM generate_series(1, 400) i;
  INSERT INTO no_columns DEFAULT VALUES; INSERT INTO no_columns DEFAULT VALUES;
  INSERT INTO unlisted VALUES (1, 'secret'); INSERT INTO refers VALUES (1, 1);
`;

const ALL = { people: {}, teams: {}, '"Odd Schema"."T"': {}, events: {}, no_columns: {}, refers: {} };
const TABLES = ['people', 'teams', '"Odd Schema"."T"', 'events', 'events_2025', 'no_columns', 'refers'];

describe('a sync job whose target tables are missing', () => {
  let harness: SyncHarness;
  beforeAll(async () => {
    harness = await SyncHarness.start();
  });
  afterEach(() => harness.dropAll());
  afterAll(() => harness.stop());

  it('creates them with all objects that they need and copies every value unchanged', async () => {
    const source = await harness.database(SOURCE);
    const target = await harness.database();
    // The clock advances by a second at every call, so that progress is reported each time.
    let clock = 0;
    const now = () => (clock += 1000);
    const outcome = await harness.run(harness.command(source.url, target.url, ALL), { now });
    expect(outcome.failure).toBeUndefined();
    for (const table of TABLES) expect(await rowsOf(target, table)).toEqual(await rowsOf(source, table));
    expect(outcome.completed?.tables).toMatchObject([
      { tableIndex: 0, rowsProcessed: 204, rowsTotal: 204, state: 'completed' },
      { rowsProcessed: 5 },
      { rowsProcessed: 3 },
      { rowsProcessed: 400 },
      { rowsProcessed: 2 },
      { rowsProcessed: 1 },
    ]);
    expect(outcome.completed?.warnings).toEqual([{ code: 'foreign_key_skipped', tableIndex: 5 }]);
    expect(outcome.progress.find((tables) => tables.length > 0)?.[0]).toMatchObject({
      tableIndex: 0,
      rowsTotal: 204,
      bytesTotal: expect.any(Number) as number,
    });
    const { rows } = await target.query("SELECT to_regclass('unlisted') IS NULL AS gone");
    expect(rows[0]).toEqual({ gone: true });
  });

  it('creates keys, indexes, foreign keys, comments and triggers, and sets sequences above the values', async () => {
    const source = await harness.database(SOURCE);
    const target = await harness.database();
    await harness.run(harness.command(source.url, target.url, ALL));
    const constraints = `SELECT conrelid::regclass::text || ' ' || pg_get_constraintdef(oid) AS c FROM pg_constraint
       WHERE conrelid <> 0 AND pg_get_constraintdef(oid) NOT LIKE '%unlisted%' AND conrelid::regclass::text <> 'unlisted' ORDER BY 1`;
    expect((await target.query(constraints)).rows).toEqual((await source.query(constraints)).rows);
    const index = "SELECT indexdef FROM pg_indexes WHERE indexname = 'people_lower_name'";
    expect((await target.query(index)).rows).toHaveLength(1);
    const comment = "SELECT col_description('people'::regclass, 2) AS c";
    expect((await target.query(comment)).rows).toEqual([{ c: 'given' }]);
    await target.query("INSERT INTO people (name, age) VALUES ('new', 4)");
    await target.query("INSERT INTO teams (title) VALUES ('new')");
    expect((await target.query('SELECT max(id)::int AS id FROM people')).rows).toEqual([{ id: 205 }]);
    expect((await target.query('SELECT id, title FROM teams ORDER BY id DESC LIMIT 1')).rows).toEqual([
      { id: 6, title: 'stamped' },
    ]);
  });

  it('uses types and schemas that already exist on the target', async () => {
    const source = await harness.database(SOURCE);
    const target = await harness.database(
      `CREATE TYPE mood AS ENUM ('sad', 'it''s ok', 'happy'); CREATE SCHEMA "Odd Schema"; CREATE EXTENSION citext;`,
    );
    const outcome = await harness.run(harness.command(source.url, target.url, ALL));
    expect(outcome.failure).toBeUndefined();
  });

  it('attaches indexes of partitions whose types and functions already exist on the target', async () => {
    const needed = `
      CREATE EXTENSION citext; CREATE EXTENSION hstore; CREATE EXTENSION ltree; CREATE DOMAIN nick AS citext; CREATE TYPE kind AS ENUM ('a', 'b');
      CREATE FUNCTION folded(text) RETURNS text LANGUAGE sql IMMUTABLE AS 'SELECT pg_catalog.lower($1)';`;
    const source = await harness.database(`${needed}
      CREATE TABLE area (n int, k citext, d nick, h hstore, l ltree, e kind, PRIMARY KEY (k, d, h, l, e, n)) PARTITION BY HASH (n);
      CREATE TABLE area_0 PARTITION OF area FOR VALUES WITH (MODULUS 2, REMAINDER 0) PARTITION BY LIST (e);
      CREATE TABLE area_0a PARTITION OF area_0 FOR VALUES IN ('a'); CREATE TABLE area_0b PARTITION OF area_0 DEFAULT;
      CREATE TABLE area_1 PARTITION OF area FOR VALUES WITH (MODULUS 2, REMAINDER 1);
      CREATE INDEX ON area (folded(k::text)); CREATE UNIQUE INDEX ON area (k DESC, folded(l::text), n, e);
      CREATE TABLE spot (LIKE area, FOREIGN KEY (k, d, h, l, e, n) REFERENCES area) PARTITION BY LIST (k);
      CREATE TABLE spot_0 PARTITION OF spot DEFAULT;
      INSERT INTO area SELECT i, 'K' || i, 'N' || i, hstore('a', i::text), ('a.b' || i)::ltree, (ARRAY['a', 'b']::kind[])[1 + i % 2] FROM generate_series(1, 40) i;
      INSERT INTO spot SELECT * FROM area`);
    const target = await harness.database(needed);
    const command = harness.command(source.url, target.url, { area: {}, spot: {} });
    expect((await harness.run({ ...command, dryRun: true })).predicted?.failures).toEqual([]);
    expect((await harness.run(command)).failure).toBeUndefined();
    expect(await rowsOf(target, 'spot')).toEqual(await rowsOf(source, 'spot'));
    const indexes = `
      SELECT i.indexrelid::regclass::text AS index, i.indisvalid, h.inhparent::regclass::text AS parent, pg_get_constraintdef(k.oid) AS key
        FROM pg_index i LEFT JOIN pg_inherits h ON h.inhrelid = i.indexrelid LEFT JOIN pg_constraint k ON k.conindid = i.indexrelid
       WHERE i.indexrelid >= 16384 AND i.indrelid IN (SELECT oid FROM pg_class WHERE relname ~ '^(area|spot)') ORDER BY 1, 4`;
    expect((await target.query(indexes)).rows).toEqual((await source.query(indexes)).rows);
  });

  it('creates a plain table, with all keys, indexes and triggers, for a partition that is listed without its partitioned table', async () => {
    const needed = `CREATE EXTENSION citext; CREATE FUNCTION folded(text) RETURNS text LANGUAGE sql IMMUTABLE AS 'SELECT pg_catalog.lower($1)';`;
    const source = await harness.database(`${needed}
      CREATE TABLE label (name text PRIMARY KEY); CREATE TABLE elsewhere (kind citext PRIMARY KEY);
      CREATE TABLE item (id int, kind citext REFERENCES elsewhere, name text CONSTRAINT "Labelled" REFERENCES label DEFERRABLE,
                         PRIMARY KEY (id, kind), UNIQUE (kind, id)) PARTITION BY LIST (kind);
      CREATE INDEX ON item (folded(name), kind);
      CREATE TABLE item_a PARTITION OF item FOR VALUES IN ('a') PARTITION BY RANGE (id);
      CREATE INDEX own ON item_a (name, kind);
      CREATE TABLE item_a1 PARTITION OF item_a DEFAULT;
      CREATE TABLE item_b PARTITION OF item DEFAULT; ALTER TABLE item_a1 ADD FOREIGN KEY (name) REFERENCES label;
      CREATE TABLE note (item int, kind citext, FOREIGN KEY (item, kind) REFERENCES item);
      CREATE FUNCTION noted() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RETURN NEW; END';
      CREATE TRIGGER noted BEFORE UPDATE ON item FOR EACH ROW EXECUTE FUNCTION noted();
      CREATE CONSTRAINT TRIGGER "Always" AFTER INSERT ON item DEFERRABLE FOR EACH ROW WHEN (NEW.id > 0) EXECUTE FUNCTION noted();
      ALTER TABLE item_a DISABLE TRIGGER noted; ALTER TABLE item_a1 ENABLE REPLICA TRIGGER noted; ALTER TABLE item_b ENABLE ALWAYS TRIGGER "Always";
      INSERT INTO elsewhere VALUES ('a'), ('b'); INSERT INTO label SELECT k || i FROM generate_series(1, 20) i, unnest('{a,b}'::text[]) k;
      INSERT INTO item SELECT i, k, k || i FROM generate_series(1, 20) i, unnest('{a,b}'::text[]) k;
      INSERT INTO note SELECT id, kind FROM item`);
    const indexes = (one: string) => `
      SELECT i.indexrelid::regclass::text AS index, i.indisvalid, pg_get_indexdef(i.indexrelid) AS sql, pg_get_constraintdef(k.oid) AS key
        FROM pg_index i LEFT JOIN pg_constraint k ON k.conindid = i.indexrelid AND k.conrelid = i.indrelid
       WHERE i.indrelid IN (SELECT oid FROM pg_class WHERE relname ~ '^${one}') ORDER BY 1`;
    const inherited = (one: string) => `
      SELECT conrelid::regclass::text AS "table", conname AS name, pg_get_constraintdef(oid) AS definition, NULL AS state FROM pg_constraint
       WHERE contype = 'f' AND confrelid = 'label'::regclass AND conrelid::regclass::text ~ '^${one}'
       UNION ALL
      SELECT tgrelid::regclass::text, tgname, pg_get_triggerdef(oid), tgenabled FROM pg_trigger
       WHERE NOT tgisinternal AND tgrelid::regclass::text ~ '^${one}' ORDER BY 1, 2`;
    // With an event trigger, the job compares the definitions, too.
    const trigger = `CREATE FUNCTION quiet() RETURNS event_trigger LANGUAGE plpgsql AS 'BEGIN END'; CREATE EVENT TRIGGER quiet ON ddl_command_end EXECUTE FUNCTION quiet()`;
    for (const [one, more] of [
      ['item_a', trigger],
      ['item_a1', trigger],
      ['item_b', ''],
    ] as const) {
      const target = await harness.database(needed + more);
      const outcome = await harness.run(
        harness.command(source.url, target.url, { [one]: {}, note: {}, label: {} }),
      );
      expect(outcome.failure).toBeUndefined();
      // The target has neither the table `elsewhere` nor the partitioned table that `note` references.
      expect(outcome.completed?.warnings).toEqual([
        { code: 'foreign_key_skipped', tableIndex: 0 },
        { code: 'foreign_key_skipped', tableIndex: 1 },
      ]);
      expect((await target.query(inherited(one))).rows).toEqual((await source.query(inherited(one))).rows);
      expect(await rowsOf(target, one)).toEqual(await rowsOf(source, one));
      expect((await target.query(indexes(one))).rows).toEqual((await source.query(indexes(one))).rows);
    }
  });

  it('creates a table that forces row security on its owner, and moves its sequence', async () => {
    const source = await harness.database(
      "CREATE TABLE secured (id serial PRIMARY KEY, v text); INSERT INTO secured (v) VALUES ('a'), ('b'); " +
        'ALTER TABLE secured ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY; CREATE POLICY adding ON secured FOR INSERT WITH CHECK (true)',
    );
    const target = await harness.database();
    const command = harness.command(source.url, await asTarget(target), { secured: {} });
    expect((await harness.run(command)).failure).toBeUndefined();
    await target.query("INSERT INTO secured (v) VALUES ('c')");
    expect(await rowsOf(target, 'secured')).toEqual(['(1,a)', '(2,b)', '(3,c)']);
    const { rows } = await target.query(
      "SELECT relforcerowsecurity AS forced FROM pg_class WHERE relname = 'secured'",
    );
    expect(rows).toEqual([{ forced: true }]);
  });

  it('creates and checks a foreign key to an unlisted table of the target', async () => {
    const source = await harness.database(SOURCE);
    const target = await harness.database('CREATE TABLE unlisted (id int PRIMARY KEY)');
    const command = harness.command(source.url, target.url, { refers: {} });
    const violation = {
      code: 'constraint_violation',
      constraintKind: 'foreign_key',
      side: 'target',
      tableIndex: 0,
    };
    expect((await harness.run(command)).failure).toEqual({
      ...{ ...violation, sqlstate: '23503', problemCount: 1 },
      problems: [{ ...violation, constraint: 'refers_unlisted_id_fkey' }],
    });
    expect((await target.query("SELECT to_regclass('refers') AS t")).rows).toEqual([{ t: null }]);
    await target.query('INSERT INTO unlisted VALUES (1)');
    expect((await harness.run(command)).completed?.warnings).toEqual([]);
  });
});
