import { Client } from 'pg';
import { FUNCTIONS_EVALUATED, partitionTree, TABLES_THAT_CALL_FUNCTIONS } from '@understudy/postgres';
import { asSource, asTarget, casesOf, inBoth, it, type TestDatabase } from '@understudy/testing';
import { TABLE_SHAPES } from '../../../src/stage/create/table-shapes.sql.js';
import { type Rules, rowsOf, SyncHarness } from '../sync-harness.js';

const SCHEMA = `
  CREATE TABLE t (id int PRIMARY KEY, tags text[], bytes bytea, x xml, amount money, span interval, at timestamptz,
    big float8, name text CHECK (name <> 'gone'))`;
const ROWS = `
  INSERT INTO t SELECT i, ARRAY[NULL, 'NULL', 'a"b\\c'], '\\x00ff', '<a/>text<b/>', (i * 1.5)::text::money,
                       make_interval(days => i), now(), i / 3.0, E'back\\\\slash \\' ' || i
                  FROM generate_series(1, 50) i`;

const STAGED = 'understudy_job_1.rows_0';

/** Settings that a database or a role can have. Each of them changes a text form, a query or the life of a session. */
const SETTINGS: readonly (readonly [name: string, value: string])[] = [
  ['array_nulls', 'off'],
  ['transform_null_equals', 'on'],
  ['xmlbinary', 'hex'],
  ['xmloption', 'document'],
  ['backslash_quote', 'off'],
  ['standard_conforming_strings', 'off'],
  ['quote_all_identifiers', 'on'],
  ['default_transaction_isolation', 'serializable'],
  ['default_transaction_deferrable', 'on'],
  ['gin_fuzzy_search_limit', '1'],
  ['exit_on_error', 'on'],
  ['search_path', 'nowhere'],
  ['statement_timeout', '2s'],
  ['lock_timeout', '1ms'],
  ['bytea_output', 'escape'],
  ['datestyle', 'German, DMY'],
  ['intervalstyle', 'sql_standard'],
  ['extra_float_digits', '-15'],
  ['lc_monetary', 'C'],
  ['check_function_bodies', 'on'],
  ['client_encoding', 'LATIN1'],
];

