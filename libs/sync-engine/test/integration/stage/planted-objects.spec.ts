import { asTarget, type TestDatabase } from '@understudy/testing';
import type { SyncStep } from '../../../src/steps.js';
import { rowsOf, SyncHarness, type Outcome } from '../sync-harness.js';
import { casesOf, inBoth, it } from '../test-run.js';

const PLANTER = 'object_planter';

let harness: SyncHarness;
beforeAll(async () => {
  harness = await SyncHarness.start();
});
afterEach(() => harness.dropAll());
afterAll(() => harness.stop());

/** Creates a target on which another role may create objects, as every role could up to PostgreSQL 14. */
async function sharedTarget(sql = ''): Promise<TestDatabase> {
  const target = await harness.database(`
    DO $$ BEGIN CREATE ROLE ${PLANTER}; EXCEPTION WHEN duplicate_object THEN NULL; END $$;
    DO $$ BEGIN EXECUTE format('GRANT CREATE ON DATABASE %I TO ${PLANTER}', current_database()); END $$;
    GRANT CREATE ON SCHEMA public TO ${PLANTER};
    CREATE TABLE loot (who name, v text); GRANT ALL ON loot TO PUBLIC`);
  if (sql !== '') await plant(target, sql);
  return target;
}

const plant = (target: TestDatabase, sql: string) => target.query(`SET ROLE ${PLANTER}; ${sql}; RESET ROLE`);

const STEALS = (type: string) => `CREATE FUNCTION evil(t ${type}) RETURNS boolean LANGUAGE plpgsql AS
  'BEGIN INSERT INTO public.loot VALUES (current_user, t::text); RETURN true; END'`;

interface Run {
  readonly policy?: object;
  readonly dryRun?: boolean;
  readonly url?: string;
  readonly reached?: (step: SyncStep) => void | Promise<void>;
}

async function run(
  source: TestDatabase,
  target: TestDatabase,
  { policy = {}, dryRun = false, url, reached }: Run = {},
): Promise<Outcome> {
  const command = harness.command(source.url, url ?? (await asTarget(target)), { t: {} }, { dryRun });
  const environment = { policy: { ...harness.environment().policy, ...policy } };
  return harness.run(command, reached === undefined ? environment : { ...environment, reached });
}

function refused({ failure, predicted }: Outcome, others: readonly string[] = []): readonly string[] {
  const [predictedFailure] = predicted?.failures ?? [];
  const { side, problems = [] } = failure ?? predictedFailure ?? {};
  expect(side).toBe('target');
  expect(new Set(problems.map(({ code }) => code))).toEqual(new Set(['object_untrusted', ...others]));
  return problems
    .filter(({ code }) => code === 'object_untrusted')
    .map((problem) =>
      [problem.object?.kind, problem.object?.schema, problem.object?.name].filter(Boolean).join(' '),
    )
    .sort();
}

async function isUntouched(target: TestDatabase): Promise<void> {
  expect(await rowsOf(target, 'loot')).toEqual([]);
  const { rows } = await target.query("SELECT to_regclass('public.t') AS t");
  expect(rows).toEqual([{ t: null }]);
}

const EMAIL = `CREATE DOMAIN email_d AS text CHECK (VALUE LIKE '%@%')`;
const OK = `CREATE FUNCTION ok(t text) RETURNS boolean IMMUTABLE LANGUAGE sql AS 'SELECT true'`;
const SAME = `CREATE FUNCTION same(a text, b text) RETURNS boolean IMMUTABLE LANGUAGE sql AS 'SELECT true'`;
const CMP = `CREATE FUNCTION cmp(a text, b text) RETURNS int IMMUTABLE LANGUAGE sql AS 'SELECT 0'`;
const ODD = `CREATE OPERATOR CLASS odd FOR TYPE text USING btree AS OPERATOR 1 <, OPERATOR 2 <=, OPERATOR 3 =, OPERATOR 4 >=, OPERATOR 5 >`;

