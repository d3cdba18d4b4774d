import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { SyncJobError } from '@understudy/sync-job';
import { Client } from 'pg';
import type { TestDatabase } from '@understudy/testing';
import { it } from '@understudy/testing';
import { Pause } from '../stage/staging-scene.js';
import { rowsOf, SyncHarness, TEST_LOG } from '../sync-harness.js';
import type { LocalNames } from '../../../src/local-names.js';
import type { SyncStep } from '../../../src/sync-steps.js';
import { type ReplaceScene, replaceScene } from './replace-scene.js';

describe('code of the source that runs while a database is built', () => {
  let harness: SyncHarness;
  let scene: ReplaceScene;
  beforeAll(async () => {
    harness = await SyncHarness.start();
    scene = await replaceScene(harness);
  });
  afterEach(() => harness.dropAll());
  afterAll(() => harness.stop());

  /** A function that tries to leave its database, and returns what has succeeded. */
  const evil = (victim: TestDatabase, file: string) => `
    CREATE FUNCTION try_all() RETURNS text LANGUAGE plpgsql AS $f$
    DECLARE s text; succeeded text := current_user || ' ' || session_user;
    BEGIN
      -- The source itself is a friend of the test.
      IF session_user <> '${scene.login}' THEN RETURN 'not tried'; END IF;
      FOREACH s IN ARRAY ARRAY[
        'ALTER DATABASE ${victim.name} SET work_mem = ''1MB''', 'ALTER DATABASE ${victim.name} RENAME TO gone',
        'DROP DATABASE ${victim.name}', 'CREATE DATABASE made_by_source', 'CREATE ROLE made_by_source',
        'SET ROLE ${scene.agent}', 'SET SESSION AUTHORIZATION ${scene.agent}', 'SET ROLE ${scene.owner}',
        'ALTER ROLE ${scene.agent} PASSWORD ''x''', 'GRANT ${scene.agent} TO CURRENT_USER',
        'COPY (SELECT 1) TO PROGRAM ''touch ${file}''', 'COPY (SELECT 1) TO ''${file}''',
        'CREATE EXTENSION dblink', 'CREATE EVENT TRIGGER e ON ddl_command_start EXECUTE FUNCTION public.fire()',
        'ALTER DATABASE ' || current_database() || ' RENAME TO renamed', 'ALTER DATABASE ' || current_database() || ' OWNER TO ' || current_user,
        'ALTER DATABASE ' || current_database() || ' ALLOW_CONNECTIONS false'
      ] LOOP
        BEGIN EXECUTE s; succeeded := succeeded || '; ' || s;
        EXCEPTION WHEN OTHERS THEN NULL; END;
      END LOOP;
      IF (SELECT bool_or(pg_terminate_backend(pid)) FROM pg_stat_activity WHERE usename IN ('${scene.agent}', '${scene.owner}')) THEN
        succeeded := succeeded || '; terminated'; END IF;
      RETURN succeeded;
    EXCEPTION WHEN insufficient_privilege THEN RETURN succeeded;
    END $f$`;

  it('changes nothing outside of the new database, and has no role but the second login', async () => {
    const victim = await harness.database();
    const file = join(harness.stateDir, 'made-by-source');
    const source = await harness.database(`
      CREATE FUNCTION fire() RETURNS event_trigger LANGUAGE plpgsql AS 'BEGIN END';
      ${evil(victim, file)};
      CREATE FUNCTION as_definer() RETURNS text LANGUAGE sql SECURITY DEFINER AS 'SELECT public.try_all()';
      CREATE FUNCTION note_all(int) RETURNS text IMMUTABLE LANGUAGE sql AS $$ SELECT public.try_all() $$;
      CREATE TABLE t (id int PRIMARY KEY, CHECK (note_all(id) IS NOT NULL));
      INSERT INTO t SELECT generate_series(1, 3);
      CREATE INDEX t_evil ON t (note_all(id));
      CREATE MATERIALIZED VIEW seen AS SELECT try_all() AS plain, as_definer() AS definer`);
    const target = await harness.database('CREATE TABLE only_here (a int)');
    await target.query(`ALTER DATABASE ${target.name} OWNER TO ${scene.owner}`);
    const outcome = await scene.replace({ source, target });
    expect(outcome.failure).toBeUndefined();
    const only = `${scene.login} ${scene.login}`;
    expect((await target.query('SELECT plain, definer FROM seen')).rows).toEqual([
      { plain: only, definer: only },
    ]);
    expect(existsSync(file)).toBe(false);
    const { rows } = await source.query(
      `SELECT datname FROM pg_database WHERE datname IN ('gone', 'made_by_source', 'renamed') UNION ALL SELECT rolname FROM pg_roles WHERE rolname = 'made_by_source'`,
    );
    expect(rows).toEqual([]);
    expect((await victim.query('SHOW work_mem')).rows).toEqual([{ work_mem: '4MB' }]);
  });

  it('gives no role more than it had in the replaced database', async () => {
    const guest = `guest_${scene.login}`;
    const source = await harness.database(`
      CREATE ROLE ${guest};
      CREATE EXTENSION citext;
      CREATE TABLE t (id int PRIMARY KEY, name text); CREATE TABLE fresh (id int PRIMARY KEY);
      CREATE FUNCTION plain() RETURNS text LANGUAGE sql AS 'SELECT current_user::text';
      CREATE FUNCTION change() RETURNS text LANGUAGE plpgsql AS $f$ BEGIN
        IF session_user <> '${scene.login}' THEN RETURN 'not changed'; END IF;
        ALTER FUNCTION public.plain() SECURITY DEFINER;
        EXECUTE 'CREATE FUNCTION public.made() RETURNS int LANGUAGE sql SECURITY DEFINER AS ''SELECT 1''';
        GRANT ALL ON public.t, public.fresh TO PUBLIC; GRANT ALL ON public.t TO ${guest} WITH GRANT OPTION;
        GRANT SELECT (name) ON public.t TO ${guest};
        GRANT ALL ON SCHEMA public TO ${guest};
        ALTER EXTENSION citext ADD FUNCTION public.made(); ALTER EXTENSION citext ADD TABLE public.fresh;
        EXECUTE format('GRANT ALL ON LARGE OBJECT %s TO PUBLIC', lo_create(0));
        CREATE SCHEMA understudy_like; CREATE VIEW understudy_like.hidden AS SELECT * FROM public.t;
        GRANT USAGE ON SCHEMA understudy_like TO ${guest}; GRANT SELECT ON understudy_like.hidden TO ${guest};
        RETURN 'changed'; END $f$;
      CREATE MATERIALIZED VIEW changes AS SELECT change() AS result`);
    const target = await harness.database('CREATE TABLE t (id int PRIMARY KEY, name text)');
    await target.query(`ALTER DATABASE ${target.name} OWNER TO ${scene.owner}`);
    const held = async () => {
      const { rows } = await target.query(`
        SELECT array(SELECT proname::text FROM pg_proc WHERE prosecdef AND pronamespace = 'public'::regnamespace) AS definers,
               has_table_privilege('${guest}', 't', 'SELECT, INSERT') AS old, has_any_column_privilege('${guest}', 't', 'SELECT') AS part,
               has_schema_privilege('${guest}', 'public', 'CREATE') AS schema, has_schema_privilege('${guest}', 'public', 'USAGE') AS usage,
               has_table_privilege('${guest}', coalesce(to_regclass('fresh'), 't'), 'SELECT, INSERT') AS fresh,
               EXISTS (SELECT FROM pg_largeobject_metadata, aclexplode(lomacl) WHERE grantee = 0) AS large,
               has_table_privilege('${guest}', coalesce(to_regclass('understudy_like.hidden'), 't'), 'SELECT') AS hidden`);
      return rows[0];
    };
    const few = {
      definers: [],
      old: false,
      part: false,
      schema: false,
      usage: true,
      fresh: false,
      large: false,
      hidden: false,
    };
    expect(await held()).toEqual(few);
    for (const privileges of ['target', 'none'] as const) {
      const command = { jobId: `job_${privileges}`, privileges };
      const outcome = await scene.replace({ source, target, command });
      expect(outcome.failure).toBeUndefined();
      expect((await target.query('SELECT result FROM changes')).rows).toEqual([{ result: 'changed' }]);
      expect(await held()).toEqual(few);
    }
    await source.query(`DROP ROLE ${guest}`);
  });

  it('leaves the second login as it was', async () => {
    const source = await harness.database(`
      CREATE FUNCTION change() RETURNS text LANGUAGE plpgsql AS $f$ BEGIN
        IF session_user <> '${scene.login}' THEN RETURN 'not changed'; END IF;
        ALTER ROLE CURRENT_USER SET local_preload_libraries = 'missing';
        ALTER ROLE CURRENT_USER SET default_transaction_read_only = on;
        EXECUTE format('ALTER ROLE CURRENT_USER IN DATABASE %I SET work_mem = %L', current_database(), '1MB');
        EXECUTE 'ALTER ROLE CURRENT_USER IN DATABASE postgres SET work_mem = 64';
        ALTER ROLE CURRENT_USER PASSWORD 'known';
        RETURN 'changed'; END $f$;
      CREATE MATERIALIZED VIEW changes AS SELECT change() AS result`);
    const target = await harness.database();
    await target.query(`ALTER DATABASE ${target.name} OWNER TO ${scene.owner}`);
    for (const jobId of ['job_1', 'job_2'])
      expect((await scene.replace({ source, target, command: { jobId } })).failure).toBeUndefined();
    expect((await target.query('SELECT result FROM changes')).rows).toEqual([{ result: 'changed' }]);
    const { rows } = await source.query(
      `SELECT array(SELECT setconfig::text FROM pg_db_role_setting WHERE setrole = '${scene.login}'::regrole) AS settings,
              (SELECT rolpassword LIKE 'SCRAM%' FROM pg_authid WHERE rolname = '${scene.login}') AS scram`,
    );
    expect(rows).toEqual([{ settings: [], scram: true }]);
  });

  it('runs in no session after the build', async () => {
    const source = await harness.database('CREATE TABLE t (id int PRIMARY KEY)');
    const target = await harness.database();
    await target.query(`ALTER DATABASE ${target.name} OWNER TO ${scene.owner}`);
    const url = new URL(scene.agentUrl({ name: 'postgres' }));
    Object.assign(url, { username: scene.login, password: 'build' });
    // A session that code of the source has opened with dblink.
    const client = new Client({ connectionString: url.href });
    client.on('error', () => undefined);
    const reached = async (step: SyncStep) => void (step === 'planned' && (await client.connect()));
    expect((await scene.replace({ source, target, environment: { reached } })).failure).toBeUndefined();
    await expect(client.query('SELECT 1')).rejects.toThrow();
  });

  it('does not run without a second login, or if a role has too many or too few rights', async () => {
    const source = await harness.database('CREATE TABLE t (id int PRIMARY KEY)');
    const target = await harness.database();
    await target.query(`ALTER DATABASE ${target.name} OWNER TO ${scene.owner}`);
    const without = { policy: harness.policy() };
    expect((await scene.replace({ source, target, environment: without })).failure?.code).toBe(
      'build_login_missing',
    );
    await source.query(`ALTER ROLE ${scene.login} NOLOGIN`);
    const dry = await scene.replace({ source, target, command: { dryRun: true } });
    expect(dry.predicted?.failures.map(({ code }) => code)).toEqual(['build_login_failed']);
    expect((await scene.replace({ source, target })).failure?.code).toBe('build_login_failed');
    await source.query(`ALTER ROLE ${scene.login} LOGIN CREATEDB`);
    expect((await scene.replace({ source, target })).failure?.code).toBe('build_login_refused');
    await source.query(`ALTER ROLE ${scene.login} NOCREATEDB; GRANT pg_signal_backend TO ${scene.login}`);
    expect((await scene.replace({ source, target })).failure?.code).toBe('build_login_refused');
    await source.query(
      `REVOKE pg_signal_backend FROM ${scene.login}; ALTER DATABASE ${source.name} OWNER TO ${scene.login}`,
    );
    expect((await scene.replace({ source, target })).failure?.code).toBe('build_login_refused');
    await source.query(
      `ALTER DATABASE ${source.name} OWNER TO CURRENT_USER; REVOKE ${scene.owner} FROM ${scene.agent}`,
    );
    const names: LocalNames[] = [];
    const environment = { onNames: (one: LocalNames) => names.push(one) };
    const denied = await scene.replace({ source, target, environment, command: { dryRun: true } });
    expect(denied.predicted?.failures.map(({ code }) => code)).toEqual(['replace_denied']);
    const remedy = `GRANT ${scene.owner} TO ${scene.agent};`;
    const blockers = [{ kind: 'not_owner', name: scene.owner, remedy }];
    expect(names).toContainEqual({ about: 'in_the_way', blockers });
    expect((await scene.replace({ source, target })).failure?.code).toBe('replace_denied');
    // Since PostgreSQL 16, the role decides only about new grants.
    const granted = `REVOKE ${scene.owner} FROM ${scene.agent}; GRANT ${scene.owner} TO ${scene.agent}`;
    await source.query(`ALTER ROLE ${scene.agent} NOINHERIT; ${granted}`);
    expect((await scene.replace({ source, target })).failure?.code).toBe('replace_denied');
    await source.query(
      `ALTER ROLE ${scene.agent} INHERIT SUPERUSER; ${granted}; ALTER DATABASE ${target.name} OWNER TO postgres`,
    );
    expect((await scene.replace({ source, target })).failure?.code).toBe('owner_refused');
    await source.query(`ALTER ROLE ${scene.agent} NOSUPERUSER`);
  });

  it('does not run in a session of the agent through the ledger', async () => {
    const source = await harness.database(`
      CREATE TABLE caught (who text);
      CREATE FUNCTION spy() RETURNS boolean LANGUAGE plpgsql AS $f$ BEGIN
        INSERT INTO public.caught SELECT session_user WHERE session_user <> '${scene.login}'; RETURN true; END $f$;
      CREATE FUNCTION plant(int) RETURNS boolean LANGUAGE plpgsql AS $f$ BEGIN
        IF session_user = '${scene.login}' AND NOT EXISTS (SELECT FROM pg_constraint WHERE conname = 'planted') THEN
          ALTER TABLE understudy_job_1.job ADD CONSTRAINT planted CHECK (public.spy());
        END IF; RETURN true; END $f$;
      CREATE TABLE t (id int PRIMARY KEY, CONSTRAINT plants CHECK (plant(id)));
      INSERT INTO t VALUES (1)`);
    const target = await harness.database();
    await target.query(`ALTER DATABASE ${target.name} OWNER TO ${scene.owner}`);
    let isPlanted = false;
    const reached = async (step: SyncStep) => {
      if (step === 'chunk_committed') isPlanted = true;
      if (step === 'before_commit') throw new SyncJobError({ code: 'connection_lost', side: 'target' });
    };
    await scene.replace({ source, target, environment: { reached } });
    const outcome = await scene.replace({ source, target, command: { epoch: 2 } });
    expect([outcome.failure, isPlanted]).toEqual([undefined, true]);
    expect(await rowsOf(target, 'caught')).toEqual([]);
  });

  it('runs in one database at a time, so that it can end no session of another job', async () => {
    const source = await harness.database('CREATE TABLE t (id int)');
    const [target, other] = [await harness.database(), await harness.database()];
    for (const { query, name } of [target, other])
      await query(`ALTER DATABASE ${name} OWNER TO ${scene.owner}`);
    const pause = new Pause('target_locked');
    const first = scene.replace({ source, target, environment: { reached: pause.reached } });
    await pause.arrived;
    const seen: SyncStep[] = [];
    const reached = (step: SyncStep) => void seen.push(step);
    let second: ReturnType<ReplaceScene['replace']> | undefined;
    const waiting = new Promise<object>((resolve) => {
      const log = { ...TEST_LOG, warn: (facts: object) => void ('holders' in facts && resolve(facts)) };
      const command = { jobId: 'job_2' };
      second = scene.replace({ source, target: other, command, environment: { log, reached } });
    });
    const ended = second?.then(() => 'not waited');
    expect(await Promise.race([waiting, ended])).toMatchObject({ holders: [{ name: 'understudy job_1 1' }] });
    expect(seen).toEqual([]);
    pause.goOn();
    expect([(await first).failure, (await second)?.failure]).toEqual([undefined, undefined]);
  });
});