describe('a job between databases with settings of their own', () => {
  let harness: SyncHarness;
  beforeAll(async () => {
    harness = await SyncHarness.start();
  });
  afterEach(() => harness.dropAll());
  afterAll(() => harness.stop());

  const configured = async (database: TestDatabase): Promise<void> => {
    for (const [name, value] of SETTINGS)
      await database.query(`ALTER DATABASE ${database.name} SET ${name} = '${value}'`);
  };
  /** Reads the rows in a session that began after the settings were reset. */
  const rowsInNewSession = async ({ url }: TestDatabase): Promise<string[]> => {
    const client = new Client({ connectionString: url });
    await client.connect();
    const { rows } = await client.query<{ row: string }>('SELECT t::text AS row FROM t ORDER BY 1');
    await client.end();
    return rows.map(({ row }) => row);
  };
  const plain = async (database: TestDatabase): Promise<void> => {
    await database.query(`ALTER DATABASE ${database.name} RESET ALL`);
  };

  inBoth.each(casesOf(['both', 'the source', 'the target'], 1))(
    'copies the same values if %s has other settings',
    async (which) => {
      const source = await harness.database(`${SCHEMA}; ${ROWS}`);
      const missing = await harness.database();
      const existing = await harness.database(`${SCHEMA}; INSERT INTO t (id) VALUES (0)`);
      const expected = await rowsOf(source, 't');
      for (const target of [missing, existing]) {
        if (which !== 'the target') await configured(source);
        if (which !== 'the source') await configured(target);
        const name = { generator: 'template', pattern: 'same' };
        const command = harness.command(source.url, target.url, { t: {} });
        expect((await harness.run(command)).failure).toBeUndefined();
        const masked = harness.command(source.url, target.url, { t: { name } }, { jobId: 'job_2' });
        if (target === missing) expect((await harness.run(masked)).failure).toBeUndefined();
        await plain(source);
        await plain(target);
        const copied = await rowsInNewSession(target);
        expect(target === missing ? copied.map((row) => row.replace('same', '')) : copied).toEqual(
          target === missing ? expected.map((row) => row.replace(/"back.*(?=\)$)/, '')) : expected,
        );
      }
    },
  );

  it('lets the planner expect few partitions, so that no catalog query allocates all of a large work_mem', async () => {
    const database = await harness.database('CREATE TABLE t ()');
    const { rows } = await database.query(
      `EXPLAIN (FORMAT JSON) SELECT FROM ${partitionTree(`'t'::regclass`)} p`,
    );
    const [{ Plan: plan }] = rows[0]?.['QUERY PLAN'] as [{ Plan: Record<string, number> }];
    expect(plan['Plan Rows']).toBeLessThan(10);
  });

  it('uses the role that ALTER ROLE … SET role gives to its sessions, also to end an older attempt', async () => {
    const source = await harness.database(`${SCHEMA}; ${ROWS}`);
    const target = await harness.database();
    await target.query(`CREATE ROLE owns_it; CREATE ROLE logs_in LOGIN PASSWORD 'pw' IN ROLE owns_it;
      ALTER ROLE logs_in SET role = owns_it; GRANT ALL ON DATABASE ${target.name} TO owns_it; GRANT ALL ON SCHEMA public TO owns_it`);
    const url = new URL(target.url);
    Object.assign(url, { username: 'logs_in', password: 'pw' });
    try {
      const command = harness.command(source.url, url.href, { t: {} });
      const stopped = new Error('the first attempt is abandoned');
      let isFirst = true;
      const reached = (step: string) => {
        if (step !== 'all_chunks_committed' || !isFirst) return undefined;
        isFirst = false;
        throw stopped;
      };
      await harness.run(command, { reached });
      const outcome = await harness.run({ ...command, epoch: 2 });
      expect(outcome.failure).toBeUndefined();
      const { rows } = await target.query(
        "SELECT relowner::regrole::text AS owner FROM pg_class WHERE relname = 't'",
      );
      expect(rows).toEqual([{ owner: 'owns_it' }]);
    } finally {
      await target.query('DROP OWNED BY owns_it CASCADE; DROP ROLE logs_in; DROP ROLE owns_it');
    }
  });

  it('refuses an ordinary role in a database with a setting that can change rows, and replaces it as a superuser', async () => {
    const source = await harness.database(`${SCHEMA}; ${ROWS}`);
    const target = await harness.database();
    const ordinary = { source: await asSource(source), target: await asTarget(target) };
    const run = async (from: string, to: string) =>
      (await harness.run(harness.command(from, to, { t: {} }))).failure;
    const all = Object.entries({
      session_replication_role: 'replica',
      zero_damaged_pages: 'on',
      ignore_checksum_failure: 'on',
    });
    const set = ({ query, name }: TestDatabase, [setting, value]: readonly [string, string]) =>
      query(`ALTER DATABASE ${name} SET ${setting} = ${value}`);
    for (const [i, setting] of all.entries()) {
      for (const database of [source, target]) await set(database, setting);
      const side = i % 2 === 0 ? 'source' : 'target';
      const urls = { source: source.url, target: target.url, [side]: ordinary[side] };
      const failure = await run(urls.source, urls.target);
      expect([setting, failure]).toEqual([setting, { code: 'setting_refused', side }]);
      for (const database of [source, target]) await plain(database);
    }
    for (const database of [source, target]) for (const setting of all) await set(database, setting);
    expect(await run(source.url, target.url)).toBeUndefined();
  });

  it('fails and leaves no staged rows behind if new sessions of the target become read-only during the job', async () => {
    const source = await harness.database(`${SCHEMA}; ${ROWS.replace('1, 50', '1, 400')}`);
    const target = await harness.database();
    const reached = async (step: string) => {
      if (step === 'staging_created')
        await target.query(`ALTER DATABASE ${target.name} SET default_transaction_read_only = on`);
    };
    // A job that trains a model opens the sessions that copy rows only after that.
    const name = { generator: 'private/names', train: { min_values: 5, order: 2 } };
    const command = harness.command(source.url, target.url, { t: { name } });
    const { failure } = await harness.run(command, { reached });
    expect(failure).toMatchObject({ code: 'target_read_only', side: 'target', sqlstate: '25006' });
    const { rows } = await target.query("SELECT FROM pg_namespace WHERE nspname LIKE 'understudy%'");
    expect(rows).toEqual([]);
  });

  it('is refused if functions that the tables of the job call change other tables of the job', async () => {
    const remove = (i: number) => `DELETE FROM public.kept_${i} WHERE id = 1`;
    /** The changes with the definition of the table that makes them, which calls `f_0`, `f_1` and so on. */
    const changes: readonly (readonly [change: string, definition: string])[] = [
      [remove(0), 'CREATE TABLE code_0 (id int CHECK (f_0(id)), g bool)'],
      [remove(1), 'CREATE TABLE code_1 (id int, g bool); CREATE INDEX ON code_1 (f_1(id))'],
      [remove(2), 'CREATE TABLE code_2 (id int, g bool GENERATED ALWAYS AS (f_2(id)) STORED)'],
      [remove(3), 'CREATE TABLE code_3 (id int, g bool); CREATE INDEX ON code_3 (id) WHERE f_3(id)'],
      [
        'INSERT INTO public.kept_4 VALUES (3) ON CONFLICT DO NOTHING',
        'CREATE TABLE code_4 (id int CHECK (f_4(id)), g bool)',
      ],
      ["UPDATE public.kept_5 SET v = 'x'", 'CREATE TABLE code_5 (id int CHECK (f_5(id)), g bool)'],
      ['INSERT INTO public.hook VALUES (1)', 'CREATE TABLE code_6 (id int CHECK (f_6(id)), g bool)'],
      [remove(7), 'CREATE TABLE code_7 (id int, g bool); CREATE STATISTICS s ON id, (f_7(id)) FROM code_7'],
      [remove(8), 'CREATE TABLE code_8 (id int CHECK (f_8(id)), g bool)'],
    ];
    const call = (i: number, body: string) => `
      CREATE OR REPLACE FUNCTION w_${i}() RETURNS void LANGUAGE plpgsql AS $$ BEGIN ${body} END $$;
      CREATE OR REPLACE FUNCTION f_${i}(int) RETURNS bool LANGUAGE plpgsql IMMUTABLE AS $$ BEGIN PERFORM public.w_${i}(); RETURN true; END $$;`;
    const harmless = changes.map((_, i) => call(i, ''));
    const harmful = changes.map(([change], i) => call(i, `${change};`));
    const kept = changes.map((_, i) => `CREATE TABLE kept_${i} (id int PRIMARY KEY, v text);`);
    const plain = changes.map(
      (_, i) =>
        `CREATE TABLE code_${i} (id int, g bool ${i === 2 ? 'GENERATED ALWAYS AS (f_2(id)) STORED' : ''});`,
    );
    const rows = changes.map(
      (_, i) => `INSERT INTO kept_${i} VALUES (1, 'a'), (2, 'b'); INSERT INTO code_${i} VALUES (1), (2);`,
    );
    // The job creates the last tables.
    const [made] = changes.slice(-1).map(([, definition]) => `${definition};`);
    const existing = changes.slice(0, -1).map(([, definition]) => `${definition};`);
    const source = await harness.database(
      [...harmless, ...kept, ...plain.slice(0, -1), made, ...rows, ...harmful].join(' '),
    );
    const target = await harness.database(`
      ${[...harmful, ...kept.slice(0, -1), ...existing].join(' ')}
      CREATE TABLE hook (n int); CREATE FUNCTION late() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN ${remove(6)}; RETURN new; END $$;
      CREATE CONSTRAINT TRIGGER late AFTER INSERT ON hook DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION late()`);
    const names = ['kept', 'code'].flatMap((name) => changes.map((_, i) => `${name}_${i}`));
    const tables = Object.fromEntries(names.map((name) => [name, {}]));
    const command = harness.command(source.url, target.url, tables);
    const problems = changes.map((_, tableIndex) => ({ ...ALTERED, tableIndex }));
    const copy = { ...harness.environment().copy, swapFromBytes: Number.MAX_SAFE_INTEGER };
    expect((await harness.run(command, { copy })).failure).toEqual({
      ...problems[0],
      problemCount: problems.length,
      problems,
    });
    await source.query(harmless.join(' '));
    await target.query(harmless.join(' '));
    // A table with an index, one with a generated column, and one that the job creates.
    const some = Object.fromEntries(names.filter((name) => /_[128]$/.test(name)).map((name) => [name, {}]));
    const again = harness.command(source.url, target.url, some, { jobId: 'job_2' });
    expect((await harness.run(again, { copy })).failure).toBeUndefined();
  });

  it('finds tables that call functions of users through operator classes, ranges, other tables, or SQL in a text', async () => {
    const operators = (type: string) =>
      ['<', '<=', '=', '>=', '>'].map((sign, n) => `OPERATOR ${n + 1} ${sign} ${type}`).join(', ');
    const compares = 'RETURNS int LANGUAGE plpgsql IMMUTABLE AS $$ BEGIN RETURN 0; END $$';
    const called: Record<string, readonly string[]> = {
      none: [],
      of_extension: [],
      runs_text: [],
      indexed: ['compare'],
      excluded: ['compare'],
      partitioned: ['compare'],
      measured: ['far'],
      sorted: ['compare'],
      inside: ['calls'],
      compared: ['compare_pairs'],
      part: ['calls'],
    };
    const database = await harness.database(`
      CREATE EXTENSION hstore; CREATE TYPE pair AS (n int); CREATE DOMAIN checked AS int;
      CREATE FUNCTION calls(int) RETURNS bool LANGUAGE plpgsql IMMUTABLE AS 'BEGIN RETURN true; END';
      CREATE FUNCTION compare(int, int) ${compares}; CREATE FUNCTION compare_pairs(pair, pair) ${compares};
      CREATE FUNCTION far(int, int) RETURNS float8 LANGUAGE plpgsql IMMUTABLE AS 'BEGIN RETURN $1 - $2; END';
      CREATE OPERATOR CLASS numbers FOR TYPE int USING btree AS ${operators('')}, FUNCTION 1 compare(int, int);
      CREATE OPERATOR CLASS pairs DEFAULT FOR TYPE pair USING btree AS ${operators('(record, record)')}, FUNCTION 1 compare_pairs(pair, pair);
      CREATE TYPE distance AS RANGE (subtype = int, subtype_diff = far);
      CREATE TYPE ordered AS RANGE (subtype = int, subtype_opclass = numbers);
      CREATE TYPE span AS RANGE (subtype = checked); ALTER DOMAIN checked ADD CHECK (calls(VALUE));
      CREATE TABLE above (v int) PARTITION BY LIST (calls(v));

      CREATE TABLE none (v int PRIMARY KEY CHECK (v > 0 AND random() >= 0), w int4range, x int4multirange);
      CREATE TABLE of_extension (v hstore); CREATE INDEX ON of_extension USING gist (v);
      CREATE TABLE runs_text (v int CHECK (query_to_xml('SELECT calls(1)', true, true, '') IS NOT NULL));
      CREATE TABLE indexed (v int); CREATE INDEX ON indexed (v numbers);
      CREATE TABLE excluded (v int, EXCLUDE USING btree (v numbers WITH =));
      CREATE TABLE partitioned (v int) PARTITION BY RANGE (v numbers);
      CREATE TABLE measured (v distance); CREATE TABLE sorted (v ordered[]); CREATE TABLE inside (v span_multirange);
      CREATE TABLE compared (v pair[]); CREATE TABLE part PARTITION OF above FOR VALUES IN (true)`);
    const { rows: listed } = await database.query(
      'SELECT n::regclass::oid::text AS oid FROM unnest($1::text[]) WITH ORDINALITY AS t (n, o) ORDER BY o',
      [Object.keys(called)],
    );
    const oids = listed.map(({ oid }) => oid);
    const { rows: calling } = await database.query(TABLES_THAT_CALL_FUNCTIONS, [oids]);
    const { rows: functions } = await database.query(FUNCTIONS_EVALUATED, [oids]);
    const found = Object.keys(called).map((name, n) => {
      const isOwn = calling.find(({ oid }) => oid === oids[n])?.['is_own'] ?? false;
      const of = functions.filter(({ oid }) => oid === oids[n]);
      return [name, isOwn, of.map(({ names }) => (names as string[]).at(-1))];
    });
    const isCalling = (name: string) => !['none', 'of_extension'].includes(name);
    expect(found).toEqual(Object.entries(called).map(([name, names]) => [name, isCalling(name), names]));
  });

  it.each([
    ['changes masked values in its own chunk', 't', 'COPY', "UPDATE % SET v = 'x' WHERE id = 1"],
    [
      'exchanges columns of staged rows',
      'code',
      'INSERT INTO',
      'ALTER TABLE % RENAME v TO z; ALTER TABLE % RENAME w TO v; ALTER TABLE % RENAME z TO w',
    ],
  ])('is refused if a function %s', async (_, caller, statement, change) => {
    const definition =
      'CREATE TABLE code (id int PRIMARY KEY); CREATE TABLE t (id int PRIMARY KEY, v text, w text)';
    const source = await harness.database(
      `${definition}; INSERT INTO code SELECT 2000; INSERT INTO t SELECT i, i, i FROM generate_series(1, 2000) i`,
    );
    const target = await harness.database(`${definition};
      CREATE FUNCTION f(id int) RETURNS bool LANGUAGE plpgsql AS $$ DECLARE change text; BEGIN
        SELECT replace($q$${change}$q$, '%', oid::regclass::text) INTO change FROM pg_class WHERE relname = 'rows_1';
        IF current_query() LIKE '${statement}%' AND id = 2000 AND change <> '' THEN EXECUTE change; END IF; RETURN true; END $$;
      ALTER TABLE ${caller} ADD CHECK (f(id))`);
    const masked = { generator: 'template', pattern: '{{uuid}}' };
    const command = harness.command(source.url, target.url, { code: {}, t: { v: masked, w: masked } });
    const copy = { ...harness.environment().copy, swapFromBytes: Number.MAX_SAFE_INTEGER };
    expect((await harness.run(command, { copy })).failure).toEqual({ ...ALTERED, tableIndex: 1 });
  });

  describe('with an event trigger on the target', () => {
    const trigger = (event: string, body: string) => `
      CREATE FUNCTION public.on_event() RETURNS event_trigger LANGUAGE plpgsql AS $$ BEGIN ${body} END $$;
      CREATE EVENT TRIGGER on_event ON ${event} EXECUTE FUNCTION public.on_event()`;

    const REFUSALS = [
      [
        'refuses only to drop tables',
        'sql_drop',
        "IF EXISTS (SELECT FROM pg_event_trigger_dropped_objects() WHERE object_type = 'table') THEN RAISE insufficient_privilege; END IF;",
      ],
      [
        'refuses foreign keys',
        'ddl_command_end',
        "IF tg_tag = 'ALTER TABLE' THEN RAISE 'canary-4711'; END IF;",
      ],
      ['refuses to drop schemas', 'sql_drop', "RAISE 'canary-4711';"],
      [
        'refuses to create schemas',
        'ddl_command_start',
        "IF tg_tag = 'CREATE SCHEMA' THEN RAISE 'canary-4711'; END IF;",
      ],
    ] as const;
    inBoth.each(casesOf(REFUSALS, 2))(
      'is refused before it writes anything if the trigger %s',
      async (_, event, body) => {
        const source = await harness.database(`${SCHEMA}; ${ROWS}`);
        const target = await harness.database(trigger(event, body));
        const expected = { code: 'event_trigger_refused', side: 'target' };
        const command = harness.command(source.url, target.url, { t: {} });
        expect((await harness.run(command)).failure).toEqual(expected);
        const dry = await harness.run({ ...command, dryRun: true });
        expect(dry.predicted?.failures).toEqual([expected]);
        const { rows } = await target.query(
          "SELECT nspname FROM pg_namespace WHERE nspname LIKE 'understudy%'",
        );
        expect(rows).toEqual([]);
      },
    );

    /** Runs a statement for each new table whose name matches; `@` stands for the table. */
    const onNewTables = (names: string, statement: string) =>
      trigger(
        "ddl_command_end WHEN TAG IN ('CREATE TABLE')",
        `DECLARE r record; BEGIN
           FOR r IN SELECT * FROM pg_event_trigger_ddl_commands() WHERE command_tag = 'CREATE TABLE' AND object_identity ~ '${names}'
           LOOP EXECUTE replace(${statement}, '@', r.object_identity); END LOOP; END;`,
      );

    it('is refused before it writes rows if the trigger changes the tables that the job creates', async () => {
      const changes = [
        'ALTER TABLE @ ADD COLUMN made_at timestamptz DEFAULT now()',
        'ALTER TABLE @ DROP COLUMN v',
        'ALTER TABLE @ ALTER COLUMN v TYPE varchar(200)',
        'ALTER TABLE @ ALTER COLUMN w DROP NOT NULL',
        "ALTER TABLE @ ALTER COLUMN v SET DEFAULT 'x'",
        'ALTER TABLE @ ADD CHECK (id > -100)',
        'ALTER TABLE @ SET UNLOGGED',
        'ALTER TABLE @ ENABLE ROW LEVEL SECURITY',
        'CREATE RULE kept AS ON INSERT TO @ DO ALSO INSERT INTO public.stolen VALUES (new.v)',
        'CREATE TRIGGER kept AFTER INSERT ON @ FOR EACH ROW EXECUTE FUNCTION public.steal_row()',
        'ALTER PUBLICATION stolen ADD TABLE @',
        'ALTER TABLE @ INHERIT public.parent',
        'CREATE TABLE public.child () INHERITS (@)',
        'CREATE INDEX ON @ (public.steal(v))',
        'CREATE STATISTICS public.both ON v, (public.steal(w)) FROM @',
      ];
      const names = changes.map((_, i) => `made_${i + 1}`);
      const source = await harness.database(
        names
          .map(
            (name) =>
              `CREATE TABLE ${name} (id int GENERATED ALWAYS AS IDENTITY PRIMARY KEY, v text, w text NOT NULL);
               INSERT INTO ${name} (v, w) VALUES ('canary-4711', 'b');`,
          )
          .join(' '),
      );
      const list = changes.map((change) => `$q$${change}$q$`).join(', ');
      const target = await harness.database(`
        ${STEALING}; CREATE TABLE parent (id int, v text, w text);
        ${onNewTables('^public.made_', `(ARRAY[${list}])[substring(r.object_identity FROM '[0-9]+')::int]`)}`);
      const tables = Object.fromEntries(names.map((name) => [name, {}]));
      const command = harness.command(source.url, target.url, tables);
      const problems = names.map((_, tableIndex) => ({ ...ALTERED, tableIndex }));
      // Only a staged table shows whether it is published.
      const compared = problems.filter(
        ({ tableIndex }) => changes[tableIndex]?.includes('PUBLICATION') !== true,
      );
      const expected = { ...ALTERED, tableIndex: 0, problemCount: compared.length, problems: compared };
      expect((await harness.run({ ...command, dryRun: true })).predicted?.failures).toEqual([expected]);
      expect((await harness.run(command)).failure).toEqual(expected);
      expect(await rowsOf(target, 'stolen')).toEqual([]);
    });

    it('is refused if the trigger changes parts of the tables before the switch commits and drops itself, and in the dry run', async () => {
      const changes = [
        'ALTER TABLE made_1 DROP CONSTRAINT made_1_pkey',
        'ALTER TABLE made_2 DROP CONSTRAINT made_2_parent_fkey',
        'ALTER TABLE made_3 DROP CONSTRAINT made_3_parent_fkey, ADD FOREIGN KEY (parent) REFERENCES parent ON DELETE CASCADE',
        'DROP INDEX made_4_v',
        'ALTER POLICY own ON made_5 TO pg_monitor',
        'CREATE OR REPLACE TRIGGER own AFTER INSERT ON made_6 FOR EACH ROW EXECUTE FUNCTION steal_row()',
        'CREATE TABLE planted () INHERITS (made_7)',
        'ALTER TABLE made_8 DISABLE TRIGGER own',
        'DROP STATISTICS made_9_s',
        "ALTER DOMAIN made_10_d ADD CHECK (value <> 'x')",
        'ALTER DOMAIN made_11_d SET NOT NULL',
        "ALTER TYPE made_12_e RENAME VALUE 'a' TO 'b'",
        'ALTER TYPE made_13_c ADD ATTRIBUTE more int',
        'ALTER SEQUENCE made_14_n_seq MAXVALUE 3 CYCLE',
        'ALTER TABLE made_15 ADD FOREIGN KEY (id) REFERENCES unlisted ON DELETE CASCADE',
        'ALTER TABLE made_16 DISABLE TRIGGER ALL, ENABLE TRIGGER own',
        'ALTER TABLE made_17 DROP CONSTRAINT made_17_parent_fkey, ADD FOREIGN KEY (parent) REFERENCES parent NOT VALID',
        'ALTER TABLE made_18 DROP CONSTRAINT made_18_parent_fkey, ADD FOREIGN KEY (parent) REFERENCES parent DEFERRABLE',
        'DROP INDEX made_19_x; CREATE INDEX made_19_x ON made_19 (public.steal(v))',
        'ALTER POLICY own ON made_20 USING (true)',
        "ALTER TABLE made_21 ALTER COLUMN v SET DEFAULT 'other'",
        "ALTER TABLE made_22 DROP CONSTRAINT made_22_v_check, ADD CHECK (v <> 'other')",
        "ALTER DOMAIN made_23_d DROP CONSTRAINT made_23_d_check; ALTER DOMAIN made_23_d ADD CHECK (value <> 'other')",
        'ALTER TABLE made_24 REPLICA IDENTITY NOTHING',
        'DROP TRIGGER own ON made_25; CREATE TRIGGER own AFTER INSERT ON made_25 FOR EACH ROW WHEN (false) EXECUTE FUNCTION nothing()',
      ];
      const names = changes.map((_, i) => `made_${i + 1}`);
      const source = await harness.database(`
        CREATE FUNCTION nothing() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RETURN new; END';
        CREATE TABLE parent (id int PRIMARY KEY); ${names
          .map(
            (name) => `
        CREATE DOMAIN ${name}_d AS text CHECK (value <> 'd'); CREATE TYPE ${name}_e AS ENUM ('a'); CREATE TYPE ${name}_c AS (x int);
        CREATE TABLE ${name} (id int PRIMARY KEY, v text DEFAULT 'v' CHECK (v <> 'x'), parent int REFERENCES parent, n serial, d ${name}_d, e ${name}_e, c ${name}_c[]); CREATE INDEX ${name}_v ON ${name} (v); CREATE INDEX ${name}_x ON ${name} (lower(v));
        CREATE TRIGGER own AFTER INSERT ON ${name} FOR EACH ROW EXECUTE FUNCTION nothing(); CREATE POLICY own ON ${name} USING (id > 0);
        CREATE STATISTICS ${name}_s ON id, v FROM ${name};`,
          )
          .join('')}
        CREATE TABLE zz (id int); CREATE POLICY zz ON zz`);
      const target = await harness.database(`
        ${STEALING}; CREATE TABLE unlisted (id int PRIMARY KEY); ${trigger(
          "ddl_command_end WHEN TAG IN ('CREATE POLICY')",
          `IF (SELECT object_identity LIKE 'zz %' FROM pg_event_trigger_ddl_commands()) THEN
             SET LOCAL search_path = public; ${changes.join('; ')}; SET LOCAL search_path = ''; DROP EVENT TRIGGER on_event; END IF;`,
        )}`);
      const command = harness.command(
        source.url,
        target.url,
        Object.fromEntries([...names, 'parent', 'zz'].map((name) => [name, {}])),
      );
      // A key whose triggers are disabled is one of both tables.
      const problems = [...names, 'parent'].map((_, tableIndex) => ({ ...ALTERED, tableIndex }));
      const expected = { ...problems[0], problemCount: problems.length, problems };
      expect((await harness.run({ ...command, dryRun: true })).predicted?.failures).toEqual([expected]);
      expect((await harness.run(command)).failure).toEqual(expected);
    });

    const TRIGGERS = [
      ['enables a trigger of an existing table', 'ALTER TABLE made ENABLE TRIGGER ALL'],
      [
        'adds a trigger to an existing table',
        'CREATE OR REPLACE TRIGGER again BEFORE INSERT ON made FOR EACH ROW EXECUTE FUNCTION steal_row()',
      ],
    ] as const;
    inBoth.each(casesOf(TRIGGERS, 1))('is refused in the switch if the trigger %s', async (_, statement) => {
      const definition = 'CREATE TABLE made (v text, id int PRIMARY KEY)';
      const source = await harness.database(`${definition}; INSERT INTO made VALUES ('canary-4711', 1)`);
      const target = await harness.database(`
        ${definition}; ${STEALING}; CREATE TRIGGER own AFTER INSERT ON made FOR EACH ROW EXECUTE FUNCTION steal_row();
        ${trigger(
          "ddl_command_end WHEN TAG IN ('ALTER TABLE')",
          `IF current_setting('my.busy', true) IS DISTINCT FROM '1' AND EXISTS (SELECT FROM pg_event_trigger_ddl_commands() WHERE object_identity = 'public.made') THEN
             PERFORM set_config('my.busy', '1', true); SET LOCAL search_path = public; ${statement}; SET LOCAL search_path = ''; PERFORM set_config('my.busy', '0', true);
           END IF;`,
        )}`);
      const command = harness.command(source.url, target.url, { made: {} });
      const { failure } = await harness.run(command);
      expect(failure).toMatchObject({ ...ALTERED, tableIndex: 0 });
      expect(await rowsOf(target, 'stolen')).toEqual([]);
    });

    const IDENTITY =
      'CREATE TABLE @ (id int PRIMARY KEY, v text CHECK (id > 0), g int GENERATED ALWAYS AS (id * 2) STORED, up int REFERENCES @, w text)';
    const exchanged = (table: string, one: string, other: string) =>
      [`${one} TO z`, `${other} TO ${one}`, `z TO ${other}`]
        .map((change) => `ALTER TABLE ${table} RENAME ${change}`)
        .join('; ');
    const OUTSIDE = 'CREATE TABLE outside (up int CONSTRAINT old_8_fkey REFERENCES old_8)';
    it.each([
      [
        'rows and values',
        'sql_drop',
        [
          'TRUNCATE old_0',
          'TRUNCATE new_1',
          'DELETE FROM new_2 WHERE id = 1',
          'INSERT INTO new_3 VALUES (3)',
          'UPDATE old_4 SET v = 1',
          'UPDATE new_5 SET v = 1',
          'TRUNCATE old_6; INSERT INTO old_6 VALUES (1), (2)',
          'TRUNCATE new_7; INSERT INTO new_7 VALUES (1), (2)',
          'ALTER TABLE old_9 ALTER v TYPE text USING 4',
          'ALTER TABLE new_10 ALTER v TYPE text USING 5',
        ],
      ],
      [
        'definitions of existing tables',
        'ddl_command_end',
        [
          'ALTER TABLE old_0 ALTER COLUMN g DROP EXPRESSION',
          'ALTER TABLE old_1 DROP CONSTRAINT old_1_id_check',
          'ALTER TABLE old_2 DROP CONSTRAINT old_2_pkey CASCADE',
          'ALTER TABLE old_3 ADD COLUMN more int DEFAULT 5',
          'CREATE TABLE child () INHERITS (old_4)',
          'ALTER TABLE old_5 ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY',
          'ALTER TABLE old_6 REPLICA IDENTITY FULL',
          'ALTER TABLE old_7 DISABLE TRIGGER ALL',
          'ALTER TABLE outside DROP CONSTRAINT old_8_fkey',
          'ALTER TABLE old_10 SET UNLOGGED',
          'ALTER TABLE old_9 DROP CONSTRAINT old_9_id_check, ADD CONSTRAINT old_9_id_check CHECK (id > -9)',
          exchanged('old_11', 'v', 'w'),
        ],
      ],
    ])(
      'is refused if the trigger changes %s in one of the statements of the job',
      async (_, event, changes) => {
        const names = changes.map((change) => /(?:old|new)_\d+/.exec(change)?.[0] ?? '');
        const define = (some: readonly string[]) =>
          some.map((name) => IDENTITY.replaceAll('@', name)).join('; ');
        const source = await harness.database(
          `${define(names)}; ${names.map((name) => `INSERT INTO ${name} VALUES (1, 'canary-4711'), (2, 'b')`).join('; ')}`,
        );
        // The last statement that drops objects is the last one of the switch that can run an event trigger.
        const when =
          event === 'sql_drop'
            ? "EXISTS (SELECT FROM pg_event_trigger_dropped_objects() WHERE object_name = 'rows_0')"
            : "tg_tag = 'CREATE SCHEMA' AND to_regclass('public.child') IS NULL";
        const target = await harness.database(
          `${define(names.filter((name) => name.startsWith('old')))}; ${names.includes('old_8') ? OUTSIDE : ''}; ${trigger(
            event,
            `IF ${when} THEN SET LOCAL search_path = public; ${changes.join('; ')}; SET LOCAL search_path = ''; END IF;`,
          )}`,
        );
        const command = harness.command(
          source.url,
          target.url,
          Object.fromEntries(names.map((name) => [name, {}])),
        );
        const problems = names.map((__, tableIndex) => ({ ...ALTERED, tableIndex }));
        const expected = { ...problems[0], problemCount: problems.length, problems };
        const dry = await harness.run({ ...command, dryRun: true });
        expect(dry.predicted?.failures).toEqual(event === 'sql_drop' ? [] : [expected]);
        expect((await harness.run(command)).failure).toEqual(expected);
      },
    );

    it.each([
      ['creates tables', '', 'RAISE numeric_value_out_of_range', '22003'],
      [
        'replaces rows',
        'CREATE TABLE made (id int PRIMARY KEY); CREATE RULE kept AS ON INSERT TO made DO ALSO NOTHING',
        'PERFORM public.nothing()',
        '42883',
      ],
    ])('is blamed for its own error when the job %s', async (_, existing, statement, sqlstate) => {
      const source = await harness.database(
        'CREATE TABLE made (id int PRIMARY KEY); INSERT INTO made VALUES (1)',
      );
      const target = await harness.database(
        `${existing}; ${trigger(
          'ddl_command_end',
          `IF EXISTS (SELECT FROM pg_event_trigger_ddl_commands() WHERE object_identity = 'public.made') THEN ${statement}; END IF;`,
        )}`,
      );
      const command = harness.command(source.url, target.url, { made: {} });
      const { failure } = await harness.run(command);
      expect(failure).toMatchObject({ code: 'event_trigger_refused', side: 'target', sqlstate });
      if (existing === '') {
        const { predicted } = await harness.run({ ...command, dryRun: true });
        expect(predicted?.failures).toEqual([failure]);
      }
    });

    const LOCKS = [
      [
        'stages tables',
        "EXISTS (SELECT FROM pg_event_trigger_ddl_commands() WHERE object_identity LIKE '%understudy_job_1%rows_0')",
      ],
      [
        'switches tables, and the trigger waits without a limit',
        "EXISTS (SELECT FROM pg_event_trigger_ddl_commands() WHERE object_identity = 'public.made') AND set_config('lock_timeout', '0', true) = '0'",
      ],
      [
        'switches tables',
        "EXISTS (SELECT FROM pg_event_trigger_ddl_commands() WHERE object_identity = 'public.made')",
      ],
    ] as const;
    inBoth.each(casesOf(LOCKS, 2))(
      'is blamed for a lock that it does not get when the job %s',
      async (_, when) => {
        const source = await harness.database(
          'CREATE TABLE made (id int PRIMARY KEY); INSERT INTO made VALUES (1)',
        );
        const target = await harness.database(
          `CREATE TABLE busy (); CREATE TABLE parent (); CREATE TABLE made (id int PRIMARY KEY) INHERITS (parent); CREATE RULE kept AS ON INSERT TO made DO ALSO NOTHING; ${trigger(
            'ddl_command_end',
            `IF ${when} THEN LOCK TABLE public.busy; END IF;`,
          )}`,
        );
        const reader = new Client({ connectionString: target.url });
        await reader.connect();
        await reader.query('BEGIN; SELECT FROM busy');
        const { copy } = harness.environment();
        const command = harness.command(source.url, target.url, { made: {} });
        const { failure } = await harness.run(command, { copy: { ...copy, lockTryMs: 50, lockWaitMs: 0 } });
        await reader.end();
        expect(failure).toMatchObject({ code: 'event_trigger_refused', side: 'target', sqlstate: '55P03' });
      },
    );

    const IN_SWITCH = [
      [
        'moves staged rows to another schema',
        'ADD CONSTRAINT',
        `IF to_regclass('${STAGED}') IS NOT NULL THEN ALTER TABLE ${STAGED} SET SCHEMA public; CREATE TABLE ${STAGED} (); END IF`,
      ],
      ['changes staged rows', 'DROP CONSTRAINT', `UPDATE ${STAGED} SET v = 'x'`],
      ['sets a sequence back', 'DROP TABLE', "PERFORM setval('old_0_n_seq', 1)"],
      ['changes rows by a deferred trigger', 'DROP TABLE', 'INSERT INTO hook VALUES (1)'],
      ['changes rows while row security is off', 'NO FORCE', 'UPDATE new_1 SET v = 1'],
      ['removes a table from a publication', 'DROP TABLE', 'ALTER PUBLICATION published DROP TABLE old_0'],
      ['exhausts a sequence', 'DROP TABLE', "PERFORM setval('new_1_n_seq', 2147483647)"],
      [
        'changes rows by a trigger of the ledger',
        'DROP TABLE',
        'CREATE TRIGGER late BEFORE UPDATE ON understudy_job_1.job FOR EACH ROW EXECUTE FUNCTION public.late()',
      ],
      ['exchanges columns', 'DROP TABLE', exchanged('new_1', 'v', 'w')],
      [
        'restarts a sequence, and repairs it only for the last checks',
        '',
        `IF current_query() LIKE '%DROP TABLE%' THEN ALTER SEQUENCE new_1_n_seq RESTART 1; END IF;
         IF current_query() LIKE '%SAVEPOINT reading%' THEN ALTER SEQUENCE new_1_n_seq RESTART 3; END IF;
         PERFORM set_config('my.done', '', false)`,
      ],
    ] as const;
    inBoth.each(casesOf(IN_SWITCH, 6))(
      'is refused in the switch, and leaves no staged rows, if the trigger %s',
      async (_, when, statement) => {
        const rows = "(v) VALUES ('canary-4711'), ('b')";
        const table = (name: string) =>
          `CREATE TABLE ${name} (n serial PRIMARY KEY, v text, w text, up int REFERENCES ${name})`;
        const source = await harness.database(
          `${table('old_0')}; INSERT INTO old_0 ${rows}; ${table('new_1')}; INSERT INTO new_1 ${rows};
         ALTER TABLE new_1 ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY`,
        );
        const target = await harness.database(`
        ${table('old_0')}; CREATE VIEW keeps AS SELECT FROM old_0; CREATE PUBLICATION published FOR TABLE old_0; CREATE TABLE hook (n int);
        CREATE FUNCTION late() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN UPDATE public.new_1 SET v = 1; RETURN new; END $$;
        CREATE CONSTRAINT TRIGGER late AFTER INSERT ON hook DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION late();
        ${trigger(
          'ddl_command_end',
          `IF to_regclass('public.new_1') IS NOT NULL AND current_query() LIKE '%${when}%' AND current_setting('my.done', true) IS DISTINCT FROM pg_current_xact_id()::text THEN
             PERFORM set_config('my.done', pg_current_xact_id()::text, false); SET LOCAL search_path = public; ${statement}; SET LOCAL search_path = ''; END IF;`,
        )}`);
        // Existing tables make all checks immediate.
        const listed: Record<string, Rules> = statement.includes('hook')
          ? { new_1: {} }
          : { old_0: {}, new_1: {} };
        // An ordinary role may not change the publication, and row security hides rows from the deferred trigger.
        const url = /hook|PUBLICATION/.test(statement) ? target.url : await asTarget(target);
        const { failure } = await harness.run(harness.command(source.url, url, listed));
        expect(failure).toMatchObject(ALTERED);
        expect(await rowsOf(target, 'old_0')).toEqual([]);
        const staged = await target.query("SELECT relname FROM pg_class WHERE relname ~ '^rows_[0-9]+$'");
        expect(staged.rows).toEqual([]);
      },
    );

    it.each([
      ['is published', 'ALTER PUBLICATION stolen ADD TABLE @'],
      ['is renamed', 'ALTER TABLE @ RENAME TO other'],
    ])('is refused before it writes rows if a table that the job creates %s', async (_, statement) => {
      const source = await harness.database(
        "CREATE TABLE made (id int GENERATED ALWAYS AS IDENTITY, v text); INSERT INTO made (v) VALUES ('canary-4711')",
      );
      const target = await harness.database(
        `${STEALING}; ${onNewTables('^public.made', `$q$${statement}$q$`)}`,
      );
      const { failure } = await harness.run(harness.command(source.url, target.url, { made: {} }));
      expect(failure).toMatchObject({ ...ALTERED, tableIndex: 0 });
      expect(await rowsOf(target, 'stolen')).toEqual([]);
    });

    it.each([
      [
        'trigger, a rule or an index',
        [
          'CREATE TRIGGER kept AFTER INSERT ON @ FOR EACH ROW EXECUTE FUNCTION public.steal_row()',
          'CREATE RULE kept AS ON INSERT TO @ DO ALSO INSERT INTO public.stolen VALUES (new.v)',
          'CREATE INDEX ON @ (public.steal(v))',
        ],
      ],
      [
        'column of another type, another column or a constraint',
        [
          'ALTER TABLE @ ALTER v TYPE "char" USING v',
          'ALTER TABLE @ ADD w text GENERATED ALWAYS AS (public.steal(v)) STORED',
          'ALTER TABLE @ ADD CHECK (public.steal(v) IS NOT NULL)',
        ],
      ],
    ])('is refused before it writes rows if a table that stages rows has a %s', async (_, changes) => {
      const names = changes.map((__, i) => `made_${i}`);
      const definitions = names.map(
        (name) => `CREATE TABLE ${name} (id int GENERATED ALWAYS AS IDENTITY, v text);`,
      );
      const source = await harness.database(
        [...definitions, ...names.map((name) => `INSERT INTO ${name} (v) VALUES ('canary-4711');`)].join(' '),
      );
      const list = changes.map((change) => `$q$${change}$q$`).join(', ');
      const change = `(ARRAY[${list}])[substring(r.object_identity FROM '[0-9]+$')::int + 1]`;
      const target = await harness.database(
        `${definitions.join(' ')} ${STEALING}; ${onNewTables('rows_', change)}`,
      );
      const command = harness.command(
        source.url,
        target.url,
        Object.fromEntries(names.map((name) => [name, {}])),
      );
      const problems = names.map((__, tableIndex) => ({ ...ALTERED, tableIndex }));
      const expected = { ...problems[0], problemCount: problems.length, problems };
      expect((await harness.run({ ...command, dryRun: true })).predicted?.failures).toEqual([expected]);
      expect((await harness.run(command)).failure).toEqual(expected);
      expect(await rowsOf(target, 'stolen')).toEqual([]);
    });

    it('is refused if the trigger changes a table when its parts are created, and in the dry run', async () => {
      const source = await harness.database(
        'CREATE TABLE made (id int PRIMARY KEY, v text) PARTITION BY RANGE (id); CREATE INDEX ON made (v); ' +
          'CREATE TABLE made_1 PARTITION OF made FOR VALUES FROM (0) TO (10); INSERT INTO made SELECT 1',
      );
      const target = await harness.database(
        trigger(
          "ddl_command_end WHEN TAG IN ('CREATE INDEX')",
          `IF to_regclass('public.made_1') IS NOT NULL THEN ALTER TABLE IF EXISTS public.made_1 ALTER COLUMN v SET DEFAULT 'x'; END IF;`,
        ),
      );
      const command = harness.command(source.url, target.url, { made: {} });
      const dry = await harness.run({ ...command, dryRun: true });
      expect(dry.predicted?.failures).toMatchObject([ALTERED]);
      expect((await harness.run(command)).failure).toMatchObject(ALTERED);
    });

    it('copies the same values, and checks keys, if the trigger changes settings of the session', async () => {
      const source = await harness.database(`
        CREATE TABLE parent (id int PRIMARY KEY); INSERT INTO parent VALUES (5); CREATE TABLE child (id int PRIMARY KEY REFERENCES parent); INSERT INTO child VALUES (5);
        CREATE TABLE plain (id int PRIMARY KEY REFERENCES parent, at date DEFAULT '2020-02-01' CHECK (at > '2020-01-01'));
        CREATE TYPE span AS RANGE (subtype = int); CREATE TABLE made (s span PRIMARY KEY, v text[]); INSERT INTO made VALUES ('[1,2]', '{NULL,a}')`);
      const target = await harness.database(
        `CREATE TABLE parent (id int PRIMARY KEY); CREATE TABLE child (id int PRIMARY KEY REFERENCES parent);
         ${trigger('ddl_command_end', 'SET session_replication_role = replica; SET array_nulls = off; SET lock_timeout = 0; SET search_path = public; SET quote_all_identifiers = on; SET datestyle = German;')}`,
      );
      const command = (table: string) => harness.command(source.url, target.url, { [table]: {} });
      const run = async (table: string) => (await harness.run(command(table))).failure;
      const dry = await harness.run({ ...command('plain'), dryRun: true });
      expect(dry.predicted?.failures).toEqual([]);
      expect(await run('child')).toMatchObject({
        code: 'constraint_violation',
        side: 'target',
        tableIndex: 0,
      });
      expect(await run('made')).toBeUndefined();
      expect(await run('plain')).toBeUndefined();
      expect((await target.query('SELECT v FROM made')).rows).toEqual([{ v: [null, 'a'] }]);
    });

    it('is refused if the trigger changes rows when their index is built', async () => {
      const definition = 'CREATE TABLE made (id int PRIMARY KEY, v text)';
      const source = await harness.database(`${definition}; INSERT INTO made VALUES (1, 'canary-4711')`);
      const target = await harness.database(
        trigger(
          "ddl_command_end WHEN TAG IN ('CREATE INDEX')",
          `IF EXISTS (SELECT FROM pg_event_trigger_ddl_commands() WHERE object_identity LIKE '%made_pkey') THEN
             EXECUTE (SELECT 'UPDATE ' || i.indrelid::regclass || ' SET v = 1' FROM pg_event_trigger_ddl_commands() JOIN pg_index i ON i.indexrelid = objid); END IF;`,
        ),
      );
      const command = harness.command(source.url, target.url, { made: {} });
      expect((await harness.run(command)).failure).toEqual({ ...ALTERED, tableIndex: 0 });
    });

    it('copies tables of all kinds if the trigger logs, grants, comments, and changes owners and replica identities', async () => {
      const source = await harness.database(EVERY_KIND);
      const target = await harness.database(
        `CREATE TABLE elsewhere (id int PRIMARY KEY); CREATE TABLE log (what text);
         ${onNewTables('^public\\.(p|parent|kinds)$|^understudy_', `$q$INSERT INTO public.log VALUES ('@'); GRANT SELECT ON @ TO pg_monitor; COMMENT ON TABLE @ IS 'new'; ALTER TABLE @ OWNER TO pg_database_owner; ALTER TABLE @ REPLICA IDENTITY FULL$q$`)}`,
      );
      const command = harness.command(source.url, target.url, { p: {}, parent: {}, child: {}, kinds: {} });
      expect((await harness.run({ ...command, dryRun: true })).predicted?.failures).toEqual([]);
      expect((await harness.run(command)).failure).toBeUndefined();
      const shapes = async (database: TestDatabase) =>
        (
          await database.query(`SELECT * FROM (${TABLE_SHAPES}) s ORDER BY n`, [
            ...EVERY_TABLE,
            [],
            true,
            [],
            false,
          ])
        ).rows;
      await target.query(
        ['p', 'parent', 'kinds'].map((name) => `ALTER TABLE ${name} REPLICA IDENTITY DEFAULT`).join('; '),
      );
      expect(await shapes(target)).toEqual(await shapes(source));
      const owners = "SELECT DISTINCT relowner::regrole::text FROM pg_class WHERE relname IN ('p', 'kinds')";
      expect((await target.query(owners)).rows).toEqual([{ relowner: 'pg_database_owner' }]);
      await target.query(
        'CREATE OR REPLACE FUNCTION public.on_event() RETURNS event_trigger LANGUAGE plpgsql AS $$ BEGIN END $$',
      );
      await target.query(
        'CREATE TABLE unlisted (p int REFERENCES p); CREATE STATISTICS pair ON t, r FROM kinds; CREATE PUBLICATION pb FOR TABLE p',
      );
      for (const swapFromBytes of [0, Number.MAX_SAFE_INTEGER]) {
        const copy = { ...harness.environment().copy, swapFromBytes };
        const again = await harness.run({ ...command, jobId: `job_${swapFromBytes}` }, { copy });
        expect(again.failure).toBeUndefined();
      }
    });

    it('copies if the trigger is disabled', async () => {
      const source = await harness.database(`${SCHEMA}; ${ROWS}`);
      const target = await harness.database(
        `${trigger('sql_drop', "RAISE 'no';")}; ALTER EVENT TRIGGER on_event DISABLE`,
      );
      const command = harness.command(source.url, target.url, { t: {} });
      expect((await harness.run(command)).failure).toBeUndefined();
    });
  });

  describe('with an encoding of their own', () => {
    const names: string[] = [];
    const onServer = async (sql: string): Promise<void> => {
      const client = new Client({ connectionString: `${harness.services.postgresUrl}/postgres` });
      await client.connect();
      await client.query(sql);
      await client.end();
    };
    afterEach(async () => {
      for (const name of names.splice(0)) await onServer(`DROP DATABASE ${name} WITH (FORCE)`);
    });
    const encoded = async (encoding: string): Promise<string> => {
      const name = `encoded_${names.length}`;
      await onServer(`CREATE DATABASE ${name} ENCODING '${encoding}' LOCALE 'C' TEMPLATE template0`);
      names.push(name);
      return `${harness.services.postgresUrl}/${name}`;
    };
    const on = async (url: string, sql: string): Promise<unknown[]> => {
      const client = new Client({ connectionString: url });
      await client.connect();
      const { rows } = await client.query<Record<string, unknown>>(sql);
      await client.end();
      return rows;
    };

    const bytes = (hex: string, encoding: string) => `convert_from('\\x${hex}'::bytea, '${encoding}')`;
    const ENCODINGS = [
      ['SQL_ASCII', 'UTF8', bytes('c3bc', 'SQL_ASCII'), 'c3bc'],
      ['UTF8', 'LATIN1', bytes('c3bc', 'UTF8'), 'fc'],
      ['SQL_ASCII', 'SQL_ASCII', bytes('c3bc', 'SQL_ASCII'), 'c3bc'],
      ['LATIN1', 'UTF8', bytes('fc', 'LATIN1'), 'c3bc'],
    ] as const;
    inBoth.each(casesOf(ENCODINGS, 2))('copies texts from %s to %s', async (from, to, value, expected) => {
      const [source, target] = [await encoded(from), await encoded(to)];
      await on(
        source,
        `CREATE TABLE t AS SELECT ${value} AS v, ${value} AS masked, ARRAY[${value}] AS texts, to_jsonb(${value}) AS document;
         CREATE TYPE "größe" AS ENUM ('groß'); ALTER TABLE t ADD "maß" "größe" DEFAULT 'groß', ADD CONSTRAINT "prüf" CHECK (v <> 'öl');
         CREATE TABLE "übrig" AS TABLE t; CREATE TABLE "ungewählt" AS TABLE t`,
      );
      const rules = { t: { masked: { generator: 'template', pattern: '{{uuid}}' } }, '"übrig"': {} };
      const command = harness.command(source, target, rules);
      // The first run creates the tables from the source's definitions, the second from the target's.
      for (const jobId of ['job_1', 'job_2']) {
        expect((await harness.run({ ...command, jobId })).failure).toBeUndefined();
        const rows = await on(target, `SELECT encode(convert_to(v, '${to}'), 'hex') AS hex FROM t`);
        expect(rows).toEqual([{ hex: expected }]);
        expect(await on(target, DEFINITIONS)).toEqual(await on(source, DEFINITIONS));
      }
    });

    const UNSHARED = [
      ['SQL_ASCII', 'UTF8', bytes('fc', 'SQL_ASCII'), 'source', '22021'],
      ['UTF8', 'LATIN1', bytes('e282ac', 'UTF8'), 'target', '22P05'],
      ['SQL_ASCII', 'SQL_ASCII', bytes('fc', 'SQL_ASCII'), 'source', '22021'],
      ['SQL_ASCII', 'LATIN1', bytes('e282ac', 'SQL_ASCII'), 'target', '22P05'],
    ] as const;
    inBoth.each(casesOf(UNSHARED, 2))(
      'fails with encoding_invalid for a text that %s and %s do not share, and changes nothing',
      async (from, to, value, side, sqlstate) => {
        const [source, target] = [await encoded(from), await encoded(to)];
        await on(source, `CREATE TABLE t (id int PRIMARY KEY, v text); INSERT INTO t SELECT 1, ${value}`);
        await on(target, "CREATE TABLE t (id int PRIMARY KEY, v text); INSERT INTO t VALUES (7, 'old')");
        const { failure } = await harness.run(harness.command(source, target, { t: {} }));
        expect(failure).toMatchObject({ code: 'encoding_invalid', side, tableIndex: 0, sqlstate });
        expect(await on(target, 'SELECT id, v FROM t')).toEqual([{ id: 7, v: 'old' }]);
      },
    );
  });
});

const ALTERED = { code: 'table_altered', side: 'target' };

const DEFINITIONS = `
  SELECT conname, pg_get_constraintdef(c.oid), "maß", pg_get_expr(adbin, adrelid)
    FROM "übrig", pg_constraint c JOIN pg_attrdef ON adrelid = conrelid WHERE conrelid = 't'::regclass AND contype = 'c'`;

const STEALING = `
  CREATE TABLE stolen (v text); CREATE PUBLICATION stolen;
  CREATE FUNCTION public.steal(text) RETURNS text LANGUAGE plpgsql IMMUTABLE AS $$ BEGIN PERFORM public.steal_it($1); RETURN $1; END $$;
  CREATE FUNCTION public.steal_it(text) RETURNS void LANGUAGE sql AS 'INSERT INTO public.stolen VALUES ($1)';
  CREATE FUNCTION public.steal_row() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN INSERT INTO public.stolen VALUES (new.v); RETURN new; END $$`;

const EVERY_TABLE = [Array(4).fill('public'), ['p', 'parent', 'child', 'kinds']];
const EVERY_KIND = `
  CREATE TYPE mood AS ENUM ('a', 'b'); CREATE DOMAIN short AS varchar(9) CHECK (value NOT IN ('no', 'never')); CREATE SCHEMA "S ""s";
  CREATE FUNCTION public.nothing() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RETURN new; END';
  CREATE TABLE p (id int, at timestamptz(3) DEFAULT now(), m mood[] NOT NULL, PRIMARY KEY (id)) PARTITION BY RANGE (id);
  CREATE TABLE p_1 (m mood[] NOT NULL, dropped int, at timestamptz(3), id int NOT NULL DEFAULT 7);
  ALTER TABLE p_1 DROP COLUMN dropped; ALTER TABLE p ATTACH PARTITION p_1 FOR VALUES FROM (0) TO (10);
  CREATE TABLE parent (a int CHECK (a > 0), b short); CREATE TABLE child (c serial, a int DEFAULT 2) INHERITS (parent);
  CREATE UNLOGGED TABLE kinds (id bigint GENERATED BY DEFAULT AS IDENTITY PRIMARY KEY, t text COLLATE "C",
    g text GENERATED ALWAYS AS (t || 'x') STORED, n numeric(9, 2)[], i interval day to second(2), r int REFERENCES p);
  ALTER TABLE kinds ADD CONSTRAINT later CHECK (n IS NOT NULL) NOT VALID, ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
  -- The server writes these expressions differently after it has read its own text.
  ALTER TABLE kinds ADD w varchar(9) DEFAULT 'a' CHECK (w IN ('a', 'b'));
  CREATE INDEX listed ON kinds (lower(t), (w IN ('a', 'b'))) WHERE w NOT IN ('c', 'd');
  CREATE POLICY seen ON kinds USING (id > 0 OR w IN ('a', 'b')); CREATE RULE nothing AS ON DELETE TO kinds DO INSTEAD NOTHING;
  CREATE TRIGGER nothing BEFORE INSERT ON kinds FOR EACH ROW EXECUTE FUNCTION public.nothing();
  CREATE TRIGGER nothing BEFORE INSERT ON p FOR EACH ROW EXECUTE FUNCTION public.nothing();
  CREATE TABLE elsewhere (id int PRIMARY KEY); ALTER TABLE kinds ADD elsewhere int REFERENCES elsewhere;
  INSERT INTO p VALUES (1, now(), '{a}'); INSERT INTO child (b) VALUES ('x'); INSERT INTO kinds (t, n, r) VALUES ('t', '{1}', 1)`;
