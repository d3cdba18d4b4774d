import { rowsOf, SyncHarness } from '../sync-harness.js';

const SCHEMA = `
  CREATE TABLE parents (id serial PRIMARY KEY, name varchar(10) NOT NULL, audit text);
  CREATE TABLE children (id int PRIMARY KEY, parent_id int REFERENCES parents (id) ON DELETE CASCADE, other_id int);
  ALTER TABLE children ADD CONSTRAINT others FOREIGN KEY (other_id) REFERENCES children (id);
  ALTER TABLE parents ADD COLUMN favourite_id int REFERENCES children (id) DEFERRABLE INITIALLY DEFERRED;
`;
const EXTRA_ON_TARGET = `
  CREATE TABLE outside (id int PRIMARY KEY, parent_id int CONSTRAINT points_in REFERENCES parents (id));
  COMMENT ON CONSTRAINT points_in ON outside IS 'kept';
  CREATE VIEW parent_names AS SELECT name FROM parents;
  CREATE TABLE log (entry text);
  CREATE FUNCTION note() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN INSERT INTO public.log VALUES (TG_NAME); RETURN NEW; END $$;
  CREATE TRIGGER always_noted AFTER INSERT ON parents FOR EACH ROW EXECUTE FUNCTION note();
  CREATE TRIGGER on_truncate AFTER TRUNCATE ON parents EXECUTE FUNCTION note();
  CREATE TRIGGER never BEFORE INSERT ON parents FOR EACH ROW EXECUTE FUNCTION note();
  ALTER TABLE parents ENABLE ALWAYS TRIGGER always_noted, DISABLE TRIGGER never;
  INSERT INTO parents (id, name) VALUES (1, 'old one'), (99, 'old two');
  INSERT INTO outside VALUES (7, 1);
  DELETE FROM log;
`;
const ROWS = `
  INSERT INTO parents (id, name) SELECT i, 'P' || i FROM generate_series(1, 50) i;
  INSERT INTO children SELECT i, 1 + i % 50, i FROM generate_series(1, 100) i;
  UPDATE parents SET favourite_id = id;
`;

