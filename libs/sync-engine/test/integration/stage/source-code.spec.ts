import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { SyncJobCommand, SyncProblem } from '@understudy/sync-job';
import { asTarget, inRelease, it, type TestDatabase } from '@understudy/testing';
import { HARMLESS_EXTENSIONS } from '../../../src/plan/preflight/source-code.js';
import type { SyncEnvironment } from '../../../src/environment.js';
import type { Permission } from '../../../src/policy.js';
import { rowsOf, SyncHarness, TEST_LOG, type Outcome } from '../sync-harness.js';

let harness: SyncHarness;
beforeAll(async () => {
  harness = await SyncHarness.start();
});
afterEach(() => harness.dropAll());
afterAll(() => harness.stop());

/** Runs a job that creates the table `t` as a role that is no superuser. */
async function run(
  source: TestDatabase,
  target: TestDatabase,
  allowSourceCode: Permission,
  more: Partial<SyncJobCommand> = {},
  environment: Partial<SyncEnvironment> = {},
): Promise<Outcome> {
  const url = await asTarget(target);
  const command = harness.command(source.url, url, { t: {} }, more);
  return harness.run(command, { policy: harness.policy({ allowSourceCode }), ...environment });
}

/** Returns the kinds and names of the problems of a refused job. */
function refused({ failure, predicted }: Outcome): readonly string[] {
  const [predictedFailure] = predicted?.failures ?? [];
  const { code, problems = [] } = failure ?? predictedFailure ?? {};
  expect(code).toBe('source_code_refused');
  expect(new Set(problems.map((problem) => problem.code))).toEqual(new Set(['source_code_refused']));
  return namesOf(problems);
}

/** Returns the kinds and names of the objects, with `public` in place of the schema. */
function namesOf(problems: readonly SyncProblem[], schema = 'public'): readonly string[] {
  const asPublic = (name?: string) => (name === schema ? 'public' : name);
  return problems
    .map(({ object }) => [object?.kind, asPublic(object?.schema), object?.name].filter(Boolean).join(' '))
    .sort();
}

