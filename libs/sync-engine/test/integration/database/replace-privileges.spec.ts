import type { Client } from '@understudy/postgres';
import type { SyncJobCommand } from '@understudy/sync-job';
import type { TestDatabase } from '@understudy/testing';
import { inRelease, it } from '@understudy/testing';
import { findMissingRoles } from '../../../src/database/checks/missing-roles.js';
import { findUngranted } from '../../../src/database/checks/ungranted-objects.js';
import type { LocalNames } from '../../../src/local-names.js';
import { giveOwners } from '../../../src/database/swap/object-owners.js';
import { runEach } from '../../../src/database/swap/object-privileges.js';
import { SyncHarness, TEST_LOG } from '../sync-harness.js';
import { type ReplaceScene, replaceScene } from './replace-scene.js';

const SHOP = `
  CREATE SCHEMA app; CREATE TYPE app.kind AS ENUM ('a');
  CREATE TABLE app.item (id serial PRIMARY KEY, name text, secret text, kind app.kind DEFAULT 'a');
  CREATE VIEW app.items AS SELECT id, name FROM app.item;
  CREATE FUNCTION app.total() RETURNS int8 LANGUAGE sql SECURITY INVOKER AS 'SELECT count(*) FROM app.items';
  INSERT INTO app.item (name, secret) SELECT 'item ' || n, 'canary' FROM generate_series(1, 20) n`;

