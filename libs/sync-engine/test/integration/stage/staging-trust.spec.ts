import { Client } from 'pg';
import { parseConnectionUrl, disconnect } from '@understudy/postgres';
import { openTarget } from '../../../src/attempt/attempt-sessions.js';
import type { JobDatabases, RunningJob } from '../../../src/attempt/running-job.js';
import { failureError, namesOf, SyncJobError } from '@understudy/sync-job';
import { casesOf, inBoth, inRelease, it } from '@understudy/testing';
import type { SyncStep } from '../../../src/sync-steps.js';
import { leftovers, Pause, ROLE, type Scene, setScene } from './staging-scene.js';
import { type Outcome, SyncHarness } from '../sync-harness.js';

const PLANTER = 'planting_role';
const untrusted = (schema: string, role = PLANTER) => {
  const location = { code: 'staging_untrusted', side: 'target' };
  const problem = { ...location, object: { kind: 'schema', name: schema }, objectRole: role };
  return { ...location, problems: [problem], problemCount: 1 };
};
const CONNECTION_LOST = new SyncJobError({ code: 'connection_lost', side: 'target' });
const TABLES = { parents: {}, children: { note: { generator: 'en_US/first_names' } } };

/**
 * Creates functions that record each call. Every role can call them, even the attacker's role, which has only
 * the right CREATE on the database.
 */
const TRAP = `
  CREATE SCHEMA trap; CREATE SEQUENCE trap.sprung; GRANT USAGE ON SCHEMA trap TO PUBLIC; GRANT ALL ON SEQUENCE trap.sprung TO PUBLIC;
  CREATE FUNCTION trap.spring() RETURNS boolean LANGUAGE plpgsql AS
    $$ BEGIN PERFORM pg_catalog.nextval('trap.sprung'); RETURN true; END $$;
  CREATE FUNCTION trap.fire() RETURNS trigger LANGUAGE plpgsql AS
    $$ BEGIN PERFORM pg_catalog.nextval('trap.sprung'); RETURN NEW; END $$;
`;
const FORGED = JSON.stringify({
  tables: [{ tableIndex: 0, state: 'completed', rowsProcessed: 666, rowsTotal: 666 }],
  warnings: [],
  phases: [],
  verification: { checks: [] },
});
const ledgerTable = (schema: string, name: string, state: string) => `
  CREATE TABLE ${schema}.${name} (
    job_id text PRIMARY KEY, epoch int NOT NULL, state text NOT NULL, touched_at timestamptz NOT NULL DEFAULT '2020-01-01',
    format int NOT NULL DEFAULT 4, fingerprint text NOT NULL DEFAULT '', snapshot_id text NOT NULL DEFAULT '', plan text NOT NULL DEFAULT '',
    late_sql text NOT NULL DEFAULT '', finish_sql text NOT NULL DEFAULT '', swap_sql text NOT NULL DEFAULT '',
    warnings text NOT NULL DEFAULT '[]', outcome text, seal text NOT NULL DEFAULT '');
  INSERT INTO ${schema}.${name} (job_id, epoch, state, outcome) VALUES ('job_1', 0, '${state}', '${FORGED}');`;

/** Relations that the attacker's role creates under the name of a job's ledger table. */
const PLANTS: readonly (readonly [what: string, sql: (schema: string) => string])[] = [
  [
    'a table with a trigger',
    (schema) => `${ledgerTable(schema, 'job', 'staging')}
      CREATE TRIGGER fire BEFORE INSERT OR UPDATE ON ${schema}.job FOR EACH ROW EXECUTE FUNCTION trap.fire();`,
  ],
  [
    'a table with a rule',
    (schema) => `${ledgerTable(schema, 'job', 'staging')}
      CREATE RULE fire AS ON UPDATE TO ${schema}.job DO ALSO SELECT trap.spring();`,
  ],
  [
    'a view with a function',
    (schema) => `${ledgerTable(schema, 'beneath', 'staging')}
      CREATE VIEW ${schema}.job AS SELECT * FROM ${schema}.beneath WHERE trap.spring();`,
  ],
  ['a forged outcome', (schema) => ledgerTable(schema, 'job', 'switched')],
];

