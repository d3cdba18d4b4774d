import { asTarget, type TestDatabase } from '@understudy/testing';
import type { SyncRules } from '../../../src/policy.js';
import type { SyncStep } from '../../../src/sync-steps.js';
import { rowsOf, SyncHarness, type Outcome } from '../sync-harness.js';

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
  readonly policy?: Partial<SyncRules>;
  readonly dryRun?: boolean;
  readonly url?: string;
  readonly tables?: readonly string[];
  readonly reached?: (step: SyncStep) => void | Promise<void>;
}

async function run(
  source: TestDatabase,
  target: TestDatabase,
  { policy = {}, dryRun = false, url, tables = ['t'], reached }: Run = {},
): Promise<Outcome> {
  const rules = Object.fromEntries(tables.map((table) => [table, {}]));
  const command = harness.command(source.url, url ?? (await asTarget(target)), rules, { dryRun });
  const environment = { policy: harness.policy(policy) };
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

async function isUntouched(target: TestDatabase, tables = ['t']): Promise<void> {
  expect(await rowsOf(target, 'loot')).toEqual([]);
  const { rows } = await target.query('SELECT FROM pg_class WHERE relname = ANY ($1)', [tables]);
  expect(rows).toEqual([]);
}

const EMAIL = `CREATE DOMAIN email_d AS text CHECK (VALUE LIKE '%@%')`;
const OK = `CREATE FUNCTION ok_#(t text) RETURNS boolean IMMUTABLE LANGUAGE sql AS 'SELECT true'`;
const SAME = `CREATE FUNCTION same_#(a text, b text) RETURNS boolean IMMUTABLE LANGUAGE sql AS 'SELECT true'`;
const CMP = `CREATE FUNCTION cmp(a text, b text) RETURNS int IMMUTABLE LANGUAGE sql AS 'SELECT 0'`;
const ODD = `CREATE OPERATOR CLASS odd FOR TYPE text USING btree AS OPERATOR 1 <, OPERATOR 2 <=, OPERATOR 3 =, OPERATOR 4 >=, OPERATOR 5 >`;

describe('an object of the target that another role has planted', () => {
  /** Each kind has a table of its own. `#` is its number, which makes all names different. */
  const PLANTS: readonly [what: string, definition: string, planted: string, ...objects: string[]][] = [
    [
      'a domain',
      `CREATE DOMAIN email_# AS text CHECK (VALUE LIKE '%@%'); CREATE TABLE t_# (e email_#); INSERT INTO t_# VALUES ('a@b')`,
      `CREATE DOMAIN email_# AS text CHECK (evil(VALUE))`,
      'type public email_#',
    ],
    [
      'a function of a CHECK',
      `${OK}; CREATE TABLE t_# (e text CHECK (ok_#(e))); INSERT INTO t_# VALUES ('a')`,
      STEALS('text').replace('evil', 'ok_#'),
      'function public ok_#',
    ],
    [
      'an operator',
      `${SAME}; CREATE OPERATOR === (LEFTARG = text, RIGHTARG = text, FUNCTION = same_#);
       CREATE TABLE t_# (e text CHECK (e === 'a')); INSERT INTO t_# VALUES ('a')`,
      `${SAME}; CREATE OPERATOR === (LEFTARG = text, RIGHTARG = text, FUNCTION = same_#)`,
      'function public same_#',
      'operator public ===',
    ],
    [
      'a collation',
      `CREATE COLLATION cc_# FROM "C"; CREATE TABLE t_# (e text COLLATE cc_#)`,
      `CREATE COLLATION cc_# FROM "C"`,
      'collation public cc_#',
    ],
    [
      'a view that a policy reads',
      `CREATE VIEW seen_# AS SELECT 1 AS x; CREATE TABLE t_# (e text); ALTER TABLE t_# ENABLE ROW LEVEL SECURITY;
       CREATE POLICY own ON t_# USING (EXISTS (SELECT FROM seen_#))`,
      `CREATE VIEW seen_# AS SELECT 1 AS x WHERE evil('x')`,
      'relation public seen_#',
    ],
    [
      'a function that the planter added to an extension of its own',
      `${OK}; CREATE TABLE t_# (e text CHECK (ok_#(e))); INSERT INTO t_# VALUES ('a')`,
      `CREATE EXTENSION citext SCHEMA public; ${STEALS('text').replace('evil', 'ok_#')}; ALTER EXTENSION citext ADD FUNCTION ok_#(text)`,
      'function public ok_#',
    ],
    [
      'a domain of an array',
      `CREATE DOMAIN email_# AS text CHECK (VALUE LIKE '%@%'); CREATE TABLE t_# (e email_#[]); INSERT INTO t_# VALUES ('{a@b}')`,
      `CREATE DOMAIN email_# AS text CHECK (evil(VALUE))`,
      'type public email_#',
    ],
    [
      'a composite type with a domain of its own',
      `CREATE TYPE pair_# AS (e text); CREATE TABLE t_# (p pair_#); INSERT INTO t_# VALUES ('(a@b)')`,
      `CREATE DOMAIN other_# AS text CHECK (evil(VALUE)); CREATE TYPE pair_# AS (e other_#)`,
      'type public pair_#',
    ],
    [
      'a function of a default',
      `CREATE FUNCTION d_#() RETURNS text LANGUAGE sql AS $$ SELECT 'x' $$; CREATE TABLE t_# (e text DEFAULT d_#())`,
      `CREATE FUNCTION d_#() RETURNS text LANGUAGE sql AS $$ SELECT 'y' $$`,
      'function public d_#',
    ],
    [
      'an enum type, to which code can be added later',
      `CREATE TYPE mood_# AS ENUM ('a'); CREATE TABLE t_# (m mood_#); INSERT INTO t_# VALUES ('a')`,
      `CREATE TYPE mood_# AS ENUM ('a')`,
      'type public mood_#',
    ],
    [
      'a sequence that only a default names',
      `CREATE SEQUENCE ids_#; CREATE TABLE t_# (id int DEFAULT nextval('ids_#'))`,
      `CREATE SEQUENCE ids_#; GRANT ALL ON ids_# TO PUBLIC`,
      'relation public ids_#',
    ],
    [
      'a domain in a schema of its own',
      `CREATE SCHEMA types; CREATE DOMAIN types.email_# AS text; CREATE TABLE t_# (e types.email_#)`,
      `CREATE SCHEMA types; GRANT ALL ON SCHEMA types TO PUBLIC; CREATE DOMAIN types.email_# AS text`,
      'type types email_#',
    ],
  ];

  it('makes the dry run and the job fail before anything is created, for each kind of object', async () => {
    const numbered = (text: string, n: number) => text.replaceAll('#', String(n));
    const source = await harness.database(
      PLANTS.map(([, definition], n) => `${numbered(definition, n)};`).join(' '),
    );
    const target = await sharedTarget(
      `${STEALS('text')}; ${PLANTS.map(([, , planted], n) => `${numbered(planted, n)};`).join(' ')}`,
    );
    const tables = PLANTS.map((_, n) => `t_${n}`);
    const expected = PLANTS.map(([what, , , ...objects], n) => [
      what,
      ...objects.map((one) => numbered(one, n)),
    ]);
    const superuser = { url: target.url };
    for (const options of [{ dryRun: true }, {}, superuser]) {
      const found = refused(await run(source, target, { ...options, tables }), ['column_mismatch']);
      // An object that no table needs is under the last line.
      const rest = new Set(found);
      const ofTables = expected.map(([what = '', ...objects]) => [
        what,
        ...objects.filter((one) => rest.delete(one)),
      ]);
      expect([...ofTables, ...rest]).toEqual(expected);
    }
    await isUntouched(target, tables);
  });

  it('is reported with the table that needs it, and without names if the policy forbids them', async () => {
    const source = await harness.database(`${EMAIL}; CREATE TABLE t (e email_d)`);
    const target = await sharedTarget(`CREATE DOMAIN email_d AS text`);
    const { failure } = await run(source, target, { policy: { reportNames: false } });
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
    const steals = [0, 1, 2].map((n) => STEALS('text').replace('evil', `evil_${n}`)).join('; ');
    const domains = 'CREATE DOMAIN mail AS text; CREATE DOMAIN checked AS text;';
    const source = await harness.database(`${domains}
      CREATE TABLE t_0 (e mail); CREATE TABLE t_1 (e mail); CREATE TABLE t_2 (e checked);
      INSERT INTO t_0 VALUES ('a@b'); INSERT INTO t_1 VALUES ('a@b'); INSERT INTO t_2 VALUES ('a@b')`);
    const target = await sharedTarget(`${steals}; CREATE OPERATOR === (RIGHTARG = text, FUNCTION = evil_1)`);
    await target.query(`${domains} ALTER DOMAIN checked ADD CHECK (evil_2(VALUE));
      CREATE TABLE t_0 (e mail CHECK (evil_0(e))); CREATE TABLE t_1 (e mail CHECK (=== e::text)); CREATE TABLE t_2 (e checked)`);
    const tables = ['t_0', 't_1', 't_2'];
    for (const dryRun of [false, true])
      expect(refused(await run(source, target, { dryRun, tables }))).toEqual(
        [0, 1, 2].map((n) => `function public evil_${n}`),
      );
    expect(await rowsOf(target, 'loot')).toEqual([]);
    const shared = { policy: { allowSharedSchemas: true }, tables };
    expect((await run(source, target, shared)).failure).toBeUndefined();
  });

  it('is used if the policy allows shared schemas', async () => {
    const source = await harness.database(
      `${EMAIL}; CREATE TABLE t (e email_d); INSERT INTO t VALUES ('a@b')`,
    );
    const target = await sharedTarget(EMAIL);
    const { failure } = await run(source, target, { policy: { allowSharedSchemas: true } });
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