const VIEW = { kind: 'TABLE', objtype: 'r', schema: 'app', identity: 'app.items', grants: null };

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
    target = await harness.targetDatabase(`SET ROLE NONE; ${SHOP}`);
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
               ARRAY(SELECT setrole::regrole::text || setconfig::text FROM pg_db_role_setting
                      WHERE setdatabase = d.oid AND setrole::regrole::text <> '${scene.agent}' ORDER BY 1) AS settings
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
      ALTER ROLE ${app}_2 IN DATABASE ${target.name} SET search_path = app;
      ALTER DATABASE ${target.name} SET log_statement = 'ddl'; ALTER DATABASE ${target.name} SET my.stage = 'x'; ALTER TABLE app.item ADD COLUMN here int;
      GRANT SELECT (here) ON app.item TO ${app}_2`);
    const outcome = await scene.replace({ source, target });
    expect(outcome.failure).toBeUndefined();
    expect(outcome.completed?.warnings).toEqual([
      { code: 'privilege_not_given', count: 1 },
      { code: 'setting_not_given', count: 3 },
    ]);
  });

  it('are reported as missing for objects that only the source has, before and after a run', async () => {
    await target.query(`ALTER DATABASE ${target.name} OWNER TO ${scene.owner}; CREATE ROLE ${app}_6`);
    await source.query(`
      CREATE TABLE app.fresh (a int); GRANT SELECT ON app.fresh, app.item TO ${app}_6; CREATE TABLE app.own (a int);
      CREATE FUNCTION app.rights() RETURNS int LANGUAGE sql SECURITY DEFINER AS 'SELECT 1'; GRANT EXECUTE ON FUNCTION app.rights() TO PUBLIC`);
    const names: LocalNames[] = [];
    const environment = { onNames: (one: LocalNames) => names.push(one) };
    const dry = await scene.replace({ source, target, environment, command: { dryRun: true } });
    const missing = { code: 'privilege_missing', count: 1 };
    const made = { code: 'security_definer_removed', count: 1 };
    expect(dry.predicted?.warnings).toEqual(expect.arrayContaining([missing, made]));
    expect(names).toContainEqual({ about: 'ungranted', objects: ['TABLE app.fresh'] });
    const outcome = await scene.replace({ source, target });
    expect(outcome.completed?.warnings).toEqual([missing, made]);
    const none = await findUngranted(
      { privileges: 'target' } as SyncJobCommand,
      { source: { query: source.query } as unknown as Client, target: undefined, owner: scene.owner },
      { log: TEST_LOG },
    );
    expect(none).toEqual([{ code: 'privilege_missing', count: 2 }]);
  });

  inRelease('are those of the source, or those of new objects, if the job chooses them', async () => {
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

  it('are those of the source, and so are the owners, if the job chooses both', async () => {
    const [one, two] = [`${app}_one`, `${app}_two`];
    await source.query(`
      CREATE ROLE ${one}; CREATE ROLE ${two}; GRANT ${one}, ${two} TO ${scene.agent};
      ALTER SCHEMA app OWNER TO ${one}; ALTER VIEW app.items OWNER TO ${two}; ALTER TABLE app.item OWNER TO ${one};
      ALTER FUNCTION app.total OWNER TO ${two}; ALTER TYPE app.kind OWNER TO ${one}; GRANT SELECT ON app.items TO ${one}, ${scene.owner} WITH GRANT OPTION;
      CREATE COLLATION app.c (locale = 'C'); CREATE DOMAIN app.d AS int; CREATE STATISTICS app.s ON id, name FROM app.item;
      CREATE TEXT SEARCH CONFIGURATION app.t (COPY = simple); CREATE TEXT SEARCH DICTIONARY app.w (TEMPLATE = simple);
      CREATE OPERATOR app.=== (FUNCTION = int4eq, LEFTARG = int, RIGHTARG = int); CREATE OPERATOR app.!- (FUNCTION = int4um, RIGHTARG = int);
      CREATE CONVERSION app.v FOR 'LATIN1' TO 'UTF8' FROM iso8859_1_to_utf8; CREATE AGGREGATE app.n(*) (SFUNC = int8inc, STYPE = int8, INITCOND = '0');
      GRANT USAGE ON SCHEMA app TO ${two}; REVOKE ALL ON FUNCTION app.total FROM PUBLIC; GRANT UPDATE (name) ON app.item TO ${two};
      ALTER DEFAULT PRIVILEGES FOR ROLE ${one} GRANT SELECT ON TABLES TO ${two}`);
    const kinds = ['COLLATION app.c', 'DOMAIN app.d', 'STATISTICS app.s', 'OPERATOR app.=== (int, int)'];
    const others = ['OPERATOR app.!- (NONE, int)', 'CONVERSION app.v', 'AGGREGATE app.n(*)'];
    const searches = ['TEXT SEARCH CONFIGURATION app.t', 'TEXT SEARCH DICTIONARY app.w'];
    for (const object of [...kinds, ...others, ...searches])
      await source.query(`ALTER ${object} OWNER TO ${two}`);
    await target.query(`ALTER DATABASE ${target.name} OWNER TO ${scene.owner}`);
    const command = { owners: 'source', privileges: 'source' } as const;
    const outcome = await scene.replace({ source, target, command });
    expect([outcome.failure, outcome.completed?.warnings]).toEqual([undefined, []]);
    expect(await scene.definitions(target, true)).toBe(await scene.definitions(source, true));
    await source.query(`REVOKE ${two} FROM ${scene.agent}`);
    const again = await scene.replace({ source, target, command: { ...command, jobId: 'job_2' } });
    expect(again.completed?.warnings).toMatchObject([{ code: 'owner_not_given', count: 11 }]);
    const { rows } = await target.query(
      `SELECT relowner::regrole::text AS owner, has_table_privilege('${one}', oid, 'SELECT') AS given FROM pg_class WHERE relname = 'items'`,
    );
    expect(rows).toEqual([{ owner: scene.owner, given: true }]);
    await source.query(`CREATE ROLE ${app}_super SUPERUSER; GRANT ${app}_super TO ${app}_one`);
    const client = { query: source.query } as unknown as Client;
    const created = [{ ...VIEW, owner: scene.owner }];
    const give = (...owners: readonly string[]) =>
      giveOwners(client, { ofSource: owners.map((owner) => ({ ...VIEW, owner })), created });
    expect(await give(one, `${app}_super`)).toHaveLength(2);
    expect(await give(two)).toEqual([]);
  });

  it('are given without those of a missing role, which is listed before a row is read', async () => {
    await source.query(
      `CREATE ROLE ${app}_4; GRANT SELECT ON app.item TO ${app}_4; CREATE VIEW app.missing AS SELECT 1`,
    );
    const client = { query: source.query } as unknown as Client;
    const statements = ['app.missing', 'app.item'].map((view) => [
      ...[
        `REVOKE ALL ON ${view} FROM PUBLIC`,
        `GRANT SELECT ON ${view} TO ${app}_5`,
        `GRANT INSERT ON ${view} TO ${app}_4`,
      ],
    ]);
    expect(await runEach(client, statements)).toHaveLength(2);
    const { rows } = await source.query(
      `SELECT has_table_privilege('${app}_4', 'app.missing', 'INSERT') AS given`,
    );
    expect(rows).toEqual([{ given: true }]);
    const roles = new Set<string>();
    const server = {
      query: (_: string, [names]: readonly string[][]) => {
        for (const name of names ?? []) roles.add(name);
        return Promise.resolve({ rows: [{ name: 'gone' }] });
      },
    };
    const clients = { source: client, target: server as unknown as Client };
    const found = await findMissingRoles({ privileges: 'source' } as SyncJobCommand, clients, {
      log: TEST_LOG,
    });
    expect(found).toEqual([{ code: 'role_missing', count: 1 }]);
    expect([...roles]).toEqual([`${app}_4`]);
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