describe('an object of the target that another role has planted', () => {
  const PLANTS: readonly [string, string, string, string[], ...string[]][] = [
    [
      'a domain',
      `${EMAIL}; CREATE TABLE t (e email_d); INSERT INTO t VALUES ('a@b')`,
      `${STEALS('text')}; CREATE DOMAIN email_d AS text CHECK (evil(VALUE))`,
      ['type public email_d'],
    ],
    [
      'a function of a CHECK',
      `${OK}; CREATE TABLE t (e text CHECK (ok(e))); INSERT INTO t VALUES ('a')`,
      STEALS('text').replace('evil', 'ok'),
      ['function public ok'],
    ],
    [
      'an operator',
      `${SAME}; CREATE OPERATOR === (LEFTARG = text, RIGHTARG = text, FUNCTION = same);
       CREATE TABLE t (e text CHECK (e === 'a')); INSERT INTO t VALUES ('a')`,
      `${SAME}; CREATE OPERATOR === (LEFTARG = text, RIGHTARG = text, FUNCTION = same)`,
      ['function public same', 'operator public ==='],
    ],
    [
      'a collation',
      `CREATE COLLATION cc FROM "C"; CREATE TABLE t (e text COLLATE cc)`,
      `CREATE COLLATION cc FROM "C"`,
      ['collation public cc'],
    ],
    [
      'a view that a policy reads',
      `CREATE VIEW seen AS SELECT 1 AS x; CREATE TABLE t (e text); ALTER TABLE t ENABLE ROW LEVEL SECURITY;
       CREATE POLICY own ON t USING (EXISTS (SELECT FROM seen))`,
      `${STEALS('text')}; CREATE VIEW seen AS SELECT 1 AS x WHERE evil('x')`,
      ['relation public seen'],
    ],
    [
      'a function that the planter added to an extension of its own',
      `${OK}; CREATE TABLE t (e text CHECK (ok(e))); INSERT INTO t VALUES ('a')`,
      `CREATE EXTENSION citext SCHEMA public; ${STEALS('text').replace('evil', 'ok')}; ALTER EXTENSION citext ADD FUNCTION ok(text)`,
      ['function public ok'],
    ],
    [
      'a domain of an array',
      `${EMAIL}; CREATE TABLE t (e email_d[]); INSERT INTO t VALUES ('{a@b}')`,
      `${STEALS('text')}; CREATE DOMAIN email_d AS text CHECK (evil(VALUE))`,
      ['type public email_d'],
    ],
    [
      'a composite type with a domain of its own',
      `CREATE TYPE pair AS (e text); CREATE TABLE t (p pair); INSERT INTO t VALUES ('(a@b)')`,
      `${STEALS('text')}; CREATE DOMAIN other_d AS text CHECK (evil(VALUE)); CREATE TYPE pair AS (e other_d)`,
      ['type public pair'],
      'column_mismatch',
    ],
    [
      'a function of a default',
      `CREATE FUNCTION d() RETURNS text LANGUAGE sql AS $$ SELECT 'x' $$; CREATE TABLE t (e text DEFAULT d())`,
      `CREATE FUNCTION d() RETURNS text LANGUAGE sql AS $$ SELECT 'y' $$`,
      ['function public d'],
    ],
    [
      'an enum type, to which code can be added later',
      `CREATE TYPE mood AS ENUM ('a'); CREATE TABLE t (m mood); INSERT INTO t VALUES ('a')`,
      `CREATE TYPE mood AS ENUM ('a')`,
      ['type public mood'],
    ],
    [
      'a sequence that only a default names',
      `CREATE SEQUENCE ids; CREATE TABLE t (id int DEFAULT nextval('ids'))`,
      `CREATE SEQUENCE ids; GRANT ALL ON ids TO PUBLIC`,
      ['relation public ids'],
    ],
    [
      'a domain in a schema of its own',
      `CREATE SCHEMA types; CREATE DOMAIN types.email_d AS text; CREATE TABLE t (e types.email_d)`,
      `CREATE SCHEMA types; GRANT ALL ON SCHEMA types TO PUBLIC; CREATE DOMAIN types.email_d AS text`,
      ['type types email_d'],
    ],
  ];
  inBoth.each(casesOf(PLANTS, 6))(
    'makes the dry run and the job fail before anything is created: %s',
    async (_, definition, planted, objects, ...others) => {
      const source = await harness.database(definition);
      const target = await sharedTarget(planted);
      expect(refused(await run(source, target, { dryRun: true }), others)).toEqual(objects);
      expect(refused(await run(source, target), others)).toEqual(objects);
      expect(refused(await run(source, target, { url: target.url }), others)).toEqual(objects); // a superuser
      await isUntouched(target);
    },
  );

  it('is reported with the table that needs it, and without names if the policy forbids them', async () => {
    const source = await harness.database(`${EMAIL}; CREATE TABLE t (e email_d)`);
    const target = await sharedTarget(`CREATE DOMAIN email_d AS text`);
    const { failure } = await run(source, target, { policy: { reportsNames: false } });
    expect(failure).toMatchObject({ code: 'object_untrusted', side: 'target', tableIndex: 0 });
    expect((failure?.problems ?? []).map(({ object }) => object)).toEqual([{ kind: 'type' }]);
  });

  it('is refused if it appears after the preflight', async () => {
    const source = await harness.database(
      `${EMAIL}; CREATE TABLE t (e email_d); INSERT INTO t VALUES ('a@b')`,
    );
    const target = await sharedTarget(STEALS('text'));
    const outcome = await run(source, target, {
      reached: async (step) => {
        if (step === 'models_trained')
          await plant(target, 'CREATE DOMAIN email_d AS text CHECK (evil(VALUE))');
      },
    });
    expect(refused(outcome)).toEqual(['type public email_d']);
    await isUntouched(target);
  });

  it('is refused if an existing table calls it when rows are written', async () => {
    const evil = `${STEALS('text')}; CREATE OPERATOR === (RIGHTARG = text, FUNCTION = evil)`;
    for (const [planted, table] of [
      [STEALS('text'), 'CREATE TABLE t (e mail CHECK (evil(e)))'],
      [evil, 'CREATE TABLE t (e mail CHECK (=== e::text))'],
      [STEALS('text'), 'ALTER DOMAIN mail ADD CHECK (evil(VALUE)); CREATE TABLE t (e mail)'],
    ] as const) {
      const mail = 'CREATE DOMAIN mail AS text;';
      const source = await harness.database(`${mail} CREATE TABLE t (e mail); INSERT INTO t VALUES ('a@b')`);
      const target = await sharedTarget(planted);
      await target.query(`${mail} ${table}`);
      for (const dryRun of [false, true])
        expect(refused(await run(source, target, { dryRun }))).toEqual(['function public evil']);
      expect(await rowsOf(target, 'loot')).toEqual([]);
      const { failure } = await run(source, target, { policy: { allowsSharedSchemas: true } });
      expect(failure).toBeUndefined();
    }
  });

  it('is used if the policy allows shared schemas', async () => {
    const source = await harness.database(
      `${EMAIL}; CREATE TABLE t (e email_d); INSERT INTO t VALUES ('a@b')`,
    );
    const target = await sharedTarget(EMAIL);
    const { failure } = await run(source, target, { policy: { allowsSharedSchemas: true } });
    expect(failure).toBeUndefined();
    expect(await rowsOf(target, 't')).toEqual(['(a@b)']);
  });
});

