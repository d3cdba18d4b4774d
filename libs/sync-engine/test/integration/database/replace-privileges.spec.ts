import type { TestDatabase } from '@understudy/testing';
import { SyncHarness } from '../sync-harness.js';
import { it } from '../test-run.js';
import { type ReplaceScene, replaceScene } from './replace-scene.js';

const SHOP = `
  CREATE SCHEMA app; CREATE TYPE app.kind AS ENUM ('a');
  CREATE TABLE app.item (id serial PRIMARY KEY, name text, secret text, kind app.kind DEFAULT 'a');
  CREATE VIEW app.items AS SELECT id, name FROM app.item;
  CREATE FUNCTION app.total() RETURNS int8 LANGUAGE sql SECURITY INVOKER AS 'SELECT count(*) FROM app.items';
  INSERT INTO app.item (name, secret) SELECT 'item ' || n, 'canary' FROM generate_series(1, 20) n`;

describe('the privileges of a replaced database', () => {
  let harness: SyncHarness;
  let scene: ReplaceScene;
  let source: TestDatabase;
  let target: TestDatabase;
  let app: string;
  beforeAll(async () => {
    harness = await SyncHarness.start();
    scene = await replaceScene(harness);
    app = scene.owner.replace('owner', 'app');
  });
  beforeEach(async () => {
    source = await harness.database(SHOP);
    target = await harness.database(`SET ROLE NONE; ${SHOP}`);
  });
  afterEach(() => harness.dropAll());
  afterAll(() => harness.stop());

  it('are those of the objects of the same names, and the defaults for the rest, after three runs', async () => {
    await target.query(`
      CREATE ROLE ${app}; ALTER DATABASE ${target.name} OWNER TO ${scene.owner};
      REVOKE ALL ON DATABASE ${target.name} FROM PUBLIC; GRANT CONNECT ON DATABASE ${target.name} TO ${app};
      ALTER DATABASE ${target.name} SET work_mem = '5MB';
      COMMENT ON DATABASE ${target.name} IS 'staging'; ALTER DATABASE ${target.name} CONNECTION LIMIT 40;
      GRANT USAGE ON SCHEMA app TO ${app}; GRANT SELECT ON app.items TO ${app}; GRANT SELECT (id, name) ON app.item TO ${app};
      REVOKE EXECUTE ON FUNCTION app.total FROM PUBLIC; GRANT EXECUTE ON FUNCTION app.total TO ${app};
      GRANT USAGE ON SEQUENCE app.item_id_seq TO ${app};
      ALTER DEFAULT PRIVILEGES FOR ROLE ${scene.owner} IN SCHEMA app GRANT INSERT ON TABLES TO ${app}`);
    await source.query('CREATE TABLE app.fresh (a int)');
    const asApp = async () => {
      const { rows } = await target.query(`
        SELECT has_table_privilege('${app}', 'app.items', 'SELECT') AS view, has_table_privilege('${app}', 'app.item', 'SELECT') AS whole,
               has_column_privilege('${app}', 'app.item', 'name', 'SELECT') AS name, has_function_privilege('${app}', 'app.total()', 'EXECUTE') AS total,
               has_function_privilege('public', 'app.total()', 'EXECUTE') AS anyone, has_sequence_privilege('${app}', 'app.item_id_seq', 'USAGE') AS next,
               has_database_privilege('${app}', current_database(), 'CONNECT') AS connect, has_database_privilege('public', current_database(), 'CONNECT') AS others`);
      return rows[0];
    };
    const properties = async () => {
      const { rows } = await target.query(`
        SELECT datdba::regrole::text AS owner, datacl::text AS acl, datconnlimit AS connections, shobj_description(oid, 'pg_database') AS comment,
               ARRAY(SELECT setrole::regrole::text || setconfig::text FROM pg_db_role_setting WHERE setdatabase = d.oid ORDER BY 1) AS settings
          FROM pg_database d WHERE datname = current_database()`);
      return rows[0];
    };
    const [before, held] = [await asApp(), await properties()];
    for (const run of [1, 2, 3]) {
      const outcome = await scene.replace({ source, target, command: { jobId: `job_${run}` } });
      expect(outcome.failure).toBeUndefined();
      expect(outcome.completed?.warnings).toEqual([]);
      expect(await asApp()).toEqual(before);
      expect(await properties()).toEqual(held);
      const { rows } = await target.query(
        `SELECT has_table_privilege('${app}', 'app.fresh', 'INSERT') AS fresh, (SELECT string_agg(DISTINCT relowner::regrole::text, ' ') FROM pg_class WHERE relnamespace = 'app'::regnamespace) AS owners`,
      );
      expect(rows).toEqual([{ fresh: true, owners: scene.owner }]);
    }
  });

  it('are missing with a warning if the role of the job may not give them', async () => {
    await target.query(`
      CREATE ROLE ${app}_2; ALTER DATABASE ${target.name} OWNER TO ${scene.owner};
      ALTER ROLE ${app}_2 IN DATABASE ${target.name} SET search_path = app; ALTER TABLE app.item ADD COLUMN here int;
      GRANT SELECT (here) ON app.item TO ${app}_2`);
    const outcome = await scene.replace({ source, target });
    expect(outcome.failure).toBeUndefined();
    expect(outcome.completed?.warnings).toEqual([
      { code: 'privilege_not_given', count: 1 },
      { code: 'setting_not_given', count: 1 },
    ]);
  });

  it('are those of the source, or those of new objects, if the job chooses them', async () => {
    await target.query(`
      CREATE ROLE ${app}_3; ALTER DATABASE ${target.name} OWNER TO ${scene.owner}; GRANT SELECT ON app.item TO ${app}_3`);
    await source.query(`GRANT INSERT ON app.item TO ${app}_3`);
    const held = async () => {
      const privileges = ['SELECT', 'INSERT'].map(
        (one) => `has_table_privilege('${app}_3', 'app.item', '${one}') AS "${one}"`,
      );
      return (await target.query(`SELECT ${privileges.join(', ')}`)).rows[0];
    };
    for (const [privileges, expected] of [
      ['source', { SELECT: false, INSERT: true }],
      ['none', { SELECT: false, INSERT: false }],
    ] as const) {
      const command = { privileges, jobId: `job_${privileges}` };
      expect((await scene.replace({ source, target, command })).failure).toBeUndefined();
      expect(await held()).toEqual(expected);
    }
  });

  it('evaluates rows with the search path of the replaced database', async () => {
    await source.query(`
      CREATE FUNCTION app.double(int) RETURNS int IMMUTABLE LANGUAGE sql AS 'SELECT $1 * 2';
      CREATE FUNCTION app.positive(int) RETURNS boolean IMMUTABLE LANGUAGE plpgsql AS 'BEGIN RETURN double($1) > 0; END';
      SET search_path = app, public; CREATE TABLE app.checked (n int CHECK (positive(n))); INSERT INTO app.checked VALUES (3)`);
    await target.query(`
      ALTER DATABASE ${target.name} OWNER TO ${scene.owner}; ALTER DATABASE ${target.name} SET search_path = app, public`);
    const outcome = await scene.replace({ source, target });
    expect(outcome.failure).toBeUndefined();
    expect((await target.query('SELECT n FROM app.checked')).rows).toEqual([{ n: 3 }]);
  });
});
