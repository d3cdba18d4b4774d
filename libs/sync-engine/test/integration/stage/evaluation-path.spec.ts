import type { TestDatabase } from '@understudy/testing';
import { rowsOf, SyncHarness } from '../sync-harness.js';

const setPath = (path: string) =>
  `DO $$BEGIN EXECUTE format('ALTER DATABASE %I SET search_path = ${path}', current_database()); END$$;`;

// Each function finds the next one only through the search path.
const FUNCTIONS = `
  CREATE FUNCTION app.squash(t text) RETURNS text LANGUAGE plpgsql IMMUTABLE STRICT AS 'BEGIN RETURN only_letters(lower(t)); END';
  CREATE FUNCTION app.only_letters(t text) RETURNS text LANGUAGE sql IMMUTABLE STRICT AS $$ SELECT regexp_replace(t, '[^a-z]', '', 'g') $$;
`;
const ITEM = `
  CREATE TABLE app.item (id int PRIMARY KEY, label text CHECK (app.squash(label) <> '') CHECK (app.only_letters(label) <> ''),
                         slug text GENERATED ALWAYS AS (app.squash(label)) STORED);
  CREATE INDEX item_squash ON app.item (app.squash(label));
`;
const ROWS = `INSERT INTO app.item (id, label) SELECT n, 'Label No ' || n FROM generate_series(1, 20) AS n;`;

describe('the search path with which rows are evaluated', () => {
  let harness: SyncHarness;
  beforeAll(async () => {
    harness = await SyncHarness.start();
  });
  afterEach(() => harness.dropAll());
  afterAll(() => harness.stop());

  const shop = `CREATE SCHEMA app; SET search_path = app; ${FUNCTIONS} ${ITEM}`;

  const run = (source: TestDatabase, target: TestDatabase, more = {}, policy = {}) =>
    harness.run(harness.command(source.url, target.url, { 'app.item': {} }, more), {
      policy: { ...harness.environment().policy, ...policy },
    });

  it('is the path of the target database for tables that the job creates, also before its schema exists', async () => {
    const source = await harness.database(`${shop} ${ROWS}`);
    for (const sql of [setPath('app, public'), `CREATE SCHEMA app; ${setPath('app, public')}`]) {
      const target = await harness.targetDatabase(sql);
      expect((await run(source, target)).failure).toBeUndefined();
      expect(await rowsOf(target, 'app.item')).toEqual(await rowsOf(source, 'app.item'));
    }
  });

  it.each([
    ['swapped', 0],
    ['refilled', 1e9],
  ])("is the path of the owner's role for existing tables that are %s", async (_, swapFromBytes) => {
    const source = await harness.database(`${shop} ${ROWS}`);
    const target = await harness.targetDatabase(`
      CREATE SCHEMA app; CREATE SCHEMA "Words, all"; SET search_path = app;
      ${FUNCTIONS.replace('app.only_letters', '"Words, all".only_letters')}
      DROP ROLE IF EXISTS path_owner; CREATE ROLE path_owner; ALTER ROLE path_owner SET search_path = nowhere, "Words, all", "$user";
      SET search_path = app, "Words, all"; ${ITEM.replace('app.only_letters', '"Words, all".only_letters')} ALTER TABLE app.item OWNER TO path_owner; GRANT USAGE ON SCHEMA app, "Words, all" TO path_owner`);
    const command = harness.command(source.url, target.url, { 'app.item': {} });
    const { copy } = harness.environment();
    expect((await harness.run(command, { copy: { ...copy, swapFromBytes } })).failure).toBeUndefined();
    expect(await rowsOf(target, 'app.item')).toEqual(await rowsOf(source, 'app.item'));
  });

  it('rebuilds the indexes of a large existing table with the path', async () => {
    const many = ROWS.replace('20', '10500');
    const source = await harness.database(`${shop} ${many}`);
    const target = await harness.targetDatabase(
      `${shop} CREATE VIEW app.seen AS SELECT * FROM app.item; ${setPath('app')}`,
    );
    expect((await run(source, target)).failure).toBeUndefined();
    expect(await rowsOf(target, 'app.item')).toHaveLength(10_500);
  });

  describe('leaves out schemas in which other roles may create objects', () => {
    const planted = `
      CREATE SEQUENCE public.calls;
      CREATE FUNCTION shared.only_letters(t text) RETURNS text LANGUAGE sql IMMUTABLE STRICT AS $$ SELECT t || nextval('public.calls') $$;
      ${setPath('shared, app')}`;
    const roles = (sql: string) =>
      `DROP ROLE IF EXISTS path_member; DROP ROLE IF EXISTS path_group; CREATE ROLE path_group; CREATE ROLE path_member NOINHERIT; ${sql};`;

    it.each([
      ['PUBLIC', 'GRANT CREATE ON SCHEMA shared TO PUBLIC'],
      ['a role', roles('GRANT CREATE ON SCHEMA shared TO path_member')],
      [
        'members of a role',
        roles('GRANT path_group TO path_member; GRANT CREATE ON SCHEMA shared TO path_group'),
      ],
      [
        "members of the owner's role",
        roles('GRANT path_group TO path_member; ALTER SCHEMA shared OWNER TO path_group'),
      ],
    ])('if %s may', async (_, grant) => {
      const source = await harness.database(`${shop} ${ROWS}`);
      const target = await harness.targetDatabase(`${shop} CREATE SCHEMA shared; ${planted} ${grant}`);
      const calls = async () => (await target.query('SELECT is_called FROM public.calls')).rows[0];
      expect((await run(source, target)).failure).toBeUndefined();
      expect(await calls()).toEqual({ is_called: false });
      // The generated column gets other values, because the planted function comes first on the path.
      await run(source, target, {}, { allowsSharedSchemas: true });
      expect(await calls()).toEqual({ is_called: true });
    });

    it('but not for the owner of a schema, a superuser or a member of the role of the job', async () => {
      const source = await harness.database(`${shop} ${ROWS}`);
      const target = await harness.targetDatabase(`${shop} CREATE SCHEMA shared; ${planted}
        ${roles('CREATE ROLE path_super SUPERUSER; GRANT CREATE ON SCHEMA shared TO path_super; ALTER SCHEMA shared OWNER TO path_group')}
        DO $$BEGIN EXECUTE format('GRANT %I TO path_member; GRANT CREATE ON SCHEMA shared TO path_member', current_user); END$$;
        DROP OWNED BY path_super; DROP ROLE path_super`);
      await run(source, target);
      expect((await target.query('SELECT is_called FROM public.calls')).rows).toEqual([{ is_called: true }]);
    });
  });

  it('has temporary tables last, and no path remains in force for the SQL of the job', async () => {
    const source = await harness.database(`${shop} ${ROWS}`);
    const target = await harness.targetDatabase(`CREATE SCHEMA app; CREATE SCHEMA trap;
      CREATE FUNCTION trap.count(name) RETURNS bigint LANGUAGE sql AS 'SELECT 1 / 0';
      CREATE TABLE trap.job (); CREATE VIEW trap.pg_class AS SELECT 1 / 0 AS oid;
      ${setPath('pg_temp, trap, app, pg_catalog')}`);
    expect((await run(source, target)).failure).toBeUndefined();
    expect(await rowsOf(target, 'app.item')).toEqual(await rowsOf(source, 'app.item'));
  });
});