describe('an object of the target that a table to create may use', () => {
  const definition = `${EMAIL}; ${CMP}; ${ODD}, FUNCTION 1 cmp(text, text);
    CREATE TABLE t (e email_d); CREATE INDEX odd_order ON t (e odd); INSERT INTO t VALUES ('a@b')`;
  const objects = `${EMAIL}; ${CMP}; ${ODD}, FUNCTION 1 cmp(text, text)`;
  const give = (role: string) => `ALTER DOMAIN email_d OWNER TO ${role}; ALTER FUNCTION cmp OWNER TO ${role}`;
  const roleOf = (url: string) => decodeURIComponent(new URL(url).username);

  it.each([
    ['a superuser', () => ''],
    ['the role of the job', (role: string) => give(role)],
    [
      'a role of which the role of the job is a member',
      (role: string) => `GRANT ${PLANTER} TO ${role}; ${give(PLANTER)}`,
    ],
    [
      'the owner of the database',
      () =>
        `DO $$ BEGIN EXECUTE format('ALTER DATABASE %I OWNER TO ${PLANTER}', current_database()); END $$; ${give(PLANTER)}`,
    ],
    [
      'another role, in a schema in which it may not create objects',
      (role: string) =>
        `${give(PLANTER)}; GRANT CREATE ON SCHEMA public TO ${role}; REVOKE CREATE ON SCHEMA public FROM ${PLANTER}, PUBLIC`,
    ],
  ])('belongs to %s', async (_, prepare) => {
    const source = await harness.database(definition);
    const target = await sharedTarget();
    await target.query(objects);
    const url = await asTarget(target);
    await target.query(prepare(roleOf(url)));
    expect((await run(source, target, { url })).failure).toBeUndefined();
    expect(await rowsOf(target, 't')).toEqual(['(a@b)']);
  });

  it('is a member of an extension that a superuser has created', async () => {
    const source = await harness.database(
      `CREATE EXTENSION citext; CREATE TABLE t (e citext); INSERT INTO t VALUES ('a')`,
    );
    const target = await sharedTarget();
    await target.query('CREATE EXTENSION citext');
    expect((await run(source, target)).failure).toBeUndefined();
  });
});