describe('a sync job whose target tables exist', () => {
  let harness: SyncHarness;
  beforeAll(async () => {
    harness = await SyncHarness.start();
  });
  afterEach(() => harness.dropAll());
  afterAll(() => harness.stop());

  const both = async (targetSql = EXTRA_ON_TARGET) => ({
    source: await harness.database(SCHEMA + ROWS),
    target: await harness.database(SCHEMA + targetSql),
  });
  const TABLES = { parents: {}, children: {} };
  const state = `SELECT conname, conrelid::regclass::text AS t, pg_get_constraintdef(oid) AS d, obj_description(oid, 'pg_constraint') AS c, convalidated
    FROM pg_constraint WHERE contype = 'f' UNION ALL
    SELECT tgname, tgrelid::regclass::text, tgenabled::text, NULL, true FROM pg_trigger WHERE NOT tgisinternal ORDER BY 1`;

  it('replaces their rows in one transaction and keeps keys, triggers, views and rows of other tables', async () => {
    const { source, target } = await both();
    const before = (await target.query(state)).rows;
    const outcome = await harness.run(harness.command(source.url, target.url, TABLES));
    expect(outcome.failure).toBeUndefined();
    for (const table of ['parents', 'children']) {
      expect(await rowsOf(target, table)).toEqual(await rowsOf(source, table));
    }
    expect((await target.query(state)).rows).toEqual(before);
    expect(await rowsOf(target, 'log')).toEqual([]);
    expect(await rowsOf(target, 'outside')).toEqual(['(7,1)']);
    expect((await target.query('SELECT count(*)::int AS n FROM parent_names')).rows).toEqual([{ n: 50 }]);
    await target.query("INSERT INTO parents (name) VALUES ('next')");
    expect((await target.query("SELECT id FROM parents WHERE name = 'next'")).rows).toEqual([{ id: 51 }]);
    expect(await rowsOf(target, 'log')).toEqual(['(always_noted)']);
  });

  it('fails before the switch if an unlisted table would reference a missing row', async () => {
    const { source, target } = await both(`${EXTRA_ON_TARGET} INSERT INTO outside VALUES (8, 99);`);
    const before = [await rowsOf(target, 'parents'), (await target.query(state)).rows];
    const outcome = await harness.run(harness.command(source.url, target.url, TABLES));
    const violation = {
      code: 'constraint_violation',
      constraintKind: 'foreign_key',
      side: 'target',
      tableIndex: 0,
    };
    expect(outcome.failure).toEqual({
      ...{ ...violation, sqlstate: '23503', problemCount: 1 },
      problems: [{ ...violation, constraint: 'points_in' }],
    });
    expect([await rowsOf(target, 'parents'), (await target.query(state)).rows]).toEqual(before);
  });

  it('replaces the rows of a partition if other tables reference the partitioned tables above it', async () => {
    const schema = `
      CREATE TABLE item (id int, kind text, name text, PRIMARY KEY (id, kind)) PARTITION BY LIST (kind);
      CREATE TABLE item_a PARTITION OF item FOR VALUES IN ('a', 'b') PARTITION BY LIST (kind);
      CREATE TABLE item_a1 PARTITION OF item_a FOR VALUES IN ('a');
      CREATE TABLE item_a2 PARTITION OF item_a DEFAULT;
      CREATE TABLE note (item int, kind text, CONSTRAINT note_item FOREIGN KEY (item, kind) REFERENCES item);
      CREATE TABLE tag (item int, kind text, CONSTRAINT tag_item FOREIGN KEY (item, kind) REFERENCES item_a);
      INSERT INTO item VALUES (1, 'a', 'old'), (1, 'b', 'old');
      INSERT INTO note VALUES (1, 'a'), (1, 'b');
      INSERT INTO tag VALUES (1, 'a'), (1, 'b');`;
    const source = await harness.database(
      `${schema} UPDATE item SET name = 'new'; INSERT INTO item VALUES (2, 'a', 'new'); INSERT INTO note VALUES (2, 'a')`,
    );
    const target = await harness.database(schema);
    const keys = `SELECT conname, conrelid::regclass::text, pg_get_constraintdef(oid) FROM pg_constraint WHERE contype = 'f' AND conparentid = 0 ORDER BY 1`;
    const before = (await target.query(keys)).rows;
    for (const names of [['item_a1'], ['note', 'item_a1']]) {
      const tables = Object.fromEntries(names.map((name) => [name, {}]));
      const outcome = await harness.run(harness.command(source.url, target.url, tables));
      expect(outcome.failure).toBeUndefined();
      expect((await target.query(keys)).rows).toEqual(before);
    }
    expect(await rowsOf(target, 'item')).toEqual(['(1,a,new)', '(1,b,old)', '(2,a,new)']);
    expect(await rowsOf(target, 'note')).toEqual(['(1,a)', '(1,b)', '(2,a)']);
    await source.query("TRUNCATE item CASCADE; INSERT INTO item VALUES (2, 'a', 'new')");
    const { failure } = await harness.run(harness.command(source.url, target.url, { item_a1: {} }));
    expect(failure).toMatchObject({
      code: 'constraint_violation',
      constraintKind: 'foreign_key',
      tableIndex: 0,
    });
  });

  it('replaces existing tables and creates missing ones in one job, with the same result when repeated', async () => {
    const { source, target } = await both();
    await source.query(
      'CREATE TABLE more (id int PRIMARY KEY, parent_id int REFERENCES parents (id)); INSERT INTO more VALUES (1, 2)',
    );
    const command = harness.command(source.url, target.url, { ...TABLES, more: {} });
    expect((await harness.run(command)).failure).toBeUndefined();
    expect((await harness.run(command)).failure).toBeUndefined();
    expect(await rowsOf(target, 'more')).toEqual(['(1,2)']);
    expect(await rowsOf(target, 'parents')).toEqual(await rowsOf(source, 'parents'));
  });

  it('cuts masked values to the shorter of both columns and warns about it', async () => {
    const { source, target } = await both();
    await source.query('ALTER TABLE parents ALTER name TYPE text');
    const rule = { generator: 'template', pattern: 'a name that is far too long' };
    const outcome = await harness.run(
      harness.command(source.url, target.url, { parents: { name: rule }, children: {} }),
    );
    expect(outcome.completed?.warnings).toEqual([{ code: 'value_truncated', tableIndex: 0, columnIndex: 0 }]);
    expect((await target.query('SELECT DISTINCT name FROM parents')).rows).toEqual([{ name: 'a name tha' }]);
  });

  it('sets unlisted columns to NULL if the job requests it, but not keys', async () => {
    const { source, target } = await both();
    await source.query("UPDATE parents SET audit = 'private'");
    const command = harness.command(
      source.url,
      target.url,
      { parents: { name: { preserve: true } }, children: {} },
      { unlistedColumns: 'null' },
    );
    expect((await harness.run(command)).failure).toBeUndefined();
    const { rows } = await target.query(
      'SELECT count(audit)::int AS audits, count(favourite_id)::int AS keys FROM parents',
    );
    expect(rows).toEqual([{ audits: 0, keys: 50 }]);
    expect(await rowsOf(target, 'children')).toEqual(await rowsOf(source, 'children'));
  });

  it('restores indexes exactly if it rebuilds them because of many rows', async () => {
    const schema = `CREATE TABLE many (id int PRIMARY KEY, a text, b int, CONSTRAINT b_once UNIQUE (b))`;
    const indexes = `
      CREATE INDEX many_lower ON many (lower(a) DESC, b) WITH (fillfactor = 70) WHERE b > 0;
      CREATE UNIQUE INDEX many_unique ON many (a); COMMENT ON INDEX many_unique IS 'kept';
      ALTER TABLE many CLUSTER ON many_unique; ALTER INDEX many_lower ALTER COLUMN 1 SET STATISTICS 7;
      ALTER TABLE many ALTER a SET NOT NULL, REPLICA IDENTITY USING INDEX many_unique;
      CREATE TABLE dependents (a text REFERENCES many (a))`;
    const source = await harness.database(
      `${schema}; INSERT INTO many SELECT i, 'a' || i, i FROM generate_series(1, 12000) i`,
    );
    const target = await harness.database(`${schema}; ${indexes}`);
    const definitions = `SELECT x.relname, pg_get_indexdef(i.indexrelid) AS sql, i.indisclustered, i.indisreplident,
        obj_description(i.indexrelid) AS comment, (SELECT max(attstattarget) FROM pg_attribute WHERE attrelid = i.indexrelid) AS statistics
      FROM pg_index i JOIN pg_class x ON x.oid = i.indexrelid WHERE i.indrelid = 'many'::regclass ORDER BY 1`;
    const before = (await target.query(definitions)).rows;
    const outcome = await harness.run(harness.command(source.url, target.url, { many: {} }));
    expect(outcome.failure).toBeUndefined();
    expect((await target.query(definitions)).rows).toEqual(before);
    expect(await rowsOf(target, 'many')).toHaveLength(12_000);
    await source.query("UPDATE many SET a = 'twice' WHERE id < 3");
    expect((await harness.run(harness.command(source.url, target.url, { many: {} }))).failure).toMatchObject({
      code: 'constraint_violation',
      constraintKind: 'unique',
      tableIndex: 0,
    });
    expect((await target.query(definitions)).rows).toEqual(before);
  });

  it('changes no sequence on the target if it fails', async () => {
    const { source, target } = await both();
    const next = 'SELECT last_value::int AS v FROM parents_id_seq';
    const before = (await target.query(next)).rows;
    await target.query('ALTER TABLE parents ADD CHECK (id <> 50)');
    expect((await harness.run(harness.command(source.url, target.url, TABLES))).failure?.code).toBe(
      'constraint_violation',
    );
    expect((await target.query(next)).rows).toEqual(before);
  });
});