describe('a job without permission to create code of the source', () => {
  it('reports only the kinds of its objects if the policy forbids names', async () => {
    const source = await harness.database(`
      CREATE FUNCTION secret(int) RETURNS boolean LANGUAGE sql AS 'SELECT true';
      CREATE FUNCTION fill() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RETURN new; END';
      CREATE TABLE t (id int, CONSTRAINT hidden CHECK (secret(id)));
      CREATE TRIGGER filled BEFORE INSERT ON t FOR EACH ROW EXECUTE FUNCTION fill()`);
    const command = harness.command(source.url, await asTarget(await harness.database()), { t: {} });
    const policy = harness.policy({ allowSourceCode: false, reportNames: false });
    for (const dryRun of [false, true]) {
      const { failure, predicted } = await harness.run({ ...command, dryRun }, { policy });
      const { problems = [] } = failure ?? predicted?.failures[0] ?? {};
      const refused = { code: 'source_code_refused', side: 'source', tableIndex: 0 };
      const kinds = ['constraint', 'function', 'function', 'trigger'];
      expect(problems.toSorted((a, b) => (a.object?.kind ?? '').localeCompare(b.object?.kind ?? ''))).toEqual(
        kinds.map((kind) => ({ ...refused, object: { kind } })),
      );
    }
  });

  it('does not run a function of the source that deletes rows of another table', async () => {
    const source = await harness.database(`
      CREATE FUNCTION ok(x int) RETURNS boolean LANGUAGE plpgsql VOLATILE AS $$ BEGIN
        IF to_regclass('public.bystander') IS NOT NULL THEN DELETE FROM public.bystander; END IF; RETURN true; END $$;
      CREATE TABLE t (id int PRIMARY KEY CHECK (ok(id)), v text); INSERT INTO t VALUES (1, 'a')`);
    const target = await harness.database(
      'CREATE TABLE bystander (id int); INSERT INTO bystander SELECT generate_series(1, 10)',
    );
    expect(refused(await run(source, target, false))).toEqual([
      'constraint t_id_check',
      'function public ok',
    ]);
    const dry = await run(source, target, false, { dryRun: true });
    expect(refused(dry)).toEqual(['constraint t_id_check', 'function public ok']);
    expect(await rowsOf(target, 'bystander')).toHaveLength(10);
    await target.query('CREATE FUNCTION ok(x int) RETURNS boolean LANGUAGE sql AS $$ SELECT true $$');
    expect(refused(await run(source, target, false))).toEqual([
      'constraint t_id_check',
      'function public ok',
    ]);
  });

  const f = `CREATE FUNCTION f(x int) RETURNS int IMMUTABLE LANGUAGE plpgsql AS 'BEGIN RETURN x; END';`;
  const boolean = `CREATE FUNCTION ok(x int) RETURNS boolean IMMUTABLE LANGUAGE plpgsql AS 'BEGIN RETURN true; END';`;
  const notes = `CREATE FUNCTION note() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RETURN NEW; END';`;
  const cases: readonly (readonly [what: string, definition: string, expected: readonly string[]])[] = [
    [
      'a function that is named like one of an extension',
      `CREATE FUNCTION similarity(a text, b text) RETURNS real LANGUAGE plpgsql AS 'BEGIN RETURN 1; END';
      CREATE TABLE t (id text CHECK (similarity(id, 'x') > 0))`,
      ['constraint t_id_check', 'function public similarity'],
    ],
    [
      'a trigger',
      `${notes} CREATE TABLE t (id int); CREATE TRIGGER noted BEFORE INSERT ON t FOR EACH ROW EXECUTE FUNCTION note()`,
      ['function public note', 'trigger noted'],
    ],
    [
      'a rule without a function',
      'CREATE TABLE t (id int); CREATE RULE also AS ON INSERT TO t DO ALSO NOTIFY x',
      ['rule also'],
    ],
    ['a default', `${f} CREATE TABLE t (id int DEFAULT f(1))`, ['default id', 'function public f']],
    [
      'a generated column',
      `${f} CREATE TABLE t (id int, twice int GENERATED ALWAYS AS (f(id)) STORED)`,
      ['function public f', 'generated_column twice'],
    ],
    [
      'an index on an expression',
      `${f} CREATE TABLE t (id int); CREATE INDEX by_f ON t (f(id))`,
      ['function public f', 'index public by_f'],
    ],
    [
      'an index with a condition',
      `${boolean} CREATE TABLE t (id int); CREATE INDEX partly ON t (id) WHERE ok(id)`,
      ['function public ok', 'index public partly'],
    ],
    [
      'an index with an operator class',
      `CREATE FUNCTION cmp(a int, b int) RETURNS int IMMUTABLE LANGUAGE plpgsql AS 'BEGIN RETURN 0; END';
      CREATE OPERATOR CLASS odd FOR TYPE int USING btree AS OPERATOR 1 <, OPERATOR 2 <=, OPERATOR 3 =, OPERATOR 4 >=, OPERATOR 5 >, FUNCTION 1 cmp(int, int);
      CREATE TABLE t (id int); CREATE INDEX odd_order ON t (id odd)`,
      ['index public odd_order', 'operator_class public odd'],
    ],
    [
      'an operator',
      `${f} CREATE FUNCTION same(a int, b int) RETURNS boolean LANGUAGE plpgsql AS 'BEGIN RETURN true; END';
      CREATE OPERATOR === (LEFTARG = int, RIGHTARG = int, FUNCTION = same); CREATE TABLE t (id int CHECK (id === 1))`,
      ['constraint t_id_check', 'function public same'],
    ],
    [
      'a policy',
      `${boolean} CREATE TABLE t (id int); ALTER TABLE t ENABLE ROW LEVEL SECURITY; CREATE POLICY own ON t USING (ok(id))`,
      ['function public ok', 'policy own'],
    ],
    [
      'a domain',
      `${boolean} CREATE DOMAIN small AS int CHECK (ok(VALUE)); CREATE TABLE t (id small)`,
      ['function public ok', 'relation public t', 'type public small'],
    ],
    ...[
      "query_to_xml('DELETE FROM x', true, true, '') IS NOT NULL",
      "setval(('s' || id)::regclass, 1) > 0",
      "domain_in('5'::cstring, to_regtype('planted')::oid, -1) IS NULL",
      "range_in('[1,2)'::cstring, to_regtype('planted')::oid, -1) IS NULL",
    ].map((condition): [string, string, string[]] => [
      `a CHECK with only PostgreSQL's ${condition.split('(')[0] ?? ''}`,
      `CREATE TABLE t (id int CONSTRAINT runs CHECK (id = 0 OR ${condition}))`,
      ['constraint runs'],
    ]),
    [
      'a policy, a trigger or a default with only functions of PostgreSQL',
      `CREATE TABLE t (id int DEFAULT lo_unlink(4242), other name DEFAULT set_config('role', 'none', false));
       ALTER TABLE t ENABLE ROW LEVEL SECURITY; CREATE POLICY own ON t USING (table_to_xml('t', true, true, '') IS NOT NULL);
       CREATE TRIGGER early BEFORE INSERT ON t FOR EACH ROW WHEN (pg_advisory_xact_lock(7) IS NULL) EXECUTE FUNCTION suppress_redundant_updates_trigger()`,
      ['default id', 'default other', 'policy own', 'trigger early'],
    ],
    [
      'a domain with only a function of PostgreSQL',
      `CREATE DOMAIN small AS int CONSTRAINT sleeps CHECK (pg_sleep(0) IS NOT NULL); CREATE TABLE t (id small)`,
      ['constraint sleeps', 'relation public t', 'type public small'],
    ],
    [
      'a table with operators that call functions of PostgreSQL',
      `CREATE OPERATOR !! (RIGHTARG = oid, FUNCTION = pg_catalog.lo_create); CREATE OPERATOR <~> (LEFTARG = tsquery, RIGHTARG = text, FUNCTION = pg_catalog.ts_rewrite);
       CREATE DOMAIN made AS oid DEFAULT !! 0::oid; CREATE DOMAIN small AS oid CONSTRAINT makes CHECK (!! 0::oid > 0::oid);
       CREATE TABLE t (id small, lo oid DEFAULT !! 0::oid, q tsquery DEFAULT 'a'::tsquery <~> 'SELECT', m made, CONSTRAINT runs CHECK (!! lo > 0::oid));
       ALTER TABLE t ENABLE ROW LEVEL SECURITY; CREATE POLICY own ON t USING ((SELECT max(!! v) FROM unnest(ARRAY[1::oid]) v) > 0::oid);
       CREATE TRIGGER early BEFORE UPDATE ON t FOR EACH ROW WHEN (!! 0::oid IS NOT NULL) EXECUTE FUNCTION suppress_redundant_updates_trigger();
       CREATE STATISTICS s ON (!! lo), q FROM t; CREATE STATISTICS s2 ON (lo_unlink(lo)), q FROM t`,
      [
        'constraint runs',
        'default lo',
        'default q',
        'other public !!',
        'other public <~>',
        'other public s',
        'other public s2',
        'policy own',
        'relation public t',
        'trigger early',
        'type public made',
        'type public small',
      ],
    ],
    [
      'a domain inside a composite type',
      `${boolean} CREATE DOMAIN small AS int CHECK (ok(VALUE)); CREATE TYPE pair AS (a small[]); CREATE TABLE t (id pair)`,
      [
        'function public ok',
        'relation public t',
        'type public _small',
        'type public pair',
        'type public small',
      ],
    ],
    [
      'a range type',
      `CREATE FUNCTION diff(a int, b int) RETURNS float8 IMMUTABLE LANGUAGE plpgsql AS 'BEGIN RETURN 1; END';
      CREATE TYPE span AS RANGE (subtype = int, subtype_diff = diff); CREATE TABLE t (id span)`,
      ['function public diff', 'relation public t', 'type public span'],
    ],
    [
      'a partition key',
      `${f} CREATE TABLE t (id int) PARTITION BY RANGE (f(id))`,
      ['function public f', 'relation public t'],
    ],
    [
      'a partition',
      `${boolean} CREATE TABLE t (id int) PARTITION BY RANGE (id); CREATE TABLE t1 PARTITION OF t (CHECK (ok(id))) FOR VALUES FROM (0) TO (9)`,
      ['constraint t1_id_check', 'function public ok'],
    ],
    [
      'extended statistics',
      `${f} CREATE TABLE t (id int, n int); CREATE STATISTICS s ON (f(id)), n FROM t`,
      ['function public f', 'other public s'],
    ],
  ];
  it('is refused with each part of a table that calls code, and with the code', async () => {
    // Each case has a schema. The first case has the schema of the extension.
    const schemas = cases.map((_, index) => (index === 0 ? 'public' : `case_${index}`));
    const source = await harness.database();
    for (const [index, schema] of schemas.entries())
      await source.query(
        `CREATE SCHEMA IF NOT EXISTS ${schema}; SET search_path = ${schema}; ${cases[index]?.[1] ?? ''}; RESET search_path`,
      );
    const target = await asTarget(await harness.database('CREATE EXTENSION pg_trgm'));
    const tables = Object.fromEntries(schemas.map((schema) => [`${schema}.t`, {}]));
    const { failure } = await harness.run(harness.command(source.url, target, tables), {
      policy: harness.policy({ allowSourceCode: false }),
    });
    expect(failure?.code).toBe('source_code_refused');
    const found = cases.map(([what], tableIndex) => {
      const problems = failure?.problems?.filter((problem) => problem.tableIndex === tableIndex) ?? [];
      return [what, namesOf(problems, schemas[tableIndex])];
    });
    expect(found).toEqual(cases.map(([what, , expected]) => [what, expected]));
    expect(failure?.problems).toHaveLength(cases.flatMap(([, , expected]) => expected).length);
  });

  it.each([
    ['before the copy', 'text'],
    ['in the switch', 'span'],
  ])('creates types and calls of functions of PostgreSQL %s', async (_, type) => {
    const source = await harness.database(`
      CREATE TYPE span AS RANGE (subtype = text);
      CREATE TYPE mood AS ENUM ('sad'); CREATE TYPE pair AS (a int, b mood); CREATE DOMAIN small AS int CHECK (abs(VALUE) < 100);
      CREATE TABLE t (id int PRIMARY KEY DEFAULT floor(random()), m mood, p pair, s small CHECK (s <> 13),
        name text COLLATE "C" CHECK (lower(name) = name), up text GENERATED ALWAYS AS (upper(name)) STORED, seen tsvector, r ${type});
      CREATE INDEX ON t (lower(name)) WHERE id > 0;
      CREATE TRIGGER search BEFORE INSERT ON t FOR EACH ROW EXECUTE FUNCTION tsvector_update_trigger('seen', 'pg_catalog.english', 'name');
      ALTER TABLE t ENABLE ROW LEVEL SECURITY; CREATE POLICY own ON t USING (name = current_user);
      INSERT INTO t VALUES (1, 'sad', (1, 'sad'), 1, 'ann')`);
    const target = await harness.database();
    const { failure } = await run(source, target, false);
    expect(failure).toBeUndefined();
    expect(await rowsOf(target, 't')).toHaveLength(1);
  });

  it('decides by the catalogs of the target what is code, because the source can change its own', async () => {
    const source = await harness.database(`
      ALTER FUNCTION pg_catalog.lo_create(oid) IMMUTABLE;
      CREATE FUNCTION purge() RETURNS int IMMUTABLE LANGUAGE plpgsql AS 'BEGIN RETURN 1; END';
      CREATE OPERATOR !! (RIGHTARG = oid, FUNCTION = pg_catalog.lo_create);
      CREATE TABLE t (id int, CONSTRAINT creates CHECK (id = 0 OR lo_create(id::oid) > 0::oid),
        CONSTRAINT operates CHECK (id = 0 OR !! id::oid > 0::oid), CONSTRAINT purges CHECK (id = 0 OR purge() > 0));
      CREATE STATISTICS s ON (lo_create(id::oid)), id FROM t;
      CREATE FUNCTION purge_row() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RETURN new; END';
      CREATE TRIGGER purged BEFORE INSERT ON t FOR EACH ROW EXECUTE FUNCTION purge_row();
      INSERT INTO t VALUES (0);
      DELETE FROM pg_catalog.pg_depend WHERE refobjid IN ('purge()'::regprocedure, 'purge_row()'::regprocedure)`);
    const target = await harness.database(`
      CREATE TABLE bystander (id int); INSERT INTO bystander VALUES (1);
      CREATE FUNCTION purge() RETURNS int LANGUAGE plpgsql AS 'BEGIN DELETE FROM public.bystander; RETURN 1; END';
      CREATE FUNCTION purge_row() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN DELETE FROM public.bystander; RETURN new; END'`);
    const expected = ['constraint creates', 'constraint operates', 'constraint purges'];
    for (const more of [{}, { dryRun: true }, { sourceCode: 'omit' } as const])
      expect(refused(await run(source, target, false, more))).toEqual([
        ...expected,
        'function public purge',
        'other public !!',
      ]);
    await source.query(
      'ALTER TABLE t DROP CONSTRAINT creates, DROP CONSTRAINT operates, DROP CONSTRAINT purges',
    );
    for (const more of [{}, { dryRun: true }]) {
      const reached: string[] = [];
      const outcome = await run(source, target, false, more, {
        reached: (step) => void reached.push(step),
      });
      expect(refused(outcome)).toEqual(['function public purge_row', 'other public s', 'trigger purged']);
      expect(reached).not.toContain('chunk_committed');
    }
    expect(await rowsOf(target, 'bystander')).toHaveLength(1);
    expect((await target.query("SELECT to_regclass('t') AS t")).rows).toEqual([{ t: null }]);
  });

  it('calls each function of a few extensions, and of others only those that compute a value', async () => {
    const extensions = ['btree_gist', 'cube', 'hstore', 'moddatetime', 'pg_trgm', 'pgcrypto', 'uuid-ossp']
      .concat(['autoinc', 'pg_prewarm'])
      .map((name) => `CREATE EXTENSION "${name}";`)
      .join(' ');
    const source = await harness.database(`${extensions}
      CREATE TABLE t (id uuid PRIMARY KEY DEFAULT uuid_generate_v4(), seen timestamp, name text CHECK (name % 'ann' OR name <> ''),
        tags hstore CHECK (NOT tags ? 'x'), salt text DEFAULT gen_salt('md5'), n int, place cube CHECK (cube_dim(place) < 9),
        EXCLUDE USING gist (n WITH =, place WITH &&));
      CREATE INDEX ON t USING gin (name gin_trgm_ops);
      CREATE TRIGGER moved BEFORE UPDATE ON t FOR EACH ROW EXECUTE FUNCTION moddatetime(seen);
      INSERT INTO t (name) VALUES ('ann')`);
    const target = await harness.database(extensions);
    expect((await run(source, target, false)).failure).toBeUndefined();
    await source.query(`
      CREATE TRIGGER counted BEFORE INSERT ON t FOR EACH ROW EXECUTE FUNCTION autoinc(n, other);
      ALTER TABLE t ADD CONSTRAINT warms CHECK (n IS NULL OR pg_prewarm('t') > 0)`);
    await target.query('DROP TABLE t');
    expect(refused(await run(source, target, false))).toEqual([
      'constraint warms',
      'function public autoinc',
      'function public pg_prewarm',
      'trigger counted',
    ]);
  });

  it('allows all functions of the extensions that the guide names', () => {
    const guide = readFileSync(
      join(import.meta.dirname, '../../../../../docs/guides/run-an-agent.md'),
      'utf8',
    );
    const [, list = ''] = /All functions of ([^.]*) are allowed\./.exec(guide) ?? [];
    expect([...list.matchAll(/`([^`]+)`/g)].map(([, name]) => name)).toEqual([...HARMLESS_EXTENSIONS].sort());
  });

  inRelease('allows only functions of these extensions that run no SQL', async () => {
    const database = await harness.database();
    const { rows: available } = await database.query(
      'SELECT name FROM pg_available_extensions WHERE name = ANY ($1)',
      [[...HARMLESS_EXTENSIONS]],
    );
    expect(available).toHaveLength(HARMLESS_EXTENSIONS.size);
    for (const name of HARMLESS_EXTENSIONS) await database.query(`CREATE EXTENSION "${name}"`);
    const { rows: functions } = await database.query(`
      SELECT p.proname AS name, p.probin AS library, l.lanname IN ('c', 'internal') OR p.provolatile = 'i' AS harmless
        FROM pg_proc p JOIN pg_language l ON l.oid = p.prolang
        JOIN pg_depend d ON d.classid = 'pg_proc'::regclass AND d.objid = p.oid AND d.deptype = 'e'
        JOIN pg_extension e ON e.oid = d.refobjid AND d.refclassid = 'pg_extension'::regclass AND e.extname <> 'plpgsql'`);
    expect(functions.filter(({ harmless }) => harmless !== true)).toEqual([]);
    const { rows: folders } = await database.query("SELECT setting FROM pg_config WHERE name = 'PKGLIBDIR'");
    const libraries = new Set(functions.flatMap(({ library }) => (library === null ? [] : String(library))));
    expect(libraries.size).toBe(HARMLESS_EXTENSIONS.size);
    for (const library of libraries) {
      const file = library.replace('$libdir', String(folders[0]?.['setting']));
      expect([library, readFileSync(`${file}.so`, 'latin1').includes('SPI_connect')]).toEqual([
        library,
        false,
      ]);
    }
  });

  it('does not call functions of extensions that run SQL or delete large objects', async () => {
    const extensions = 'CREATE EXTENSION lo; CREATE EXTENSION refint;';
    const source = await harness.database(`${extensions} CREATE TABLE t (id int, image lo);
      CREATE TRIGGER unlinked BEFORE DELETE ON t FOR EACH ROW EXECUTE FUNCTION lo_manage(image);
      CREATE TRIGGER checked BEFORE DELETE ON t FOR EACH ROW EXECUTE FUNCTION check_foreign_key(1, 'cascade', 'id', 'u', 'id')`);
    expect(refused(await run(source, await harness.database(extensions), false))).toEqual([
      'function public check_foreign_key',
      'function public lo_manage',
      'trigger checked',
      'trigger unlinked',
    ]);
  });

  it('calls functions of an extension only if the target has the extension', async () => {
    const definition = `CREATE EXTENSION citext; CREATE TABLE t (id citext PRIMARY KEY CHECK (id <> 'x')); INSERT INTO t VALUES ('A')`;
    const source = await harness.database(definition);
    const lacking = refused(await run(source, await harness.database(), false));
    expect(lacking).toEqual([
      'constraint t_id_check',
      'extension citext',
      'index public t_pkey',
      'relation public t',
    ]);
    const target = await harness.database('CREATE EXTENSION citext');
    expect((await run(source, target, false)).failure).toBeUndefined();
    await source.query(`
      CREATE FUNCTION evil(x citext) RETURNS boolean LANGUAGE plpgsql AS 'BEGIN RETURN true; END';
      ALTER EXTENSION citext ADD FUNCTION evil(citext); ALTER TABLE t ADD CHECK (evil(id))`);
    const other = await harness.database(`CREATE EXTENSION citext;
      CREATE FUNCTION evil(x citext) RETURNS boolean LANGUAGE plpgsql AS 'BEGIN RETURN true; END'`);
    expect(refused(await run(source, other, false))).toEqual([
      'constraint t_id_check1',
      'function public evil',
    ]);
  });
});

it('creates code of the source if the policy allows it, and names all of it for the command line', async () => {
  const source = await harness.database(`
    CREATE FUNCTION ok(x int) RETURNS boolean LANGUAGE plpgsql AS 'BEGIN RETURN x > 0; END';
    CREATE TABLE t (id int PRIMARY KEY CHECK (ok(id))); INSERT INTO t VALUES (1)`);
  expect((await run(source, await harness.database(), true)).failure).toBeUndefined();
  const logged: string[] = [];
  const log = { ...TEST_LOG, warn: (_: object, message: string) => void logged.push(message) };
  const target = await harness.database();
  for (const dryRun of [true, false]) await run(source, target, 'report', { dryRun }, { log });
  const text =
    'creates on the target code of the source: CHECK constraint t_id_check on public.t, function public.ok(integer)';
  expect(logged).toEqual([text, text]);
  await expect(target.query('INSERT INTO t VALUES (-1)')).rejects.toMatchObject({ code: '23514' });
});