describe.each(['an ordinary role', 'a superuser'] as const)('the staging of an agent that is %s', (agent) => {
  /** Defines a test in which both kinds of roles run the same code. */
  const itOnce = agent === 'a superuser' ? inRelease : it;
  const [itForMost, most] = agent === 'a superuser' ? [inBoth, casesOf(PLANTS, 1)] : [it, PLANTS];
  let harness: SyncHarness;
  let scene: Scene;
  beforeAll(async () => {
    harness = await SyncHarness.start();
  });
  beforeEach(async () => {
    scene = await setScene(harness);
    await scene.target.query(`
      DO $$ BEGIN CREATE ROLE ${PLANTER}; EXCEPTION WHEN duplicate_object THEN NULL; END $$;
      DO $$ BEGIN EXECUTE format('GRANT CREATE ON DATABASE %I TO ${PLANTER}', current_database()); END $$`);
    await asPlanter(TRAP);
  });
  afterEach(() => harness.dropAll());
  afterAll(() => harness.stop());

  const targetUrl = () => (agent === 'a superuser' ? scene.target.url : scene.targetUrl);
  const agentRole = async () =>
    agent === 'a superuser'
      ? String((await scene.target.query('SELECT current_user')).rows[0]?.['current_user'])
      : ROLE;
  const asPlanter = (sql: string) => scene.target.query(`SET ROLE ${PLANTER}; ${sql}; RESET ROLE`);
  const plant = (schema: string, sql: string) =>
    asPlanter(`CREATE SCHEMA ${schema}; COMMENT ON SCHEMA ${schema} IS 'Staging of the Understudy job x';
      ${sql} GRANT ALL ON SCHEMA ${schema} TO PUBLIC; GRANT ALL ON ALL TABLES IN SCHEMA ${schema} TO PUBLIC`);
  const isSprung = async () =>
    (await scene.target.query('SELECT is_called FROM trap.sprung')).rows[0]?.['is_called'];
  const schemas = async () =>
    (await leftovers(scene.target)).filter((thing) => thing.startsWith('schema')).sort();
  const run = (epoch = 1, more: object = {}, jobId = 'job_1'): Promise<Outcome> =>
    harness.run(harness.command(scene.source.url, targetUrl(), TABLES, { epoch, jobId }), {
      copy: { connections: 2, chunkBytes: 65_536 },
      ...more,
    });
  const breakOff = async (at: SyncStep) => {
    const { failure } = await run(1, {
      reached: (step: SyncStep) => {
        if (step === at) throw CONNECTION_LOST;
      },
    });
    expect(failure).toEqual(CONNECTION_LOST.failure);
  };

  itForMost.each(most)('is not created, read or removed if another role has planted %s', async (_, sql) => {
    await plant('understudy_job_1', sql('understudy_job_1'));
    const { failure, completed } = await run();
    expect(failure).toEqual(untrusted('understudy_job_1'));
    expect(completed).toBeUndefined();
    await harness.clear(targetUrl(), { jobId: 'job_1', epoch: 2 });
    expect(await isSprung()).toBe(false);
    expect(await schemas()).toEqual(['schema understudy_job_1']);
  });

  itOnce(
    'is cleaned up without opening what another role has planted under the names of old jobs',
    async () => {
      const names = PLANTS.map((_, n) => `understudy_job_old_${n}`);
      for (const [n, [, sql]] of PLANTS.entries()) await plant(names[n] ?? '', sql(names[n] ?? ''));
      expect((await run()).failure).toBeUndefined();
      expect(await isSprung()).toBe(false);
      expect(await schemas()).toEqual(names.map((name) => `schema ${name}`));
    },
  );

  itOnce('is not created if another role has a hidden schema of that name', async () => {
    await asPlanter('CREATE SCHEMA "understudy_job_1.1"; GRANT ALL ON SCHEMA "understudy_job_1.1" TO PUBLIC');
    const { failure } = await run();
    expect(failure).toEqual(untrusted('understudy_job_1.1'));
    expect(await schemas()).toEqual(['schema understudy_job_1.1']);
    if (failure === undefined) throw new Error('expected a failure');
    const { message } = failureError(failure, namesOf({ tables: [] }));
    expect(message).toContain(`role "${PLANTER}"`);
    await asPlanter(String(/DROP SCHEMA .* CASCADE/.exec(message)?.[0]));
    expect((await run()).failure).toBeUndefined();
  });

  if (agent === 'an ordinary role') {
    it('does not keep staged rows if another role creates schemas with its prefix', async () => {
      const planted = ['understudy_job_1.9', 'understudy_job_1.aside_9'];
      const reached = async (at: SyncStep) => {
        if (at === 'staging_created')
          await asPlanter(planted.map((name) => `CREATE SCHEMA "${name}"`).join('; '));
      };
      expect((await run(1, { reached })).failure).toBeUndefined();
      await harness.clear(targetUrl(), { jobId: 'job_1', epoch: 2 });
      expect(await schemas()).toEqual(planted.map((name) => `schema ${name}`));
    });

    it.each(['understudy_job_1', 'understudy_job_1.1'])(
      'fails without a trace if another role creates %s after the checks, but no other job fails',
      async (schema) => {
        const reached = async (at: SyncStep) => {
          if (at === 'target_locked')
            await asPlanter(`CREATE SCHEMA "${schema}"; GRANT ALL ON SCHEMA "${schema}" TO PUBLIC`);
        };
        expect((await run(1, { reached })).failure).toEqual(untrusted(schema));
        expect(await schemas()).toEqual([`schema ${schema}`]);
        expect((await run(1, {}, 'job_2')).failure).toBeUndefined();
        expect(await schemas()).toEqual([`schema ${schema}`]);
      },
    );

    it.each(['understudy_job_1', 'understudy_job_1.1'])(
      'does not wait for another role that has begun to create %s',
      async (schema) => {
        const planter = new Client(scene.target.url);
        await planter.connect();
        try {
          const reached = async (at: SyncStep) => {
            if (at === 'target_locked')
              await planter.query(`BEGIN; SET LOCAL ROLE ${PLANTER}; CREATE SCHEMA "${schema}"`);
          };
          const copy = { connections: 2, chunkBytes: 65_536, lockTryMs: 100, lockWaitMs: 600_000 };
          const { failure } = await run(1, { reached, copy });
          expect(failure).toEqual({ code: 'staging_untrusted', side: 'target' });
          expect(await schemas()).toEqual([]);
        } finally {
          await planter.end();
        }
      },
    );

    it.each([
      ['a type', 'CREATE TYPE public.people AS (a int)'],
      ['an index', 'CREATE TABLE public.mine (id int); CREATE INDEX people_pkey ON public.mine (id)'],
    ])('fails without a trace if another role creates %s under the name of a new object', async (_, sql) => {
      await scene.target.query(`GRANT CREATE ON SCHEMA public TO ${PLANTER}`);
      const command = harness.command(scene.source.url, targetUrl(), { people: {} });
      const reached = async (at: SyncStep) => {
        if (at === 'all_chunks_committed') await asPlanter(sql);
      };
      const { failure } = await harness.run(command, { reached });
      expect(failure).toMatchObject({ code: 'create_failed', side: 'target' });
      expect(await schemas()).toEqual([]);
    });
  }

  itOnce(
    'is not affected by functions, operators and tables that another role creates in the public schema',
    async () => {
      await scene.target.query(`GRANT CREATE ON SCHEMA public TO ${PLANTER}`);
      await asPlanter(`SET search_path = public;
      CREATE FUNCTION starts_with(name, text) RETURNS boolean LANGUAGE sql AS 'SELECT trap.spring()';
      CREATE FUNCTION same(name, text) RETURNS boolean LANGUAGE sql AS 'SELECT trap.spring()';
      CREATE OPERATOR = (LEFTARG = name, RIGHTARG = text, FUNCTION = same);
      CREATE TABLE job (job_id text, epoch int); CREATE TABLE pg_class (oid oid); CREATE TYPE int8 AS (a text);
      CREATE SEQUENCE chunk_logged; RESET search_path`);
      expect((await run()).failure).toBeUndefined();
      expect(await isSprung()).toBe(false);
    },
  );

  itOnce('runs the job again if the stored outcome is not sealed with the masking key', async () => {
    await breakOff('committed');
    await scene.target.query(`UPDATE understudy_job_1.job SET outcome = '${FORGED}'`);
    const { completed } = await run(2);
    expect(completed?.warnings).toEqual([{ code: 'restarted_from_zero' }]);
    expect(completed?.tables.map(({ rowsProcessed }) => rowsProcessed)).toEqual([300, 3000]);
  });

  itOnce('runs the job again if the stored outcome belongs to another job', async () => {
    await breakOff('committed');
    await scene.target.query(
      `ALTER SCHEMA understudy_job_1 RENAME TO understudy_job_2; UPDATE understudy_job_2.job SET job_id = 'job_2'`,
    );
    const { completed } = await run(2, {}, 'job_2');
    expect(completed?.warnings).toEqual([{ code: 'restarted_from_zero' }]);
  });

  // ledger-seal.spec.ts changes each text of the row.
  const columns = ['swap_sql', 'late_sql', 'finish_sql'] as const;
  const [itForOne, some] = agent === 'a superuser' ? [inRelease, columns] : [inBoth, casesOf(columns, 1)];
  itForOne.each(some)('does not run the SQL of %s after it was changed', async (column) => {
    await breakOff('all_chunks_committed');
    await scene.target.query(`UPDATE understudy_job_1.job SET ${column} = 'SELECT trap.spring();'`);
    const { completed } = await run(2);
    expect(completed?.warnings).toEqual([{ code: 'restarted_from_zero' }]);
    expect(await isSprung()).toBe(false);
  });

  itOnce('is closed to other roles even if default privileges grant them rights', async () => {
    const defaults = `ALTER DEFAULT PRIVILEGES FOR ROLE ${await agentRole()} GRANT ALL ON`;
    await scene.target.query(
      `${defaults} SCHEMAS TO PUBLIC, ${PLANTER}; ${defaults} TABLES TO PUBLIC, ${PLANTER}`,
    );
    const pause = new Pause('staging_created');
    const running = run(1, { reached: pause.reached });
    await pause.arrived;
    for (const sql of [
      'CREATE TRIGGER fire BEFORE UPDATE ON understudy_job_1.job FOR EACH ROW EXECUTE FUNCTION trap.fire()',
      "UPDATE understudy_job_1.job SET finish_sql = 'SELECT trap.spring();'",
      'CREATE TABLE understudy_job_1.mine ()',
    ]) {
      await expect(asPlanter(sql)).rejects.toThrow('permission denied for schema understudy_job_1');
    }
    pause.goOn();
    expect((await running).failure).toBeUndefined();
  });

  itOnce('is not used by a new session of an attempt after it was removed and replaced', async () => {
    await breakOff('all_chunks_committed');
    const command = harness.command(scene.source.url, targetUrl(), TABLES);
    const databases = { target: { target: parseConnectionUrl(targetUrl()), side: 'target' } } as JobDatabases;
    const open = () => openTarget({ command } as RunningJob, databases);
    await disconnect((await open()).client);
    await harness.clear(targetUrl(), { jobId: 'job_1', epoch: 2 });
    await expect(open()).rejects.toMatchObject({ failure: { code: 'lease_lost' } });
    await plant('understudy_job_1', PLANTS[2]?.[1]('understudy_job_1') ?? '');
    await expect(open()).rejects.toMatchObject({ failure: { code: 'staging_untrusted' } });
    expect(await isSprung()).toBe(false);
  });
});
