import { postgresVersions, type TestDatabase } from '@understudy/testing';
import type { SyncEnvironment } from '../../../src/environment.js';
import { oidsOf, schemaOf } from './swap-scene.js';
import { leftovers } from './staging-scene.js';
import { rowsOf, SyncHarness } from '../sync-harness.js';

/** SQL by table name. The SQL creates a dependent object or a property that prevents the swap of this table. */
const KEPT: Readonly<Record<string, string>> = {
  of_a_view: 'CREATE VIEW v_view AS SELECT n FROM of_a_view',
  of_a_materialized_view: 'CREATE MATERIALIZED VIEW v_mat AS SELECT n FROM of_a_materialized_view',
  referenced: 'CREATE TABLE unlisted (id int REFERENCES referenced (id))',
  of_a_function: 'CREATE FUNCTION f_body() RETURNS int BEGIN ATOMIC SELECT max(n) FROM of_a_function; END',
  of_an_argument: `CREATE FUNCTION f_row(of_an_argument) RETURNS int LANGUAGE sql AS 'SELECT $1.n'`,
  of_a_column: 'CREATE TABLE has_rows (r of_a_column)',
  of_an_array: 'CREATE TABLE has_arrays (r of_an_array[])',
  of_a_default: `CREATE TABLE takes_numbers (n int DEFAULT nextval('of_a_default_id_seq'))`,
  of_a_rule: 'CREATE TABLE ruled (n int); CREATE RULE r AS ON INSERT TO ruled DO ALSO DELETE FROM of_a_rule',
  of_a_policy: 'CREATE TABLE kept (n int); CREATE POLICY p ON kept USING (n IN (SELECT n FROM of_a_policy))',
  parent: 'CREATE TABLE child () INHERITS (parent)',
  other_child: 'CREATE TABLE another_parent (n int); ALTER TABLE other_child INHERIT another_parent',
  published: 'CREATE PUBLICATION one_table FOR TABLE published',
  switched_off:
    'ALTER TABLE switched_off ADD FOREIGN KEY (n) REFERENCES switched_off (id); ALTER TABLE switched_off DISABLE TRIGGER ALL',
  not_valid: 'ALTER TABLE not_valid ADD CHECK (n > 0) NOT VALID',
  looking: `CREATE FUNCTION looks(int) RETURNS bool LANGUAGE sql AS 'SELECT true'; ALTER TABLE looking ADD CHECK (looks(n))`,
  referencing:
    'CREATE TABLE looked_up (id int PRIMARY KEY); ALTER TABLE referencing ADD FOREIGN KEY (n) REFERENCES looked_up (id)',
  of_an_extension:
    'CREATE INDEX dependent ON of_an_extension (n); ALTER INDEX dependent DEPENDS ON EXTENSION plpgsql',
  unlogged: 'ALTER TABLE unlogged SET UNLOGGED',
  typed:
    'DROP TABLE typed; CREATE TYPE pair AS (id int, n int); CREATE TABLE typed OF pair (PRIMARY KEY (id))',
  // `of_a_view` is not swapped and references `chained`, so `chained` is not swapped either.
  chained: 'ALTER TABLE of_a_view ADD CONSTRAINT chain FOREIGN KEY (n) REFERENCES chained (id)',
};
const FREE = ['free', 'free_too', 'leaf'];
const NAMES = [...Object.keys(KEPT), ...FREE];
const TABLES_SQL = NAMES.map((name) => `CREATE TABLE ${name} (id serial PRIMARY KEY, n int);`).join('\n');
const FREE_SQL = `
  ALTER TABLE free_too ADD FOREIGN KEY (n) REFERENCES free (id);
  ALTER TABLE leaf ADD FOREIGN KEY (n) REFERENCES referenced (id);
`;

describe('an existing table that cannot be swapped', () => {
  let harness: SyncHarness;
  beforeAll(async () => {
    harness = await SyncHarness.start();
  });
  afterEach(() => harness.dropAll());
  afterAll(() => harness.stop());

  const rows = NAMES.map((name) => `INSERT INTO ${name} (n) VALUES (NULL), (NULL);`).join('\n');
  const replace = async (
    source: TestDatabase,
    target: TestDatabase,
    names: readonly string[],
    copy: Partial<SyncEnvironment['copy']> = {},
  ) => {
    const tables = Object.fromEntries(names.map((name) => [name, {}]));
    const environment = harness.environment();
    const settings = { copy: { ...environment.copy, ...copy } };
    const outcome = await harness.run(harness.command(source.url, target.url, tables), settings);
    expect(outcome.failure).toBeUndefined();
    for (const name of names)
      expect(await rowsOf(target, `ONLY ${name}`)).toEqual(await rowsOf(source, name));
    expect(await leftovers(target)).toEqual([]);
  };

  it('is rewritten and keeps its dependent objects, while the other tables of the job are swapped', async () => {
    const source = await harness.database(TABLES_SQL + rows);
    const target = await harness.targetDatabase(
      `${TABLES_SQL} ${FREE_SQL} ${Object.values(KEPT).join(';\n')}`,
    );
    const before = await schemaOf(harness, target);
    const old = await oidsOf(target, ...NAMES);
    await replace(source, target, NAMES);
    const now = await oidsOf(target, ...NAMES);
    expect(NAMES.filter((_, i) => now[i] !== old[i])).toEqual(FREE);
    expect(await schemaOf(harness, target)).toBe(before);
  });

  it.each([
    [
      'all tables of its schema are published',
      'CREATE PUBLICATION everything FOR TABLES IN SCHEMA public',
      15,
    ],
    [
      'the database has an event trigger',
      `CREATE FUNCTION on_event() RETURNS event_trigger LANGUAGE plpgsql AS 'BEGIN END';
       CREATE EVENT TRIGGER on_event ON sql_drop EXECUTE FUNCTION on_event()`,
      14,
    ],
    [
      'a row may reference a table by its oid',
      `CREATE DOMAIN a_table AS regclass; CREATE TABLE audited (of a_table); INSERT INTO audited VALUES ('free')`,
      14,
    ],
  ])('is rewritten if %s', async (_, sql, since) => {
    if (postgresVersions().target < since) return;
    const source = await harness.database(TABLES_SQL + rows);
    const target = await harness.targetDatabase(`${TABLES_SQL} ${sql}`);
    const old = await oidsOf(target, ...FREE);
    await replace(source, target, FREE);
    expect(await oidsOf(target, ...FREE)).toEqual(old);
  });

  it.each([
    ['is rewritten if it has few rows, because that is faster', undefined, false],
    ['is swapped from the size in the settings', 8_192, true],
    ['is rewritten if it is one byte below the size in the settings', 8_193, false],
  ])('%s', async (_, swapFromBytes, isSwapped) => {
    const source = await harness.database(TABLES_SQL + rows);
    const target = await harness.targetDatabase(TABLES_SQL);
    const old = await oidsOf(target, 'free');
    const copy = swapFromBytes === undefined ? undefined : (swapFromBytes * 32) / 33;
    await replace(source, target, ['free'], { swapFromBytes: copy });
    expect((await oidsOf(target, 'free'))[0] !== old[0]).toBe(isSwapped);
  });
});
