import type { SyncJobCommand } from '@understudy/sync-job';
import { Client } from 'pg';
import type { TestDatabase } from '@understudy/testing';
import { it } from '@understudy/testing';
import type { SyncRules } from '../../../src/policy.js';
import { SyncHarness } from '../sync-harness.js';
import { type ReplaceScene, replaceScene } from './replace-scene.js';

describe('what a new database gets if the job chooses it', () => {
  let harness: SyncHarness;
  let scene: ReplaceScene;
  beforeAll(async () => {
    harness = await SyncHarness.start();
    scene = await replaceScene(harness);
  });
  afterEach(() => harness.dropAll());
  afterAll(() => harness.stop());

  async function target(): Promise<TestDatabase> {
    const made = await harness.database();
    await made.query(`ALTER DATABASE ${made.name} OWNER TO ${scene.owner}`);
    return made;
  }

  it('is publications, large objects and tablespaces of the source, with owners and privileges', async () => {
    const source = await harness.database(`
      CREATE TABLE t (id int PRIMARY KEY, lo oid); CREATE TABLE u (id int);
      CREATE PUBLICATION of_t FOR TABLE t WITH (publish = 'insert, truncate');
      CREATE PUBLICATION all_of_it FOR ALL TABLES;
      SELECT lo_from_bytea(7001, ''), lo_from_bytea(7002, convert_to('canary', 'UTF8')); SELECT lo_create(n) FROM generate_series(8001, 8100) n;
      SELECT lo_from_bytea(9001, convert_to(repeat('0123456789', 60000), 'UTF8')); COMMENT ON LARGE OBJECT 9001 IS 'it''s large';
      ALTER LARGE OBJECT 9001 OWNER TO ${scene.owner}; GRANT SELECT ON LARGE OBJECT 7002 TO ${scene.owner};
      ALTER PUBLICATION of_t OWNER TO ${scene.owner}; INSERT INTO t VALUES (1, 7002)`);
    const space = `space_${source.name}`;
    const options = '-c allow_in_place_tablespaces=on';
    const session = new Client({ connectionString: source.url, options });
    await session.connect();
    await session.query(`CREATE TABLESPACE ${space} LOCATION ''`).finally(() => session.end());
    await source.query(`
      CREATE TABLE fast (id int PRIMARY KEY USING INDEX TABLESPACE ${space}, a int) TABLESPACE ${space}; INSERT INTO fast VALUES (1, 2);
      CREATE TABLE slow (id int PRIMARY KEY, a int); CREATE INDEX ON slow (a) TABLESPACE ${space}; CREATE INDEX ON fast (a);
      CREATE MATERIALIZED VIEW sums TABLESPACE ${space} AS SELECT sum(a) FROM fast`);
    const old = await target();
    const chosen = {
      largeObjects: 'copy',
      publications: 'source',
      owners: 'source',
      privileges: 'source',
      tablespaces: 'source',
    } as const;
    const refused = await scene.replace({ source, target: old, command: { ...chosen, dryRun: true } });
    const publication = { kind: 'publication', name: 'all_of_it' };
    const problems = refused.predicted?.failures.flatMap((one) => one.problems ?? []);
    expect(problems).toMatchObject([
      { code: 'superuser_objects', object: publication },
      { code: 'tablespace_missing', object: { name: space } },
    ]);
    const command = { ...chosen, jobId: 'job_2' };
    await source.query(`DROP PUBLICATION all_of_it; GRANT CREATE ON TABLESPACE ${space} TO ${scene.login}`);
    const outcome = await scene.replace({ source, target: old, command });
    expect([outcome.failure, outcome.completed?.warnings]).toEqual([
      undefined,
      [{ code: 'owner_not_given', count: 107 }],
    ]);
    const read = async (database: TestDatabase) => {
      const { rows } = await database.query(`
        SELECT oid, md5(lo_get(oid)) AS content, obj_description(oid, 'pg_largeobject') AS comment, lomowner::regrole::text = '${scene.owner}' OR oid <> 9001 AS owner,
               lomacl::text LIKE '%${scene.owner}=r%' OR oid <> 7002 AS granted FROM pg_largeobject_metadata ORDER BY oid`);
      return rows;
    };
    expect(await read(old)).toEqual(await read(source));
    const published =
      'SELECT pubname, pubinsert, pubupdate, pubtruncate, pubowner::regrole::text AS owner, (SELECT array_agg(prrelid::regclass::text) FROM pg_publication_rel) AS tables FROM pg_publication p';
    expect((await old.query(published)).rows).toEqual((await source.query(published)).rows);
    expect(await scene.definitions(old)).toBe(await scene.definitions(source));
    await harness.dropAll();
    const admin = await harness.database();
    await admin.query(`DROP TABLESPACE ${space}`);
  });

  it('is large objects that are compared with those of the source', async () => {
    const source = await harness.database(`
      CREATE FUNCTION change() RETURNS text LANGUAGE plpgsql AS $f$ BEGIN
        IF session_user <> '${scene.login}' THEN RETURN 'not changed'; END IF;
        PERFORM lo_put(9001, 1300000, 'x');
        RETURN 'changed'; END $f$;
      SELECT lo_from_bytea(9001, convert_to(repeat('0123456789', 150000), 'UTF8'));
      CREATE MATERIALIZED VIEW changes AS SELECT change() AS result`);
    const old = await target();
    const outcome = await scene.replace({ source, target: old, command: { largeObjects: 'copy' } });
    expect(outcome.failure).toMatchObject({ code: 'verification_failed', side: 'target' });
  });

  const WITH_MORE = `
    CREATE SCHEMA audit; CREATE TABLE audit.entry (id serial PRIMARY KEY, at timestamptz); CREATE FUNCTION audit.f() RETURNS int LANGUAGE sql AS 'SELECT 1';
    CREATE TABLE keep (id int PRIMARY KEY, a int); INSERT INTO keep VALUES (1, 2); COMMENT ON TABLE keep IS 'kept';
    CREATE TABLE scratch (id int PRIMARY KEY, entry int REFERENCES audit.entry); CREATE INDEX ON scratch (entry); COMMENT ON TABLE scratch IS 'out';
    CREATE TABLE part (id int, day date) PARTITION BY RANGE (day); CREATE TABLE part_1 PARTITION OF part FOR VALUES FROM ('2026-01-01') TO ('2027-01-01');
    CREATE INDEX ON part (day); INSERT INTO part VALUES (1, '2026-02-02');`;

  it('is nothing of excluded schemas and tables, if nothing else depends on them', async () => {
    const source = await harness.database(`${WITH_MORE}
      CREATE VIEW entries AS SELECT e.id, k.a FROM audit.entry e JOIN keep k USING (id); CREATE VIEW more AS SELECT * FROM entries;
      CREATE TABLE child (id int PRIMARY KEY REFERENCES scratch); INSERT INTO audit.entry VALUES (1, now()); INSERT INTO scratch VALUES (3, 1); INSERT INTO child VALUES (3)`);
    const old = await harness.database('CREATE TABLE scratch (id int)');
    await old.query(`ALTER DATABASE ${old.name} OWNER TO ${scene.owner}`);
    const tables = ['public.keep', 'public.child', 'public.part'].map((name) => ({
      name,
      columns: { 'public.keep': ['id', 'a'], 'public.child': ['id'], 'public.part': ['id', 'day'] }[
        name
      ]?.map((column) => ({ name: column, rule: { preserve: true } })),
    }));
    const excluding = {
      tables,
      excludeSchemas: ['audit'],
      excludeTables: ['scratch'],
    } as Partial<SyncJobCommand>;
    const refused = await scene.replace({ source, target: old, command: { ...excluding, dryRun: true } });
    expect(refused.predicted?.failures.flatMap(({ problems = [] }) => problems)).toMatchObject([
      { code: 'excluded_needed', object: { kind: 'relation', name: 'entries' } },
      { code: 'excluded_needed', object: { kind: 'relation', name: 'more' } },
      { code: 'excluded_needed', object: { kind: 'constraint', name: 'child_id_fkey' } },
    ]);
    const skipObjects = ['view public.entries', 'table constraint child_id_fkey on public.child'];
    const command = { ...excluding, skipObjects, jobId: 'job_2', dropTargetOnly: false };
    const losing = await scene.replace({ source, target: old, command });
    expect(losing.failure?.code).toBe('target_only_objects');
    const done = await scene.replace({ source, target: old, command: { ...command, dropTargetOnly: true } });
    expect([done.failure, done.completed?.warnings.map(({ code, object }) => [code, object?.name])]).toEqual([
      undefined,
      [
        ['object_skipped', 'entries'],
        ['object_skipped', 'more'],
        ['object_skipped', 'child_id_fkey'],
      ],
    ]);
    await source.query('DROP SCHEMA audit CASCADE; DROP TABLE scratch CASCADE');
    expect(await scene.definitions(old)).toBe(await scene.definitions(source));
    const partition = { excludeTables: ['part_1'], jobId: 'job_4' };
    expect(
      (await scene.replace({ source, target: old, command: partition })).failure?.problems,
    ).toMatchObject([{ code: 'excluded_needed', object: { kind: 'relation', name: 'part_1' } }]);
    const unknown = { excludeSchemas: ['audit'], excludeTables: ['"No"'], jobId: 'job_3' };
    expect((await scene.replace({ source, target: old, command: unknown })).failure?.problems).toMatchObject([
      { code: 'excluded_not_found', object: { kind: 'schema', name: 'audit' } },
      { code: 'excluded_not_found', object: { kind: 'relation', schema: 'public', name: 'No' } },
    ]);
  });

  it('is nothing that patterns skip, and nothing that depends on it', async () => {
    const source = await harness.database(`${WITH_MORE}
      CREATE FUNCTION same(int, int) RETURNS boolean IMMUTABLE STRICT LANGUAGE internal AS 'int4eq'; CREATE FUNCTION order_of(int, int) RETURNS int IMMUTABLE LANGUAGE internal AS 'btint4cmp';
      CREATE OPERATOR === (FUNCTION = same, LEFTARG = int, RIGHTARG = int); CREATE OPERATOR CLASS odd FOR TYPE int USING btree AS OPERATOR 3 === , FUNCTION 1 order_of(int, int);
      CREATE VIEW equal AS SELECT * FROM keep WHERE id === a; CREATE INDEX ON keep (same(id, a)); CREATE INDEX ON part (id odd);
      CREATE FUNCTION on_end() RETURNS event_trigger LANGUAGE plpgsql AS 'BEGIN END'; CREATE EVENT TRIGGER ended ON ddl_command_end EXECUTE FUNCTION on_end()`);
    const old = await target();
    const run = (jobId: string, skipObjects: readonly string[]) =>
      scene.replace({ source, target: old, command: { jobId, skipObjects } });
    expect((await run('job_1', ['event trigger *'])).failure?.problems).toHaveLength(4);
    const done = await run('job_2', [
      'event trigger *',
      'function public.same(*)',
      '* public.order\\_of%(*',
      '* public.order_of(*',
      'operator family *',
    ]);
    expect(done.failure).toBeUndefined();
    await source.query(
      'DROP EVENT TRIGGER ended; DROP FUNCTION same CASCADE; DROP FUNCTION order_of CASCADE; DROP OPERATOR FAMILY odd USING btree',
    );
    expect(await scene.definitions(old)).toBe(await scene.definitions(source));
    await source.query(
      'CREATE FUNCTION one() RETURNS int LANGUAGE sql AS $$ SELECT 1 $$; ALTER TABLE keep ALTER a SET DEFAULT one(), ADD note text',
    );
    const { failure } = await run('job_3', ['function public.one()']);
    expect(failure?.code).toBe('excluded_needed');
    expect(failure?.problems?.map(({ object }) => object?.schema)).not.toContain('pg_toast');
  });

  it('is decided for the rows of configuration tables of extensions, too', async () => {
    const source = await harness.database(`
      CREATE EXTENSION citext; CREATE TABLE conf (a int); CREATE TABLE plain (a int); CREATE TABLE t (id int);
      ALTER EXTENSION citext ADD TABLE conf; ALTER EXTENSION citext ADD TABLE plain;
      UPDATE pg_extension SET extconfig = ARRAY['conf'::regclass::oid], extcondition = '{""}' WHERE extname = 'citext'`);
    const old = await target();
    const t = { name: 'public.t', columns: [{ name: 'id', rule: { preserve: true } }] };
    const run = (tables: SyncJobCommand['tables'], jobId: string) =>
      scene.replace({ source, target: old, command: { tables, jobId } });
    expect((await run([t], 'job_1')).failure?.problems).toMatchObject([
      { code: 'tables_unlisted', table: { schema: 'public', name: 'conf' } },
    ]);
    const conf = { name: 'public.conf', columns: [], rows: 'none' as const };
    expect((await run([t, conf], 'job_2')).failure).toBeUndefined();
  });

  it('is what only a superuser can create, and foreign tables without user mappings, if a template has the rest', async () => {
    const PREPARED = `
      CREATE SCHEMA low; CREATE EXTENSION postgres_fdw SCHEMA low; COMMENT ON EXTENSION postgres_fdw IS 'far';
      CREATE FUNCTION low.f(cstring) RETURNS cstring STRICT LANGUAGE internal AS 'textin'; COMMENT ON FUNCTION low.f IS 'fast';
      CREATE FUNCTION low.on_end() RETURNS event_trigger LANGUAGE plpgsql AS 'BEGIN END'; CREATE EVENT TRIGGER ended ON ddl_command_end EXECUTE FUNCTION low.on_end()`;
    const source =
      await harness.database(`${PREPARED}; CREATE TABLE low.t (id int PRIMARY KEY, a text); INSERT INTO low.t VALUES (1, 'x');
      CREATE SERVER far FOREIGN DATA WRAPPER postgres_fdw OPTIONS (host 'far.invalid'); CREATE USER MAPPING FOR CURRENT_USER SERVER far OPTIONS (password 'canary');
      CREATE FOREIGN TABLE low.there (id int) SERVER far; CREATE VIEW seen AS SELECT low.f('a'::cstring)::text AS f, id FROM low.there;
      CREATE MATERIALIZED VIEW kept AS SELECT * FROM low.there WITH NO DATA; GRANT USAGE ON FOREIGN SERVER far TO ${scene.owner}`);
    const template = await harness.database(`${PREPARED};
      GRANT CREATE, USAGE ON SCHEMA low TO ${scene.login}; GRANT USAGE ON FOREIGN DATA WRAPPER postgres_fdw TO ${scene.login}, ${scene.owner}`);
    await source.query(`ALTER DATABASE ${template.name} IS_TEMPLATE true`);
    const old = await target();
    const run = (
      jobId: string,
      command: Partial<SyncJobCommand>,
      rules: Partial<SyncRules> = {},
      templateOf: (() => string) | undefined = undefined,
    ) => {
      const policy = { ...scene.policy, rules: { ...scene.policy.rules, ...rules } };
      const environment = { policy: templateOf === undefined ? policy : { ...policy, templateOf } };
      return scene.replace({ source, target: old, command: { jobId, ...command }, environment });
    };
    const inTemplate = () => template.name;
    const denied = await run('job_1', { dryRun: true }, { allowForeignServers: false }, inTemplate);
    expect(denied.predicted?.failures.map(({ code }) => code)).toEqual(['foreign_servers_refused']);
    const lacking = await run('job_2', { dryRun: true });
    expect(
      lacking.predicted?.failures.flatMap(({ problems = [] }) => problems.map(({ object }) => object?.name)),
    ).toEqual(['postgres_fdw', 'f', 'ended']);
    await untilUnused(template);
    const done = await run('job_3', { privileges: 'source' }, {}, inTemplate);
    expect([done.failure, done.completed?.warnings]).toEqual([
      undefined,
      [{ code: 'user_mappings_not_copied', count: 1 }],
    ]);
    await source.query('DROP USER MAPPING FOR CURRENT_USER SERVER far');
    expect(await scene.definitions(old)).toBe(await scene.definitions(source));
    const { rows } = await old.query(
      `SELECT (SELECT count(*) FROM pg_user_mappings)::int AS mappings, has_server_privilege('${scene.owner}', 'far', 'USAGE') AS usage`,
    );
    expect(rows).toEqual([{ mappings: 0, usage: true }]);
    await source.query(`ALTER DATABASE ${template.name} IS_TEMPLATE false`);
  });

  /** Waits until the pool of a test has closed its sessions. A database with sessions cannot be copied. */
  async function untilUnused({ name }: TestDatabase): Promise<void> {
    const admin = await harness.database();
    for (;;) {
      const { rows } = await admin.query('SELECT FROM pg_stat_activity WHERE datname = $1', [name]);
      if (rows.length === 0) return;
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  }
});
