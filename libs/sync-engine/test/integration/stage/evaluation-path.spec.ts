import { connect, disconnect, parseConnectionUrl } from '@understudy/postgres';
import { failureError, namesOf } from '@understudy/sync-job';
import { casesOf, inBoth, it, postgresVersions, type TestDatabase } from '@understudy/testing';
import { rowsOf, SyncHarness } from '../sync-harness.js';

const setPath = (path: string) =>
  `DO $$BEGIN EXECUTE format('ALTER DATABASE %I SET search_path = ${path}', current_database()); END$$;`;

const BUILDS_WITH_OWN_PATH = postgresVersions().target >= 17;

// Each function finds the next one only through the search path.
const FUNCTIONS = `
  CREATE FUNCTION app.indexed(t text) RETURNS text LANGUAGE plpgsql IMMUTABLE STRICT
    SET search_path = app, "Words, all", pg_temp AS 'BEGIN RETURN only_letters(lower(t)); END';
  CREATE FUNCTION app.squash(t text) RETURNS text LANGUAGE plpgsql IMMUTABLE STRICT AS 'BEGIN RETURN only_letters(lower(t)); END';
  CREATE FUNCTION app.only_letters(t text) RETURNS text LANGUAGE sql IMMUTABLE STRICT AS $$ SELECT regexp_replace(t, '[^a-z]', '', 'g') $$;
`;
const ITEM = `
  CREATE TABLE app.item (id int PRIMARY KEY, label text CHECK (app.squash(label) <> '') CHECK (app.only_letters(label) <> ''),
                         slug text GENERATED ALWAYS AS (app.squash(label)) STORED);
  CREATE INDEX item_squash ON app.item (${BUILDS_WITH_OWN_PATH ? 'app.indexed' : 'app.squash'}(label));
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
      policy: harness.policy(policy),
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
    const planted = (schema: string) => `
      CREATE SCHEMA ${schema}; CREATE SEQUENCE public.calls_of_${schema};
      CREATE FUNCTION ${schema}.only_letters(t text) RETURNS text LANGUAGE sql IMMUTABLE STRICT AS $$ SELECT t || nextval('public.calls_of_${schema}') $$;`;
    const called = async (target: TestDatabase) =>
      (
        await target.query(
          "SELECT sequencename::text AS name FROM pg_sequences WHERE sequencename LIKE 'calls%' AND last_value IS NOT NULL",
        )
      ).rows.map(({ name }) => name);
    const roles = `DROP ROLE IF EXISTS path_member; DROP ROLE IF EXISTS path_group; CREATE ROLE path_group; CREATE ROLE path_member NOINHERIT;`;

    it('through PUBLIC, a role, the members of a role, or the members of the role of the owner', async () => {
      const source = await harness.database(`${shop} ${ROWS}`);
      const schemas = ['of_public', 'of_role', 'of_members', 'of_owner'];
      const target = await harness.targetDatabase(`${shop} ${schemas.map(planted).join('')} ${roles}
        GRANT path_group TO path_member;
        GRANT CREATE ON SCHEMA of_public TO PUBLIC; GRANT CREATE ON SCHEMA of_role TO path_member;
        GRANT CREATE ON SCHEMA of_members TO path_group; ALTER SCHEMA of_owner OWNER TO path_group;
        ${setPath([...schemas, 'app'].join(', '))}`);
      expect((await run(source, target)).failure).toBeUndefined();
      expect(await called(target)).toEqual([]);
      // The generated column gets other values, because a planted function comes first on the path.
      await run(source, target, {}, { allowSharedSchemas: true });
      expect(await called(target)).toEqual(['calls_of_of_public']);
    });

    it('but not for the owner of a schema, a superuser or a member of the role of the job', async () => {
      const source = await harness.database(`${shop} ${ROWS}`);
      const target =
        await harness.targetDatabase(`${shop} ${planted('shared')} ${setPath('shared, app')} ${roles}
        CREATE ROLE path_super SUPERUSER; GRANT CREATE ON SCHEMA shared TO path_super; ALTER SCHEMA shared OWNER TO path_group;
        DO $$BEGIN EXECUTE format('GRANT %I TO path_member; GRANT CREATE ON SCHEMA shared TO path_member', current_user); END$$;
        DROP OWNED BY path_super; DROP ROLE path_super`);
      await run(source, target);
      expect(await called(target)).toEqual(['calls_of_shared']);
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

  const FUNCTIONS_OF_TABLES = [
    ['sets a path', 'SET search_path = app', 'only_letters', ''],
    [
      'sets a path, in an existing schema',
      'SET search_path = app',
      'only_letters',
      `CREATE SCHEMA app; ${setPath('app')}`,
    ],
    ['names the schema', '', 'app.only_letters', ''],
    ['names the schema, which exists', '', 'app.only_letters', `CREATE SCHEMA app; ${setPath('app')}`],
  ] as const;
  inBoth.each(casesOf(FUNCTIONS_OF_TABLES, 1))(
    'is not needed by a function of a created table that %s',
    async (_, setting, name, existing) => {
      const schema = `CREATE SCHEMA app; SET search_path = app;
      CREATE FUNCTION app.only_letters(t text) RETURNS text LANGUAGE sql IMMUTABLE STRICT AS $$ SELECT regexp_replace(t, '[^a-z]', '', 'g') $$;
      CREATE FUNCTION app.own(t text) RETURNS text LANGUAGE plpgsql IMMUTABLE STRICT ${setting} AS 'BEGIN RETURN ${name}(lower(t)); END';
      CREATE TABLE app.word (word text PRIMARY KEY); INSERT INTO app.word SELECT 'Label No ' || n FROM generate_series(1, 20) AS n;
      CREATE TABLE app.item (id int PRIMARY KEY, label text REFERENCES app.word CHECK (app.own(label) <> '') CHECK (app.only_letters(label) <> ''), slug text GENERATED ALWAYS AS (app.own(label)) STORED);
      CREATE INDEX item_own ON app.item (app.own(label)); ${ROWS}`;
      const source = await harness.database(schema);
      const target = await harness.targetDatabase(existing);
      const tables = {
        'app.item': {},
        'app.word': { word: { generator: 'en_US/first_names', unique: true } },
      };
      const command = harness.command(source.url, target.url, tables, { unlistedColumns: 'preserve' });
      const { predicted } = await harness.run({ ...command, dryRun: true });
      expect([predicted?.failures, predicted?.warnings]).toEqual([
        [],
        expect.not.arrayContaining([{ code: 'definition_not_tried', tableIndex: 0 }]),
      ]);
      const { failure, completed } = await harness.run(command);
      expect(failure).toBeUndefined();
      expect(completed?.verification.checks.filter(({ ok }) => !ok)).toEqual([]);
      expect(await rowsOf(target, 'app.item')).toHaveLength(20);
      const { rows } = await target.query(
        "SELECT count(*)::int AS n FROM pg_indexes WHERE schemaname = 'app'",
      );
      expect(rows).toEqual([{ n: 3 }]);
    },
  );

  describe('if a function finds no object on it', () => {
    const squash = { kind: 'function', schema: 'app', name: 'squash' };
    const unresolved = { code: 'function_unresolved', side: 'target', tableIndex: 0 };
    const facts = `SELECT array_agg(c.oid::text || relname || relfilenode || pg_stat_get_tuples_inserted(c.oid) ORDER BY c.oid)::text AS tables,
                          (SELECT array_agg(nspname::text ORDER BY oid) FROM pg_namespace WHERE nspname !~ '^pg_(toast_)?temp_')::text AS schemas,
                          (SELECT array_agg(sequencename || coalesce(last_value, 0))::text FROM pg_sequences) AS sequences
                     FROM pg_class c WHERE relnamespace::regnamespace::text !~ '^pg_'`;

    async function predictAndRun(source: TestDatabase, target: TestDatabase, tables = { 'app.item': {} }) {
      const command = harness.command(source.url, target.url, tables);
      const before = (await target.query(facts)).rows;
      const { predicted } = await harness.run({ ...command, dryRun: true });
      expect((await target.query(facts)).rows).toEqual(before);
      const { failure, progress } = await harness.run(command);
      expect(progress.flat().every(({ rowsProcessed }) => rowsProcessed === 0)).toBe(true);
      expect((await target.query(facts)).rows).toEqual(before);
      return { predicted, failure };
    }

    const CALLERS = [
      [
        'a CHECK',
        'CREATE TABLE app.item (id int PRIMARY KEY, label text CHECK (app.squash(label) IS NOT NULL))',
      ],
      [
        'an index',
        'CREATE TABLE app.item (id int, label text); CREATE INDEX ON app.item (id) WHERE app.squash(label) IS NOT NULL',
      ],
      [
        'a generated column',
        'CREATE TABLE app.item (id int, label text, slug text GENERATED ALWAYS AS (app.squash(label)) STORED)',
      ],
      [
        'a domain',
        "CREATE DOMAIN app.word AS text CHECK (app.squash(VALUE) <> ''); CREATE TABLE app.item (id int, label app.word)",
      ],
      [
        'a partition key',
        'CREATE TABLE app.item (id int, label text) PARTITION BY LIST ((app.squash(label))); CREATE TABLE app.others PARTITION OF app.item DEFAULT',
      ],
      [
        'a partition',
        "CREATE TABLE app.item (id int, label text) PARTITION BY RANGE (id); CREATE TABLE app.some PARTITION OF app.item DEFAULT; ALTER TABLE app.some ADD CHECK (app.squash(label) <> '')",
      ],
    ] as const;
    inBoth.each(casesOf(CALLERS, 1))(
      'a dry run and the run name the function that %s calls, before a row is copied',
      async (_, sql) => {
        const schema = `CREATE SCHEMA app; SET search_path = app; ${FUNCTIONS}`;
        const source = await harness.database(`${schema} ${sql}; ${ROWS}`);
        const problems = [{ ...unresolved, object: squash }];
        const expected = { ...unresolved, sqlstate: '42883', problems, problemCount: 1 };
        const missing = await harness.targetDatabase(setPath('pg_catalog'));
        const { predicted, failure } = await predictAndRun(source, missing);
        expect([predicted?.failures, failure]).toEqual([[expected], expected]);
        // The next test has a dry run for a table that exists.
        const existing = await harness.targetDatabase(`${schema} ${setPath('pg_catalog')} ${sql}`);
        const command = harness.command(source.url, existing.url, { 'app.item': {} });
        expect((await harness.run(command)).failure).toEqual(expected);
      },
    );

    it('which is that of the server if PostgreSQL 17 builds an index, a dry run and the run name the function', async () => {
      const indexed = `${shop}; CREATE INDEX squashed ON app.item (app.squash(label));`;
      const source = await harness.database(`${indexed} ${ROWS}`);
      const problems = [{ ...unresolved, object: squash }];
      const expected = { ...unresolved, sqlstate: '42883', problems, problemCount: 1 };
      for (const isMissing of [false, true]) {
        const target = await harness.targetDatabase((isMissing ? '' : indexed) + setPath('app'));
        if (BUILDS_WITH_OWN_PATH) {
          const { predicted, failure } = await predictAndRun(source, target);
          expect([predicted?.failures, failure]).toEqual([[expected], expected]);
          await (isMissing ? source : target).query('ALTER FUNCTION app.squash SET search_path = app');
        }
        expect((await run(source, target)).failure).toBeUndefined();
      }
    });

    it('the message has the statement that gives the function a path', async () => {
      const source = await harness.database(`${shop} ${ROWS}`);
      const target = await harness.targetDatabase(`${shop} ${setPath('pg_catalog')}`);
      const { failure } = await predictAndRun(source, target);
      if (failure === undefined) throw new Error('expected a failure');
      const { message } = failureError(failure, namesOf({ tables: [{ name: 'app.item', columns: [] }] }));
      const [statement] = /ALTER FUNCTION .* SET search_path = "app", pg_temp/.exec(message) ?? [];
      expect(statement).toContain('"app"."squash"');
      await target.query(String(statement));
      expect((await run(source, target)).failure).toBeUndefined();
    });
  });

  describe('a definition that the target refuses', () => {
    const cases = [
      [
        'a function with a body that names an unlisted table',
        'CREATE TABLE team (id int); CREATE FUNCTION teams() RETURNS bigint LANGUAGE sql STABLE BEGIN ATOMIC SELECT count(*) FROM team; END; CREATE TABLE quota (id int, n bigint DEFAULT teams())',
        {
          object: { kind: 'relation', schema: 'public', name: 'team' },
          creating: { kind: 'function', schema: 'public', name: 'teams' },
        },
      ],
      [
        'a policy that names an unlisted table',
        'CREATE TABLE "a member" (id int); CREATE TABLE quota (id int); CREATE POLICY "only members" ON quota USING (EXISTS (SELECT FROM "a member" m WHERE m.id = quota.id))',
        { tableIndex: 0, object: { kind: 'relation', schema: 'public', name: 'a member' } },
      ],
      [
        'an extension that the target has in another schema',
        'CREATE SCHEMA extensions; CREATE EXTENSION citext SCHEMA extensions; CREATE TABLE quota (id int, login extensions.citext)',
        { tableIndex: 0, object: { kind: 'type', schema: 'extensions', name: 'citext' } },
        'CREATE EXTENSION citext',
      ],
    ] as const;

    it.each(cases)(
      'is named by a dry run and by the run: %s',
      async (_, sql, named, onTarget: string = '') => {
        const source = await harness.database(sql);
        const target = await harness.targetDatabase(onTarget);
        const command = harness.command(source.url, target.url, { quota: {} });
        const { predicted } = await harness.run({ ...command, dryRun: true });
        expect(predicted?.failures).toMatchObject([
          { code: 'create_failed', side: 'target', problems: [named] },
        ]);
        expect((await harness.run(command)).failure).toEqual(predicted?.failures[0]);
      },
    );

    it('is not tried for longer than the limit, and a dry run reports that', async () => {
      const source = await harness.database(
        'CREATE TABLE parent (id int PRIMARY KEY); CREATE TABLE quota (id int REFERENCES parent)',
      );
      const target = await harness.targetDatabase('CREATE TABLE parent (id int PRIMARY KEY)');
      const command = harness.command(source.url, target.url, { quota: {} }, { dryRun: true });
      const { copy } = harness.environment();
      const holder = await connect(parseConnectionUrl(target.url), 'target');
      await holder.query('BEGIN; LOCK TABLE public.parent IN ROW EXCLUSIVE MODE');
      const { predicted } = await harness.run(command, { copy: { ...copy, rehearsalMs: 300 } });
      await disconnect(holder);
      expect(predicted?.failures).toEqual([]);
      expect(predicted?.warnings).toContainEqual({ code: 'definition_not_tried', tableIndex: 0 });
    });

    it('is reported for each table if the time limit is over, up to 100 tables, and the others are counted', async () => {
      const tables = Array.from({ length: 103 }, (_, i) => `t${i}`);
      const source = await harness.database(tables.map((name) => `CREATE TABLE ${name} (id int)`).join('; '));
      const target = await harness.targetDatabase();
      const listed = Object.fromEntries(tables.map((name) => [name, {}]));
      const command = harness.command(source.url, target.url, listed, { dryRun: true });
      const { copy } = harness.environment();
      const { predicted } = await harness.run(command, { copy: { ...copy, rehearsalMs: 1 } });
      expect(predicted?.failures).toEqual([]);
      const code = 'definition_not_tried';
      expect(predicted?.warnings.filter((warning) => warning.code === code)).toEqual([
        ...tables.slice(0, 100).map((_, tableIndex) => ({ code, tableIndex })),
        { code, count: 3 },
      ]);
    });
  });
});
